//! The whole flow: discover → parse → plan → run → judge → compare → report.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    io,
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant, SystemTime},
};

use crate::{
    baseline::Found,
    compare::{
        self, Ending, Evidence, Surveyed, allowance_problems, comparison, coverage, known_failures, totals, verdict,
    },
    discover::{Globs, discover, project_file, read, shown},
    model::{Case, Policy, Report, Selection, Totals, Verdict},
    parse::{self, DiscoverySettings, Parsed, Project},
    plan::{Asked, Choice, Compiler, Environment, Plan, PlannedCase, Secrets, Settings, asked},
    run::{Observer, Redactor, RunOptions, Servers, Stop, Surfaces, execute, without_secrets},
    source::{Diagnostic, SourceFile, in_order},
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
    pub cases: Plan,
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
    /// How many files in the given folders `discovery` of the project file left out.
    pub left_out: usize,
    /// Files that look like fixtures and were passed over because of a `.gitignore`.
    pub ignored: Vec<PathBuf>,
    /// Files of which no case could be made, where that was tried.
    pub unusable: BTreeSet<String>,
    /// Ids to run again that no case has any more.
    pub gone: Vec<String>,
    /// Remarks for the report.
    pub notes: Vec<String>,
}

/// A finished run: the report, and servers that may still be on their way out.
pub struct Evaluation {
    /// What was found.
    pub report: Report,
    /// What the servers declare, if that was asked for.
    pub surveyed: Vec<Surveyed>,
    /// Report first, then [`shut_down`](Servers::shut_down).
    pub servers: Arc<Servers>,
}

/// Finds, reads and plans the cases of a request. Nothing is run.
pub fn load(request: &Request, environment: &Environment) -> Loaded {
    let mut diagnostics = Vec::new();
    let project = project(request.project.as_deref(), &mut diagnostics);
    let mut compiler = Compiler::new(&project, environment, &request.settings);
    let found = discover(&request.paths, &globs(&project));
    diagnostics.extend(found.diagnostics);
    let mut names = Names::default();
    let mut cases = Plan::new();
    let mut unusable: BTreeSet<String> = found.files.iter().map(|path| shown(path)).collect();
    each_parsed(&found.files, |file| match file {
        Ok(fixture) => {
            // A plan tells what variables hold, and so do its problems.
            let compiler = (!project.hides_secrets).then_some(&mut compiler);
            let (case, problems) = case(fixture, &mut names, compiler);
            diagnostics.extend(problems);
            if let Some(case) = case {
                unusable.remove(&*case.location.file);
                cases.push_back(Box::new(case));
            }
        }
        Err(diagnostic) => diagnostics.push(diagnostic.clone()),
    });
    let secrets = compiler.into_secrets();
    let mut gone = Vec::new();
    if project.hides_secrets {
        unusable.clear();
    } else {
        diagnostics.extend(request.choice.unknown_tags(&cases));
        gone = request.choice.gone(&cases, &unusable);
    }
    let (cases, selection) = request.choice.apply(cases);
    Loaded {
        cases,
        files: found.files,
        selection,
        diagnostics: without_secrets(diagnostics, &secrets),
        notes: project
            .hides_secrets
            .then(|| NO_SECRETS.to_owned())
            .into_iter()
            .collect(),
        project,
        secrets,
        left_out: found.left_out,
        ignored: found.ignored,
        unusable,
        gone,
    }
}

/// Why no case is planned beside a project file that hides secrets.
const NO_SECRETS: &str = "no case was run: which values are secret is known only once the project file is repaired";

/// A file that was read.
struct Fixture {
    source: Arc<SourceFile>,
    parsed: Parsed<Case>,
}

/// How many files are parsed ahead of planning.
const PARSED_AHEAD: usize = 16;

/// Bytes of the stack of the thread that parses: those of a main thread, since values can be nested.
const STACK: usize = 8 << 20;

