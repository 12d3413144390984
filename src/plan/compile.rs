//! One case as written to one case ready to be run, and everything that is wrong on the way.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use serde_json::{Map, Value, value::to_raw_value};

use super::{
    CompiledAssertion, Environment, PlannedAssertion, PlannedCase, PlannedStep, Secrets, Target,
    definition::definition,
    label::{self, Labels},
    references::Filled,
    server::ServerExpansion,
    template::{SHOWN, StepIds},
    vars::VarsExpansion,
    waiting::certain_problems,
};
use crate::{
    judge::assertions::{self, ASSERTIONS, Problem},
    model::{
        Argument, Case, CaseId, Expectation, Mode, ServerChoice, ServerDeclaration, ServerScope, ServerSpec, Skip,
        Step, TimeLimit,
    },
    parse::Project,
    source::{Diagnostic, Located, Location, SourceFile, Span, did_you_mean},
    text::quote,
};

/// The limit of a call where nobody says otherwise, as in mcp-eval-runner.
const DEFAULT_TIMEOUT: TimeLimit = TimeLimit::new(
    Duration::from_secs(30),
    "the default; `timeout` of the step, or --timeout, sets another",
);

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
    pub(super) environment: &'a Environment,
    settings: &'a Settings,
    pub(super) secrets: Secrets,
    /// The servers so far, and what they are called.
    servers: HashMap<Arc<ServerSpec>, Arc<str>>,
    labels: Labels,
    named: BTreeMap<String, Option<Arc<ServerSpec>>>,
    /// What cases without `vars` share.
    no_vars: Arc<Map<String, Value>>,
}

impl<'a> Compiler<'a> {
    /// A compiler for the cases of one run.
    pub fn new(project: &'a Project, environment: &'a Environment, settings: &'a Settings) -> Self {
        let mut secrets = Secrets::default();
        for value in project.secrets.iter().filter_map(|name| environment.value(name)) {
            secrets.add_declared(value);
        }
        Self {
            project,
            environment,
            settings,
            secrets,
            servers: HashMap::new(),
            labels: Labels::default(),
            named: BTreeMap::new(),
            no_vars: Arc::default(),
        }
    }

    /// The secret values seen in all cases so far.
    pub fn into_secrets(self) -> Secrets {
        self.secrets
    }

    fn shared(&self, vars: Map<String, Value>) -> Arc<Map<String, Value>> {
        if vars.is_empty() {
            Arc::clone(&self.no_vars)
        } else {
            Arc::new(vars)
        }
    }

    /// Plans one case; nothing if an error is among the diagnostics. What the plan keeps is copied: what was read is in
    /// pieces all over the memory, and a plan can be of ten thousand cases.
    pub fn compile(&mut self, source: &Arc<SourceFile>, case: &Case) -> (Option<PlannedCase>, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let file = Arc::from(source.path().as_ref());
        let skip = self.skip(case.skip.as_ref());
        let vars = match &skip {
            None => VarsExpansion {
                compiler: self,
                source,
                diagnostics: &mut diagnostics,
            }
            .vars(&case.vars),
            Some(_) => as_written(&case.vars),
        };
        let has_vars = !diagnostics.iter().any(Diagnostic::is_error);
        let target = if skip.is_none() {
            self.target(source, &case.server, &mut diagnostics)
        } else {
            diagnostics.extend(self.unknown_server(source, &case.server));
            Some(Target::Simulated)
        };
        let steps = StepCompiler {
            source,
            file: &file,
            vars: &vars,
            ids: &StepIds::new(case.steps.iter().map(|step| step.id.as_str())),
            skipped: HashMap::new(),
            referenced: HashSet::new(),
            timeout: self.case_timeout(case),
            is_skipped: skip.is_some(),
            has_vars,
            diagnostics: &mut diagnostics,
            compiler: self,
        }
        .steps(&case.steps);
        let skip = skip.or_else(|| skipped_by_steps(&steps));
        let defaults = &self.project.defaults;
        let scope = case
            .server_scope
            .or(self.settings.server_scope)
            .or(defaults.server_scope);
        let retries = case.retries.or(self.settings.retries).or(defaults.retries);
        let has_errors = diagnostics.iter().any(Diagnostic::is_error);
        let planned = target.filter(|_| !has_errors).map(|target| PlannedCase {
            id: CaseId::new(&file, &case.name),
            name: case.name.clone(),
            description: case.description.clone(),
            tags: case.tags.clone(),
            location: moved(&case.location, &file),
            mode: match case.server {
                ServerChoice::Simulated => Mode::Simulated,
                ServerChoice::Inline(_) | ServerChoice::Named(_) => Mode::Live,
            },
            target,
            definition: definition(case),
            scope: scope.unwrap_or_default(),
            skip,
            retries: retries.unwrap_or_default(),
            vars: self.shared(vars),
            steps,
        });
        (planned, diagnostics)
    }

