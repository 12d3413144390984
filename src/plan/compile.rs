//! One case as written to one case ready to be run, and everything that is wrong on the way.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::Duration,
};

use serde_json::{Map, Value, value::to_raw_value};

use super::{
    CompiledAssertion, Environment, PlannedAssertion, PlannedCase, PlannedStep, Secrets, Target,
    expand::expand,
    server::ServerExpansion,
    template::{Names, bad_references, has_placeholders},
};
use crate::{
    judge::assertions::{self, ASSERTIONS},
    model::{Case, Expectation, ServerChoice, ServerDeclaration, ServerScope, ServerSpec, Skip, Step},
    parse::Project,
    source::{Diagnostic, Located, Location, SourceFile, did_you_mean},
};

/// The limit of a call where nobody says otherwise, as in mcp-eval-runner.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// What the command line says for cases that do not say it themselves. A fixture beats a flag, a flag beats the
/// project file.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Limit of each call.
    pub timeout: Option<Duration>,
    /// Attempts after the first.
    pub retries: Option<u32>,
    /// How far servers are shared.
    pub server_scope: Option<ServerScope>,
}

/// Turns cases into planned cases. Equal servers become one value, so that they can be shared and cost little.
pub struct Compiler<'a> {
    project: &'a Project,
    environment: &'a Environment,
    settings: &'a Settings,
    secrets: Secrets,
    servers: HashSet<Arc<ServerSpec>>,
    named: BTreeMap<String, Option<Arc<ServerSpec>>>,
}

impl<'a> Compiler<'a> {
    /// A compiler for the cases of one run.
    pub fn new(project: &'a Project, environment: &'a Environment, settings: &'a Settings) -> Self {
        let mut secrets = Secrets::default();
        for value in project.secrets.iter().filter_map(|name| environment.value(name)) {
            secrets.add(value);
        }
        Self {
            project,
            environment,
            settings,
            secrets,
            servers: HashSet::new(),
            named: BTreeMap::new(),
        }
    }

    /// The secret values seen in all cases so far.
    pub fn into_secrets(self) -> Secrets {
        self.secrets
    }

    /// Plans one case; nothing if an error is among the diagnostics.
    pub fn compile(&mut self, source: &Arc<SourceFile>, case: Case) -> (Option<PlannedCase>, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let skip = self.skip(case.skip.as_ref());
        let vars = match &skip {
            None => self.vars(source, case.vars, &mut diagnostics),
            Some(_) => case
                .vars
                .into_iter()
                .map(|(name, value)| (name.value, value.value))
                .collect(),
        };
        let target = match &skip {
            None => self.target(source, &case.server, &mut diagnostics),
            Some(_) => Some(Target::Simulated),
        };
        let mut compiler = StepCompiler {
            compiler: self,
            source,
            vars: &vars,
            ids: case.steps.iter().map(|step| step.id.clone()).collect(),
            timeout: case.timeout,
            is_skipped: skip.is_some(),
            diagnostics: &mut diagnostics,
        };
        let mut steps: Vec<_> = case
            .steps
            .into_iter()
            .enumerate()
            .map(|(index, step)| compiler.step(index, step))
            .collect();
        // Collecting in place keeps the room of the steps as written, several times what is needed.
        steps.shrink_to_fit();
        let defaults = &self.project.defaults;
        let scope = case
            .server_scope
            .or(self.settings.server_scope)
            .or(defaults.server_scope);
        let retries = case.retries.or(self.settings.retries).or(defaults.retries);
        let planned = target.filter(|_| diagnostics.is_empty()).map(|target| PlannedCase {
            id: case.id,
            name: case.name,
            description: case.description,
            tags: case.tags,
            location: case.location,
            target,
            scope: scope.unwrap_or_default(),
            skip,
            retries: retries.unwrap_or_default(),
            vars,
            steps,
        });
        (planned, diagnostics)
    }

    fn skip(&self, skip: Option<&Skip>) -> Option<String> {
        match skip? {
            Skip::Always { reason } => Some(reason.clone()),
            Skip::UnlessEnv { name } => match self.environment.non_empty(name) {
                Some(_) => None,
                None => Some(format!("the environment variable `{name}` is not set")),
            },
        }
    }