/// Reads and parses files in their order. It is done ahead, on a thread of its own, to which what was parsed goes back
/// when it is used: then its many small pieces have a heap of their own, and the plans of ten thousand cases lie close
/// together in another.
fn each_parsed(files: &[PathBuf], mut with: impl FnMut(&Result<Fixture, Diagnostic>)) {
    let parsed = |path: &PathBuf| {
        read(path).map(|source| Fixture {
            parsed: parse::fixture(&source),
            source,
        })
    };
    thread::scope(|scope| {
        let (hand_over, ahead_of_us) = mpsc::sync_channel(PARSED_AHEAD);
        let (give_back, returned) = mpsc::channel::<Result<Fixture, Diagnostic>>();
        let ahead = move || {
            for path in files {
                if hand_over.send(parsed(path)).is_err() {
                    return;
                }
                returned.try_iter().for_each(drop);
            }
            drop(hand_over);
            returned.into_iter().for_each(drop);
        };
        match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, ahead) {
            Ok(_) => ahead_of_us.into_iter().for_each(|file| {
                with(&file);
                // If nobody is there to take it, it is dropped here.
                let _ = give_back.send(file);
            }),
            // The machine has no thread left.
            Err(_) => files.iter().for_each(|path| with(&parsed(path))),
        }
        drop(give_back);
    });
}

/// The case of one file, and everything that is wrong in it: what parsing complains of does not keep planning from
/// complaining too, so that a user sees all of it at once. Without a compiler nothing is planned.
fn case(
    Fixture { source, parsed }: &Fixture,
    names: &mut Names,
    compiler: Option<&mut Compiler<'_>>,
) -> (Option<PlannedCase>, Vec<Diagnostic>) {
    let mut diagnostics = parsed.diagnostics.clone();
    let mut planned = None;
    if let Some(case) = &parsed.value {
        diagnostics.extend(names.note(source, case));
        if let Some(compiler) = compiler {
            let (case, problems) = compiler.compile(source, case);
            diagnostics.extend(problems);
            planned = case.filter(|_| parsed.is_usable());
        }
    }
    (planned, in_order(diagnostics, source))
}

/// What a run is held against.
#[derive(Debug, Default)]
pub struct Against {
    /// What closes the gate.
    pub policy: Policy,
    /// The baseline, if one was asked for.
    pub baseline: Option<Found>,
}

/// Runs what was loaded and says what it means.
pub async fn evaluate(
    loaded: Loaded,
    environment: &Environment,
    options: &RunOptions,
    against: &Against,
    observer: Arc<dyn Observer>,
    stop: Stop,
) -> io::Result<Evaluation> {
    let (started_at, began) = (SystemTime::now(), Instant::now());
    let Loaded {
        cases,
        selection,
        diagnostics,
        secrets,
        project,
        files,
        left_out: _,
        ignored: _,
        unusable: _,
        gone: _,
        mut notes,
    } = loaded;
    drop(files);
    let redactor = Redactor::new(&secrets);
    let asked = if options.has_surfaces {
        asked(&cases)
    } else {
        BTreeMap::new()
    };
    let executed = execute(cases, environment, redactor.clone(), options, observer, stop.clone()).await?;
    notes.extend(executed.notes);
    let surveyed = surveyed(executed.surfaces, asked, &redactor);
    let ending = stop
        .reason()
        .map_or(Ending::Complete, |reason| Ending::Stopped(reason.words()));
    let mut report = Report {
        started_at,
        duration: Duration::ZERO,
        verdict: Verdict::default(),
        totals: Totals::default(),
        cases: executed.cases,
        diagnostics,
        comparison: None,
        coverage: Vec::new(),
        selection,
        notes,
    };
    judge(&mut report, &surveyed, &project, against, &ending);
    report.duration = began.elapsed();
    Ok(Evaluation {
        report,
        surveyed,
        servers: executed.servers,
    })
}

/// Whether a case that did not run is no more: it was not left out, and is in no file that could not be used.
fn is_whole(selection: &Selection, diagnostics: &[Diagnostic]) -> bool {
    selection.narrowed_by.is_empty() && !diagnostics.iter().any(Diagnostic::is_error)
}