    /// The limit of the calls of a case that have none of their own.
    fn case_timeout(&self, case: &Case) -> TimeLimit {
        let of = |length: Option<Duration>, set_by| length.map(|length| TimeLimit::new(length, set_by));
        of(case.timeout, "`timeout` of the fixture")
            .or(of(self.settings.timeout, "--timeout"))
            .or(of(self.project.defaults.timeout, "`defaults.timeout` of mcpvals.yaml"))
            .unwrap_or(DEFAULT_TIMEOUT)
    }

    fn skip(&self, skip: Option<&Skip>) -> Option<String> {
        match skip? {
            Skip::Always { reason } => Some(reason.clone()),
            Skip::UnlessEnv { name } => match self.environment.non_empty(name) {
                Some(_) => None,
                None if self.environment.value(name).is_some() => {
                    Some(format!("the environment variable `{name}` is empty"))
                }
                None => Some(format!("the environment variable `{name}` is not set")),
            },
        }
    }

    fn target(
        &mut self,
        source: &Arc<SourceFile>,
        server: &ServerChoice,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Target> {
        let spec = match server {
            ServerChoice::Simulated => return Some(Target::Simulated),
            ServerChoice::Inline(declaration) => {
                self.expand_server(source, declaration, &label::words(declaration), diagnostics)?
            }
            ServerChoice::Named(name) => self.named_server(source, name, diagnostics)?,
        };
        let label = Arc::clone(self.servers.get(&spec)?);
        Some(Target::Server { spec, label })
    }

    /// The server of this name in the project file; nothing if an error is among the diagnostics.
    pub fn server(&mut self, name: &str) -> (Option<Arc<ServerSpec>>, Vec<Diagnostic>) {
        let name = Located::new(name.to_owned(), Span::default());
        let mut diagnostics = Vec::new();
        if !self.project.servers.contains_key(&name.value) {
            // What is wrong with one that is broken is said already.
            if !self.project.is_broken_server(&name.value) {
                diagnostics.push(unknown_server(self.project, &name));
            }
            return (None, diagnostics);
        }
        let source = self.project.source.clone().unwrap_or_else(|| SourceFile::new("", ""));
        let spec = self.named_server(&source, &name, &mut diagnostics);
        (spec, diagnostics)
    }

    /// What is wrong with the name of a server that is not needed.
    fn unknown_server(&self, source: &Arc<SourceFile>, server: &ServerChoice) -> Option<Diagnostic> {
        let ServerChoice::Named(name) = server else {
            return None;
        };
        let is_known = self.project.servers.contains_key(&name.value) || self.project.is_broken_server(&name.value);
        (!is_known).then(|| unknown_server(self.project, name).at(source, name.span))
    }

    /// A server of the project file; what is wrong in it is said once, whatever number of fixtures name it.
    fn named_server(
        &mut self,
        source: &Arc<SourceFile>,
        name: &Located<String>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Arc<ServerSpec>> {
        let project = self.project;
        let known = match self.named.get(&name.value) {
            None if project.is_broken_server(&name.value) => Some(None),
            known => known.cloned(),
        };
        if let Some(known) = known {
            if known.is_none() {
                let message = format!("the server `{}` cannot be used", name.value);
                let diagnostic = Diagnostic::error("unusable-server", message).at(source, name.span);
                diagnostics.push(diagnostic.help("see what is said of it in the project file"));
            }
            return known;
        }
        let (Some(declaration), Some(file)) = (project.servers.get(&name.value), &project.source) else {
            diagnostics.push(unknown_server(project, name).at(source, name.span));
            return None;
        };
        let spec = self.expand_server(file, declaration, &name.value, diagnostics);
        self.named.insert(name.value.clone(), spec.clone());
        spec
    }

    fn expand_server(
        &mut self,
        source: &Arc<SourceFile>,
        declaration: &ServerDeclaration,
        words: &str,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Arc<ServerSpec>> {
        let spec = ServerExpansion {
            source,
            environment: self.environment,
            diagnostics,
            secrets: &mut self.secrets,
        }
        .server(declaration)?;
        if let Some((same, _)) = self.servers.get_key_value(&spec) {
            return Some(Arc::clone(same));
        }
        let spec = Arc::new(spec);
        self.servers.insert(Arc::clone(&spec), self.labels.unique(words));
        Some(spec)
    }
}

/// A place that shares the name of its file with the plan.
fn moved(location: &Location, file: &Arc<str>) -> Location {
    Location {
        file: Arc::clone(file),
        span: location.span,
    }
}

/// Variables that nobody needs.
fn as_written(vars: &[(Located<String>, Argument)]) -> Map<String, Value> {
    let vars = vars.iter();
    vars.map(|(name, argument)| (name.value.clone(), argument.value.clone()))
        .collect()
}

/// Why a case is not to be run of which no step is.
fn skipped_by_steps(steps: &[PlannedStep]) -> Option<String> {
    let reason = steps.first()?.skip.as_ref()?;
    let is_all = steps.iter().all(|step| step.skip.is_some());
    is_all.then(|| format!("every step is skipped: {reason}"))
}

fn unknown_server(project: &Project, name: &Located<String>) -> Diagnostic {
    let message = format!("no server is called {}", quote(&name.value, SHOWN));
    let diagnostic = Diagnostic::error("unknown-server", message);
    match &project.source {
        Some(file) if !project.servers.is_empty() => diagnostic.help(format!(
            "{} (servers are declared in {})",
            did_you_mean(&name.value, project.servers.keys().map(String::as_str)),
            file.path()
        )),
        Some(file) => diagnostic.help(format!("declare it under `servers:` in {}", file.path())),
        None => diagnostic
            .help("a server that is named is declared under `servers:` in mcpvals.yaml; there is none for this folder"),
    }
}

/// Plans the steps of one case.
pub(super) struct StepCompiler<'c, 'a> {
    pub(super) compiler: &'c mut Compiler<'a>,
    pub(super) source: &'c Arc<SourceFile>,
    /// The name of the file, for the plan.
    file: &'c Arc<str>,
    pub(super) vars: &'c Map<String, Value>,
    pub(super) ids: &'c StepIds<'c>,
    /// Steps that are skipped, with what lies at the bottom of it.
    pub(super) skipped: HashMap<usize, String>,
    /// Steps that others refer to.
    pub(super) referenced: HashSet<usize>,
    /// The limit of calls that have none of their own.
    timeout: TimeLimit,
    /// Whether the whole case is.
    pub(super) is_skipped: bool,
    /// Whether the values of all `vars` are known.
    pub(super) has_vars: bool,
    pub(super) diagnostics: &'c mut Vec<Diagnostic>,
}

impl StepCompiler<'_, '_> {
    fn steps(&mut self, steps: &[Step]) -> Vec<PlannedStep> {
        let steps = steps.iter().enumerate();
        let mut planned: Vec<_> = steps.map(|(index, step)| self.step(index, step)).collect();
        for index in &self.referenced {
            planned[*index].is_referenced = true;
        }
        planned
    }

    fn step(&mut self, index: usize, step: &Step) -> PlannedStep {
        let skip = self.skip(index, step);
        self.check_input(index, &step.input, skip.is_some());
        let mut assertions = Vec::with_capacity(step.expect.len());
        for expectation in &step.expect {
            assertions.extend(self.assertion(index, expectation, skip.is_some()));
        }
        let output = step.expected_output.as_ref();
        PlannedStep {
            id: step.id.clone(),
            description: step.description.clone(),
            tool: self.plain_text(&step.tool, "tool"),
            input: to_raw_value(&step.input.value).expect("JSON values can be written as JSON"),
            expected_output: output.map(|text| self.plain_text(text, "expected_output")),
            assertions,
            skip,
            timeout: step
                .timeout
                .map_or(self.timeout, |length| TimeLimit::new(length, "`timeout` of the step")),
            is_referenced: false,
            location: moved(&step.location, self.file),
        }
    }

    /// Why the step is skipped: because it says so, or because one that it needs is.
    fn skip(&mut self, index: usize, step: &Step) -> Option<String> {
        if let Some(reason) = self.compiler.skip(step.skip.as_ref()) {
            self.skipped.insert(index, reason.clone());
            return Some(reason);
        }
        let (needed, reason) = self.needs_skipped(index, step)?;
        let words = format!("it needs step `{}`, which is skipped ({reason})", self.ids.id(needed));
        self.skipped.insert(index, reason);
        Some(words)
    }

    fn assertion(&mut self, index: usize, expectation: &Expectation, is_skipped: bool) -> Option<PlannedAssertion> {
        let Expectation {
            key,
            location,
            argument,
        } = expectation;
        let Some(kind) = assertions::kind(key) else {
            let help = did_you_mean(key, ASSERTIONS.iter().map(|kind| kind.key));
            let message = format!("unknown key {} in `expect`", quote(key, SHOWN));
            let diagnostic = Diagnostic::error("unknown-key", message).help(help);
            self.diagnostics.push(diagnostic.at(self.source, location.span));
            return None;
        };
        if !assertions::is_available(kind) {
            let problem = Diagnostic::warning("not-available", format!("`{key}` is not available yet"));
            let problem = problem.help("the step will be errored; `skip: reason` keeps it out of the verdict");
            self.diagnostics.push(problem.at(self.source, location.span));
        }
        let value = argument.with_text(kind.is_text);
        let compiled = match self.filled(index, value, &argument.places, is_skipped) {
            Filled::Ready(value) => (kind.compile)(&value).map(CompiledAssertion::Ready),
            Filled::Waiting(value) => match certain_problems(kind, &value) {
                Some(problems) => Err(problems),
                None => Ok(CompiledAssertion::Waiting(Box::new(value))),
            },
            Filled::Bad => return None,
        };
        let compiled = compiled
            .map_err(|problems| self.complain(key, argument, problems))
            .ok()?;
        Some(PlannedAssertion {
            kind,
            location: moved(location, self.file),
            compiled,
        })
    }

    /// Says what is wrong with an argument, at the part of it that is wrong.
    fn complain(&mut self, key: &str, argument: &Argument, problems: Vec<Problem>) {
        for problem in problems {
            let message = problem.message_of(key);
            let message = self.compiler.secrets.hide(&message);
            let mut diagnostic = Diagnostic::error(problem.code, message);
            diagnostic.help = problem.help;
            let place = argument.places.nearest(&problem.pointer);
            self.diagnostics
                .push(diagnostic.at(self.source, place.unwrap_or(argument.location.span)));
        }
    }
}