    fn vars(
        &mut self,
        source: &Arc<SourceFile>,
        vars: Vec<(Located<String>, Located<Value>)>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Map<String, Value> {
        vars.into_iter()
            .map(|(name, value)| {
                let span = value.span;
                let expanded = self.expand_value(value.value, &mut |diagnostic| {
                    diagnostics.push(diagnostic.at(source, span));
                });
                if let Some(text) = expanded.as_str() {
                    self.secrets.add_named(&name.value, text);
                }
                (name.value, expanded)
            })
            .collect()
    }

    fn expand_value(&mut self, value: Value, complain: &mut dyn FnMut(Diagnostic)) -> Value {
        match value {
            Value::String(text) => match expand(&text, self.environment) {
                Ok(expanded) => {
                    expanded.secrets.iter().for_each(|secret| self.secrets.add(secret));
                    Value::String(expanded.text)
                }
                Err(errors) => {
                    for error in errors {
                        complain(error.diagnostic());
                    }
                    Value::Null
                }
            },
            Value::Array(items) => items
                .into_iter()
                .map(|item| self.expand_value(item, complain))
                .collect(),
            Value::Object(map) => map
                .into_iter()
                .map(|(key, item)| (key, self.expand_value(item, complain)))
                .collect::<Map<_, _>>()
                .into(),
            other => other,
        }
    }

    fn target(
        &mut self,
        source: &Arc<SourceFile>,
        server: &ServerChoice,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Target> {
        match server {
            ServerChoice::Simulated => Some(Target::Simulated),
            ServerChoice::Inline(declaration) => {
                self.expand_server(source, declaration, diagnostics).map(Target::Server)
            }
            ServerChoice::Named(name) => self.named_server(source, name, diagnostics).map(Target::Server),
        }
    }

    /// A server of the project file; what is wrong in it is said once, whatever number of fixtures name it.
    fn named_server(
        &mut self,
        source: &Arc<SourceFile>,
        name: &Located<String>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Arc<ServerSpec>> {
        if let Some(known) = self.named.get(&name.value) {
            if known.is_none() {
                let message = format!("the server `{}` cannot be used", name.value);
                let diagnostic = Diagnostic::error("unusable-server", message).at(source, name.span);
                diagnostics.push(diagnostic.help("see what is said of it in the project file"));
            }
            return known.clone();
        }
        let project = self.project;
        let (Some(declaration), Some(file)) = (project.servers.get(&name.value), &project.source) else {
            diagnostics.push(unknown_server(project, name).at(source, name.span));
            return None;
        };
        let spec = self.expand_server(file, declaration, diagnostics);
        self.named.insert(name.value.clone(), spec.clone());
        spec
    }

    fn expand_server(
        &mut self,
        source: &Arc<SourceFile>,
        declaration: &ServerDeclaration,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Arc<ServerSpec>> {
        let spec = ServerExpansion {
            source,
            environment: self.environment,
            diagnostics,
            secrets: &mut self.secrets,
        }
        .server(declaration)?;
        if let Some(same) = self.servers.get(&spec) {
            return Some(Arc::clone(same));
        }
        let spec = Arc::new(spec);
        self.servers.insert(Arc::clone(&spec));
        Some(spec)
    }
}

fn unknown_server(project: &Project, name: &Located<String>) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-server", format!("no server is called `{}`", name.value));
    match &project.source {
        Some(file) if !project.servers.is_empty() => diagnostic.help(format!(
            "{} (servers are declared in {})",
            did_you_mean(&name.value, project.servers.keys().map(String::as_str)),
            file.path()
        )),
        Some(file) => diagnostic.help(format!("declare it under `servers:` in {}", file.path())),
        None => diagnostic.help(
            "a server that is named is declared under `servers:` in mcpvals.yaml; there is no such file here or above",
        ),
    }
}

/// Plans the steps of one case.
struct StepCompiler<'c, 'a> {
    compiler: &'c Compiler<'a>,
    source: &'c Arc<SourceFile>,
    vars: &'c Map<String, Value>,
    ids: Vec<String>,
    timeout: Option<Duration>,
    is_skipped: bool,
    diagnostics: &'c mut Vec<Diagnostic>,
}

impl StepCompiler<'_, '_> {
    fn step(&mut self, index: usize, step: Step) -> PlannedStep {
        let skip = self.compiler.skip(step.skip.as_ref());
        let input = Value::Object(step.input);
        self.check_references(index, &input, &step.input_location, skip.is_some());
        let mut assertions: Vec<_> = step
            .expect
            .into_iter()
            .filter_map(|expectation| self.assertion(index, expectation, skip.is_some()))
            .collect();
        assertions.shrink_to_fit();
        let timeout = step.timeout.or(self.timeout).or(self.compiler.settings.timeout);
        PlannedStep {
            id: step.id,
            description: step.description,
            tool: step.tool,
            input: to_raw_value(&input).expect("JSON values can be written as JSON"),
            expected_output: step.expected_output,
            assertions,
            skip,
            timeout: timeout
                .or(self.compiler.project.defaults.timeout)
                .unwrap_or(DEFAULT_TIMEOUT),
            location: step.location,
        }
    }

    fn check_references(&mut self, index: usize, value: &Value, place: &Location, is_skipped: bool) {
        if !has_placeholders(value) {
            return;
        }
        let ids: Vec<&str> = self.ids.iter().map(String::as_str).collect();
        let names = Names {
            earlier: &ids[..index],
            all: &ids,
            vars: self.vars,
            environment: (!self.is_skipped && !is_skipped).then_some(self.compiler.environment),
        };
        for bad in bad_references(value, &names) {
            let message = format!("step `{}`: {}", ids[index], bad.message);
            let diagnostic = Diagnostic::error("unknown-reference", message).at(self.source, place.span);
            self.diagnostics.push(diagnostic.help(bad.help));
        }
    }

    fn assertion(&mut self, index: usize, expectation: Expectation, is_skipped: bool) -> Option<PlannedAssertion> {
        let Expectation {
            key,
            location,
            argument,
        } = expectation;
        let Some(kind) = assertions::kind(&key) else {
            let help = did_you_mean(&key, ASSERTIONS.iter().map(|kind| kind.key));
            let diagnostic = Diagnostic::error("unknown-key", format!("unknown key `{key}` in `expect`")).help(help);
            self.diagnostics.push(diagnostic.at(self.source, location.span));
            return None;
        };
        let value = argument.with_text(kind.is_text);
        let compiled = if has_placeholders(&value) {
            self.check_references(index, &value, &argument.location, is_skipped);
            CompiledAssertion::Waiting(Box::new(value))
        } else {
            match (kind.compile)(&value) {
                Ok(assertion) => CompiledAssertion::Ready(assertion),
                Err(problems) => {
                    let diagnostics = problems.into_iter().map(|problem| {
                        let mut diagnostic = Diagnostic::error(problem.code, problem.message_of(&key));
                        diagnostic.help = problem.help;
                        let place = argument.places.nearest(&problem.pointer);
                        diagnostic.at(self.source, place.unwrap_or(argument.location.span))
                    });
                    self.diagnostics.extend(diagnostics);
                    return None;
                }
            }
        };
        Some(PlannedAssertion {
            kind,
            location,
            compiled,
        })
    }
}