/// Says what the results mean, against the baseline and by the policy.
fn judge(report: &mut Report, surveyed: &[Surveyed], project: &Project, against: &Against, ending: &Ending) {
    let stale = known_failures(&mut report.cases, &against.policy);
    let is_whole = is_whole(&report.selection, &report.diagnostics);
    let run = compare::Run {
        cases: &report.cases,
        servers: surveyed,
        is_whole,
        allowances: &project.allow,
        today: against.policy.today,
    };
    match against.baseline.as_ref().map(|found| comparison(&run, found)) {
        Some(Ok(comparison)) => report.comparison = Some(comparison),
        Some(Err(place)) => {
            let note = format!("there is no baseline yet at {place}: nothing was compared");
            report.notes.push(note);
        }
        None => {}
    }
    if is_whole {
        let before = match &against.baseline {
            Some(Found::Usable(baseline, _)) => Some(&baseline.servers),
            _ => None,
        };
        report.coverage = coverage(surveyed, before);
    }
    report.totals = totals(&report.cases);
    let evidence = Evidence {
        cases: &report.cases,
        diagnostics: &report.diagnostics,
        ending,
        selection: &report.selection,
        comparison: report.comparison.as_ref(),
        stale: &stale,
    };
    report.verdict = verdict(&evidence, &against.policy);
}

/// What the servers of a run declare, named and free of secrets like everything in a report.
fn surveyed(surfaces: Surfaces, mut asked: BTreeMap<Arc<str>, Asked>, redactor: &Redactor) -> Vec<Surveyed> {
    let named = surfaces.into_iter().map(|(label, surface)| Surveyed {
        label: redactor.composed(&label).into_owned(),
        surface,
        calls: asked.remove(&label).map(|it| it.calls).unwrap_or_default(),
    });
    named.collect()
}

/// Reads the project file, or the one of the working directory; an empty project where there is none.
pub fn project(path: Option<&Path>, diagnostics: &mut Vec<Diagnostic>) -> Project {
    let Some(path) = path.map(Path::to_owned).or_else(project_file) else {
        return Project::default();
    };
    match read(&path) {
        Ok(source) => {
            let parsed = parse::project(&source);
            let project = parsed
                .value
                .unwrap_or_else(|| Project::unreadable(Some(Arc::clone(&source))));
            let mut problems = parsed.diagnostics;
            problems.extend(allowance_problems(&project));
            diagnostics.extend(in_order(problems, &source));
            project
        }
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            Project::unreadable(None)
        }
    }
}

/// The names of cases so far. Ids tell equal names apart, but people who read them do not.
#[derive(Default)]
struct Names(HashMap<String, Box<str>>);

impl Names {
    /// Notes a case; a warning if an earlier one in another file has the same name.
    fn note(&mut self, source: &Arc<SourceFile>, case: &Case) -> Option<Diagnostic> {
        if case.name.is_empty() {
            return None;
        }
        let Some(earlier) = self.0.get(&case.name) else {
            self.0.insert(case.name.clone(), source.path().as_ref().into());
            return None;
        };
        let message = format!("another case is called `{}` too, in {earlier}", case.name);
        let warning = Diagnostic::warning("repeated-name", message).at(source, case.location.span);
        Some(warning.help("give each case a name of its own, so that reports can be told apart at a glance"))
    }
}

