//! From a server block as written to a server that can be started.

use std::{path::PathBuf, sync::Arc};

use super::{
    Environment, Secrets,
    expand::expand,
    unsendable::{Place, has_port, header_name_problem, header_value_problem, nul_problem, unfilled, url_problem},
};
use crate::{
    model::{
        HttpSpec, Launch, LaunchDeclaration, Readiness, ServerDeclaration, ServerSpec, StdioSpec, Text,
        TransportDeclaration,
    },
    source::{Diagnostic, Located, SourceFile, Span},
};

/// Expands a server block, noting every problem and every secret on the way.
pub(super) struct ServerExpansion<'a> {
    pub source: &'a Arc<SourceFile>,
    pub environment: &'a Environment,
    pub diagnostics: &'a mut Vec<Diagnostic>,
    pub secrets: &'a mut Secrets,
}

/// Whether the command is told the port anywhere.
fn mentions_port(start: &LaunchDeclaration) -> bool {
    let values = start.env.iter().map(|(_, value)| value);
    let texts = start.args.iter().chain(values).chain(&start.cwd);
    texts.chain([&start.command]).any(has_port)
}

fn untold_port() -> Diagnostic {
    let message = "a port is chosen for `{{port}}` in `url`, but the command is not told which";
    Diagnostic::warning("untold-port", message)
        .help("write `{{port}}` into its `args` or `env`, such as `env: { PORT: \"{{port}}\" }`")
}

impl ServerExpansion<'_> {
    /// The server, or nothing if anything in it can never work.
    pub(super) fn server(&mut self, declaration: &ServerDeclaration) -> Option<ServerSpec> {
        let problems = self.diagnostics.len();
        let startup_timeout = declaration.startup_timeout;
        let spec = match &declaration.transport {
            TransportDeclaration::Stdio(launch) => ServerSpec::Stdio(StdioSpec {
                launch: self.launch(launch, Place::Command),
                startup_timeout,
            }),
            TransportDeclaration::Http {
                url,
                headers,
                start,
                ready,
            } => {
                let place = start.as_ref().map_or(Place::Url, |_| Place::StartedUrl);
                if let Some(start) = start.as_ref().filter(|start| has_port(url) && !mentions_port(start)) {
                    self.complain(start.command.span, untold_port());
                }
                ServerSpec::Http(HttpSpec {
                    url: self.url(url, place),
                    headers: headers.iter().map(|(name, value)| self.header(name, value)).collect(),
                    start: start.as_ref().map(|launch| self.launch(launch, Place::Start)),
                    ready: ready
                        .as_ref()
                        .map_or(Readiness::Endpoint, |url| Readiness::Url(self.url(url, place))),
                    startup_timeout,
                })
            }
        };
        let has_errors = self.diagnostics[problems..].iter().any(Diagnostic::is_error);
        (!has_errors).then_some(spec)
    }

    fn launch(&mut self, declaration: &LaunchDeclaration, place: Place) -> Launch {
        let mut env = self.environment.handed_on();
        for name in &declaration.env_inherit {
            match self.environment.value(&name.value) {
                Some(value) => {
                    self.secrets.add_named(&name.value, value);
                    env.insert(name.value.clone(), value.to_owned());
                }
                None => self.doubt(name),
            }
        }
        for (name, text) in &declaration.env {
            let value = self.handed(text, place);
            self.secrets.add_named(&name.value, &value);
            env.insert(name.value.clone(), value);
        }
        Launch {
            command: self.command(&declaration.command, place),
            args: declaration.args.iter().map(|arg| self.handed(arg, place)).collect(),
            env,
            cwd: declaration
                .cwd
                .as_ref()
                .map(|cwd| PathBuf::from(self.handed(cwd, place))),
        }
    }

    /// A variable that is handed on need not be set, but its name may be a slip.
    fn doubt(&mut self, name: &Located<String>) {
        if let Some(near) = self.environment.nearest(&name.value) {
            let message = format!("the environment variable `{}` is not set", name.value);
            let problem = Diagnostic::warning("missing-variable", message);
            self.complain(name.span, problem.help(format!("did you mean `{near}`?")));
        }
    }

    fn command(&mut self, text: &Text, place: Place) -> String {
        let problems = self.diagnostics.len();
        let command = self.handed(text, place);
        if command.trim().is_empty() && self.diagnostics.len() == problems {
            self.complain(
                text.span,
                Diagnostic::error("blank-command", "`command` is blank once its variables are expanded"),
            );
        }
        command
    }

    /// A text that is handed to a program.
    fn handed(&mut self, text: &Text, place: Place) -> String {
        let value = self.text(text, place).unwrap_or_default();
        if let Some(problem) = nul_problem(&value) {
            self.complain(text.span, problem);
        }
        value
    }

    fn header(&mut self, name: &Located<String>, text: &Text) -> (String, String) {
        if let Some(problem) = header_name_problem(&name.value) {
            self.complain(name.span, problem);
        }
        let value = self.text(text, Place::Header).unwrap_or_default();
        if let Some(problem) = header_value_problem(&name.value, &value) {
            self.complain(text.span, problem);
        }
        self.secrets.add_named(&name.value, &value);
        (name.value.clone(), value)
    }

    fn url(&mut self, text: &Text, place: Place) -> String {
        let problems = self.diagnostics.len();
        let url = self.text(text, place).unwrap_or_default();
        if problems == self.diagnostics.len()
            && let Some(problem) = url_problem(&url, &text.value)
        {
            self.complain(text.span, problem);
        }
        url
    }

    /// The text with its variables expanded, unless one of them is missing.
    fn text(&mut self, text: &Text, place: Place) -> Option<String> {
        for problem in unfilled(&text.value, place) {
            self.complain(text.span, problem);
        }
        match expand(&text.value, self.environment) {
            Ok(expanded) => {
                expanded.secrets.iter().for_each(|secret| self.secrets.add(secret));
                self.secrets.add_passwords(&expanded.text);
                Some(expanded.text)
            }
            Err(errors) => {
                for error in errors {
                    self.complain(text.span, error.diagnostic(self.environment));
                }
                None
            }
        }
    }

    fn complain(&mut self, span: Span, problem: Diagnostic) {
        self.diagnostics.push(problem.at(self.source, span));
    }
}
