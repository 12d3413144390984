//! From a server block as written to a server that can be started.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use super::{Environment, Secrets, expand::expand};
use crate::{
    model::{
        HttpSpec, Launch, LaunchDeclaration, Readiness, ServerDeclaration, ServerSpec, StdioSpec, Text,
        TransportDeclaration,
    },
    source::{Diagnostic, SourceFile},
};

/// Expands a server block, noting every problem and every secret on the way.
pub(super) struct ServerExpansion<'a> {
    pub source: &'a Arc<SourceFile>,
    pub environment: &'a Environment,
    pub diagnostics: &'a mut Vec<Diagnostic>,
    pub secrets: &'a mut Secrets,
}

impl ServerExpansion<'_> {
    /// The server, or nothing if any of its texts cannot be expanded.
    pub(super) fn server(&mut self, declaration: &ServerDeclaration) -> Option<ServerSpec> {
        let problems = self.diagnostics.len();
        let startup_timeout = declaration.startup_timeout;
        let spec = match &declaration.transport {
            TransportDeclaration::Stdio(launch) => ServerSpec::Stdio(StdioSpec {
                launch: self.launch(launch),
                startup_timeout,
            }),
            TransportDeclaration::Http {
                url,
                headers,
                start,
                ready,
            } => ServerSpec::Http(HttpSpec {
                url: self.url(url),
                headers: headers
                    .iter()
                    .map(|(name, value)| self.header(&name.value, value))
                    .collect(),
                start: start.as_ref().map(|launch| self.launch(launch)),
                ready: ready
                    .as_ref()
                    .map_or(Readiness::Endpoint, |url| Readiness::Url(self.url(url))),
                startup_timeout,
            }),
        };
        (self.diagnostics.len() == problems).then_some(spec)
    }

    fn launch(&mut self, declaration: &LaunchDeclaration) -> Launch {
        let mut env = self.environment.handed_on();
        for name in &declaration.env_inherit {
            if let Some(value) = self.environment.value(&name.value) {
                self.secrets.add_named(&name.value, value);
                env.insert(name.value.clone(), value.to_owned());
            }
        }
        let own: BTreeMap<_, _> = declaration
            .env
            .iter()
            .map(|(name, value)| (name.value.clone(), self.named_text(&name.value, value)))
            .collect();
        env.extend(own);
        let command = self.text(&declaration.command);
        if command.trim().is_empty() {
            let diagnostic = Diagnostic::error("blank-command", "`command` is blank once its variables are expanded");
            self.diagnostics
                .push(diagnostic.at(self.source, declaration.command.span));
        }
        Launch {
            command,
            args: declaration.args.iter().map(|arg| self.text(arg)).collect(),
            env,
            cwd: declaration.cwd.as_ref().map(|cwd| PathBuf::from(self.text(cwd))),
        }
    }

    fn header(&mut self, name: &str, value: &Text) -> (String, String) {
        (name.to_owned(), self.named_text(name, value))
    }

    fn named_text(&mut self, name: &str, text: &Text) -> String {
        let value = self.text(text);
        self.secrets.add_named(name, &value);
        value
    }

    fn url(&mut self, text: &Text) -> String {
        let problems = self.diagnostics.len();
        let url = self.text(text);
        if problems == self.diagnostics.len() && !url.starts_with("http://") && !url.starts_with("https://") {
            let diagnostic = Diagnostic::error("invalid-url", format!("`{url}` is not an http:// or https:// address"));
            self.diagnostics.push(diagnostic.at(self.source, text.span));
        }
        url
    }

    fn text(&mut self, text: &Text) -> String {
        match expand(&text.value, self.environment) {
            Ok(expanded) => {
                expanded.secrets.iter().for_each(|secret| self.secrets.add(secret));
                expanded.text
            }
            Err(errors) => {
                for error in errors {
                    self.diagnostics.push(error.diagnostic().at(self.source, text.span));
                }
                String::new()
            }
        }
    }
}