/// What the project file says of where fixtures are.
fn globs(project: &Project) -> Globs {
    let Some(source) = &project.source else {
        return Globs::default();
    };
    let root = match Path::new(source.path().as_ref()).parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let DiscoverySettings { include, exclude } = project.discovery.clone();
    Globs::new(root, include, exclude)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::source::Severity;

    /// Loads files of a folder; the working directory and its project file play no part.
    fn loaded(files: &[(&str, &str)]) -> Loaded {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("it can be written");
        }
        let project = folder.path().join("mcpvals.yaml");
        if !project.exists() {
            fs::write(&project, "version: 2\n").expect("it can be written");
        }
        let request = Request {
            paths: vec![folder.path().to_owned()],
            project: Some(project),
            settings: Settings::default(),
            choice: Choice::default(),
        };
        load(&request, &Environment::new([]))
    }

    /// Codes of the diagnostics, each with the line it points at.
    fn said(loaded: &Loaded) -> Vec<(&str, u32)> {
        let line = |it: &Diagnostic| it.span.map_or(0, |span| span.line);
        loaded
            .diagnostics
            .iter()
            .map(|it| (it.code.as_ref(), line(it)))
            .collect()
    }

    #[test]
    fn what_parsing_and_planning_find_is_said_at_once() {
        let bad = "\
name: a
server:
  command: ${NOPE}
  argz: [a]
steps:
  - id: a
    tool: echo
    tpyo: 1
    input: {text: '{{steps.nobody.output}}'}
    expect:
      output_contain: x
";
        let good = "name: b\nsteps: [{id: a, tool: echo, expected_output: x, expect: {output_contains: x}}]\n";
        let loaded = loaded(&[("a.yaml", bad), ("b.yaml", good)]);
        let said = said(&loaded);
        for expected in [
            ("missing-variable", 3),
            ("unknown-key", 4),
            ("unknown-key", 8),
            ("unknown-reference", 9),
            ("unknown-key", 11),
        ] {
            assert!(said.contains(&expected), "{expected:?} in {said:?}");
        }
        assert!(said.is_sorted_by_key(|(_, line)| *line), "{said:?}");
        let names: Vec<_> = loaded.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["b"], "a case with an error is not run");
    }

    #[test]
    fn a_value_that_cannot_be_read_is_said_once() {
        let text = "\
name: a
steps:
  - id: a
    tool: echo
    expected_output: x
    expect: {output_matches: *none, output_equals: !!int x, schema_match: {type: *none}}
";
        let loaded = loaded(&[("a.yaml", text)]);
        let codes: Vec<_> = said(&loaded).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, ["unknown-anchor", "wrong-type", "unknown-anchor"]);
    }

    #[test]
    fn a_file_with_countless_problems_is_cut_short() {
        let steps =
            (0..150).map(|n| format!("  - {{id: s{n}, tool: echo, tpyo: 1, input: {{a: '{{{{vars.x}}}}'}}}}\n"));
        let text = format!("name: a\nsteps:\n{}", steps.collect::<Vec<_>>().concat());
        let loaded = loaded(&[("a.yaml", &text), ("b.yaml", "name: b\n")]);
        assert!(loaded.diagnostics.len() < 110, "{}", loaded.diagnostics.len());
        assert_eq!(said(&loaded)[..2], [("unknown-key", 3), ("unknown-reference", 3)]);
        assert_eq!(
            said(&loaded).last(),
            Some(&("missing-key", 1)),
            "the next file has its say"
        );
    }

    #[test]
    fn a_broken_project_keeps_what_is_right_in_it() {
        let project = "servers: {good: {command: x}, half: {command: x, argz: [y]}}\nsecrets: [TOKEN]\n";
        let case = "name: a\nserver: good\nsteps: [{id: a, tool: echo}]\n";
        let loaded = loaded(&[("mcpvals.yaml", project), ("a.yaml", case)]);
        assert_eq!(said(&loaded), [("unknown-key", 1)]);
        assert_eq!(loaded.cases.len(), 1);
        assert_eq!(loaded.project.secrets, ["TOKEN"]);
        assert!(loaded.project.is_broken_server("half"));
    }

    #[test]
    fn beside_a_project_that_hides_secrets_nothing_is_planned() {
        let case = "name: a\nserver: {command: '${NOPE}'}\nsteps: [{id: a, tool: echo, tpyo: 1}]\n";
        for (project, problem) in [("servers: [\n", "yaml-syntax"), ("secrets: {A: b}\n", "wrong-type")] {
            let loaded = loaded(&[("mcpvals.yaml", project), ("a.yaml", case)]);
            assert_eq!(said(&loaded), [(problem, 1), ("unknown-key", 3)]);
            assert_eq!(loaded.cases.len(), 0);
            assert_eq!(loaded.notes, [NO_SECRETS]);
        }
    }

    #[test]
    fn equal_names_in_two_files_are_worth_a_word() {
        let text = "name: a\nsteps: [{id: a, tool: echo}]\n";
        let loaded = loaded(&[("a.yaml", text), ("b.yaml", text)]);
        assert_eq!(said(&loaded), [("repeated-name", 1)]);
        assert_eq!(loaded.diagnostics[0].severity, Severity::Warning);
        assert_eq!(loaded.cases.len(), 2);
    }
}
