//! The whole flow: discover → parse → plan → run → judge → report.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Instant, SystemTime},
};

use crate::{
    compare::{Ending, totals, verdict},
    discover::{Discovery, Filter, discover, project_file},
    model::{Case, Report, Selection},
    parse::{self, Project},
    plan::{Choice, Compiler, Environment, PlannedCase, Secrets, Settings},
    run::{Executed, Observer, Redactor, RunOptions, Servers, Stop, execute},
    source::{Diagnostic, SourceFile},
};

/// What to look at, and with which settings.
#[derive(Debug, Clone)]
pub struct Request {
    /// Files and folders with fixtures.
    pub paths: Vec<PathBuf>,
    /// The project file; looked for from the working directory upwards where it is absent.
    pub project: Option<PathBuf>,
    /// What the command line says for cases that do not say it themselves.
    pub settings: Settings,
    /// Which cases are run.
    pub choice: Choice,
}

/// What the files say, ready to be run.
pub struct Loaded {
    /// The chosen cases, in the order of files.
    pub cases: Vec<PlannedCase>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// Which part of all cases they are.
    pub selection: Selection,
    /// What is wrong in the files.
    pub diagnostics: Vec<Diagnostic>,
    /// What the project file says.
    pub project: Project,
    /// Values that no report may show.
    pub secrets: Secrets,
}

/// A finished run: the report, and servers that may still be on their way out.
pub struct Evaluation {
    /// What was found.
    pub report: Report,
    /// Report first, then [`shut_down`](Servers::shut_down).
    pub servers: Arc<Servers>,
}

/// Finds, reads and plans the cases of a request. Nothing is run.
pub fn load(request: &Request, environment: &Environment) -> Loaded {
    let mut diagnostics = Vec::new();
    let project = project(request, &mut diagnostics);
    let mut compiler = Compiler::new(&project, environment, &request.settings);
    let found = discover(&request.paths, &filter(&project));
    diagnostics.extend(found.diagnostics);
    let mut names = Names::default();
    let mut cases = Vec::new();
    for path in &found.files {
        let source = match Discovery::read(path) {
            Ok(source) => source,
            Err(diagnostic) => {
                diagnostics.push(diagnostic);
                continue;
            }
        };
        let parsed = parse::fixture(&source);
        diagnostics.extend(parsed.diagnostics);
        if let Some(case) = parsed.value {
            diagnostics.extend(names.note(&source, &case));
            let (planned, problems) = compiler.compile(&source, case);
            diagnostics.extend(problems);
            cases.extend(planned);
        }
    }
    let secrets = compiler.into_secrets();
    let (cases, selection) = request.choice.apply(cases);
    Loaded {
        cases,
        files: found.files,
        selection,
        diagnostics,
        project,
        secrets,
    }
}

/// Runs what was loaded and says what it means.
pub async fn evaluate(
    loaded: Loaded,
    environment: &Environment,
    options: &RunOptions,
    observer: Arc<dyn Observer>,
    stop: Stop,
) -> io::Result<Evaluation> {
    let (started_at, began) = (SystemTime::now(), Instant::now());
    let redactor = Redactor::new(&loaded.secrets);
    let Executed { cases, notes, servers } =
        execute(loaded.cases, environment, redactor, options, observer, stop.clone()).await?;
    let ending = stop
        .reason()
        .map_or(Ending::Complete, |reason| Ending::Stopped(reason.words()));
    let report = Report {
        started_at,
        duration: began.elapsed(),
        verdict: verdict(&cases, &loaded.diagnostics, &ending, &loaded.selection),
        totals: totals(&cases),
        cases,
        diagnostics: loaded.diagnostics,
        selection: loaded.selection,
        notes,
    };
    Ok(Evaluation { report, servers })
}

fn project(request: &Request, diagnostics: &mut Vec<Diagnostic>) -> Project {
    let Some(path) = request.project.clone().or_else(project_file) else {
        return Project::default();
    };
    match Discovery::read(&path) {
        Ok(source) => {
            let parsed = parse::project(&source);
            diagnostics.extend(parsed.diagnostics);
            parsed.value.unwrap_or_default()
        }
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            Project::default()
        }
    }
}

/// The names of cases so far. Ids tell equal names apart, but people who read them do not.
#[derive(Default)]
struct Names(HashMap<String, Arc<str>>);

impl Names {
    /// Notes a case; a warning if an earlier one in another file has the same name.
    fn note(&mut self, source: &Arc<SourceFile>, case: &Case) -> Option<Diagnostic> {
        let Some(earlier) = self.0.get(&case.name) else {
            self.0.insert(case.name.clone(), Arc::clone(source.path()));
            return None;
        };
        let message = format!("another case is called `{}` too, in {earlier}", case.name);
        let warning = Diagnostic::warning("repeated-name", message).at(source, case.location.span);
        Some(warning.help("give each case a name of its own, so that reports can be told apart at a glance"))
    }
}

/// What the project file says of where fixtures are. Its globs were checked when it was parsed.
fn filter(project: &Project) -> Filter {
    let Some(source) = &project.source else {
        return Filter::default();
    };
    let root = match Path::new(source.path().as_ref()).parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    Filter::new(root, &project.discovery.include, &project.discovery.exclude).unwrap_or_default()
}
