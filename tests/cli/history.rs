//! Runs that are recorded, and what can be asked of them later.

use std::{
    fs,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use rusqlite::Connection;
use serde_json::Value;

use crate::harness::{Finished, Sandbox, read_json, simulated};

/// A suite in which `alpha` passes and `beta` fails, recorded once.
fn recorded() -> Sandbox {
    let sandbox = Sandbox::new()
        .file("evals/a.yaml", &simulated("alpha", "x", "x"))
        .file("evals/b.yaml", &simulated("beta", "x", "y"));
    assert_eq!(sandbox.run(&["run", "--db"]).code, 1);
    sandbox
}

/// The same after a change that breaks `alpha`, mends `beta` and adds `gamma`, recorded again.
fn recorded_twice() -> Sandbox {
    let sandbox = recorded()
        .file("evals/a.yaml", &simulated("alpha", "x", "y"))
        .file("evals/b.yaml", &simulated("beta", "x", "x"))
        .file("evals/c.yaml", &simulated("gamma", "x", "x"));
    assert_eq!(sandbox.run(&["run", "--db"]).code, 1);
    sandbox
}

/// Times and the names of folders differ from run to run.
fn steady(sandbox: &Sandbox, text: &str) -> String {
    let folder = sandbox.path(".");
    let folder = folder.canonicalize().expect("it is there");
    let name = folder.file_name().expect("it has a name").to_string_lossy();
    let text = text
        .replace(&*folder.to_string_lossy(), "FOLDER")
        .replace(&*name, "here");
    let time =
        regex::Regex::new(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\(<?\d+(\.\d+)? m?s\)").expect("the pattern compiles");
    time.replace_all(&text, "[time]").into_owned()
}

fn runs(sandbox: &Sandbox, database: &str) -> i64 {
    let database = Connection::open(sandbox.path(database)).expect("it can be opened");
    database
        .query_row("SELECT count(*) FROM run", [], |row| row.get(0))
        .expect("it is a history")
}

#[test]
fn nothing_is_recorded_unless_it_is_asked_for() {
    let sandbox = Sandbox::new().file("evals/a.yaml", &simulated("alpha", "x", "x"));
    assert_eq!(sandbox.run(&["run"]).code, 0);
    assert!(!sandbox.path(".mcp").exists());
    let finished = sandbox.run(&["history"]);
    assert_eq!(finished.code, 3, "{finished:?}");
    assert!(finished.stderr.contains("mcpvals run --db"), "{finished:?}");
    assert!(!sandbox.path(".mcp").exists(), "reading creates nothing");
}

#[test]
fn the_flag_stands_alone_or_names_a_file() {
    for (arguments, file) in [
        (&["run", "--db"][..], ".mcp/evals.db"),
        (&["run", "--db", "--verbose"], ".mcp/evals.db"),
        (&["run", "--db", "a/b.db"], "a/b.db"),
        (&["run", "--db-path=c.db"], "c.db"),
        (&["run", "--db-path", "~/d.db"], "d.db"),
    ] {
        let sandbox = Sandbox::new().file("evals/a.yaml", &simulated("alpha", "x", "x"));
        let finished = sandbox.run(arguments);
        assert_eq!(finished.code, 0, "{arguments:?}: {finished:?}");
        assert_eq!(runs(&sandbox, file), 1, "{arguments:?}");
    }
}

#[test]
fn a_path_that_was_meant_for_fixtures_is_no_history() {
    let sandbox = Sandbox::new().file("evals/a.yaml", &simulated("alpha", "x", "x"));
    for (path, words) in [("evals", "is a folder"), ("evals/a.yaml", "would overwrite")] {
        let finished = sandbox.run(&["run", "--db", path]);
        assert_eq!(finished.code, 2, "{finished:?}");
        assert!(finished.stderr.contains(words), "{finished:?}");
    }
}

#[test]
fn the_project_file_can_ask_for_it() {
    let sandbox = Sandbox::new()
        .file(".git/HEAD", "")
        .file("mcpvals.yaml", "history: { db: kept/runs.db, keep: 2 }\n")
        .file("sub/evals/a.yaml", &simulated("alpha", "x", "x"));
    for _ in 0..3 {
        let finished = sandbox.command(&["run"]).current_dir(sandbox.path("sub")).output();
        assert!(finished.expect("it starts").status.success());
    }
    assert_eq!(
        runs(&sandbox, "kept/runs.db"),
        2,
        "below the folder of the project file, and pruned"
    );
    let finished = Finished::from(
        sandbox
            .command(&["history"])
            .current_dir(sandbox.path("sub"))
            .output()
            .expect("it starts"),
    );
    assert_eq!(finished.stdout.lines().count(), 2, "{finished:?}");
}

#[test]
fn a_list_of_runs_and_a_case_over_time() {
    let sandbox = recorded_twice();
    let list = sandbox.run(&["history"]);
    assert_eq!(list.code, 0, "{list:?}");
    insta::assert_snapshot!("history", steady(&sandbox, &list.stdout));
    let case = sandbox.run(&["history", "--case", "alpha"]);
    insta::assert_snapshot!("history_of_a_case", steady(&sandbox, &case.stdout));
    let newest = sandbox.run(&["history", "--limit", "1", "--format", "json"]);
    let newest: Value = serde_json::from_str(&newest.stdout).expect("it is JSON");
    assert_eq!(newest["runs"].as_array().map(Vec::len), Some(1));
    assert_eq!(newest["runs"][0]["id"], 2);
    assert_eq!(newest["runs"][0]["totals"]["simulated"], 3);
    let results = sandbox.run(&["history", "--case", "alpha", "--format", "json"]);
    let results: Value = serde_json::from_str(&results.stdout).expect("it is JSON");
    assert_eq!(results["results"][0]["status"], "failed");
    assert_eq!(results["results"][1]["mode"], "simulated");
    assert_eq!(sandbox.run(&["history", "--case", "nobody"]).code, 3);
}

#[test]
fn two_runs_are_compared() {
    let sandbox = recorded_twice();
    let there = sandbox.run(&["compare", "1", "2"]);
    assert_eq!(there.code, 1, "{there:?}");
    insta::assert_snapshot!("compare", steady(&sandbox, &there.stdout));
    assert_eq!(sandbox.run(&["compare", "latest~1", "latest"]).stdout, there.stdout);
    assert_eq!(sandbox.run(&["regression-report"]).stdout, there.stdout);
    let same = sandbox.run(&["compare", "1", "1"]);
    assert_eq!(same.code, 0, "what failed before does not regress: {same:?}");
    assert!(same.stdout.ends_with("1 still-failing; 1 unchanged\n"), "{same:?}");
}

#[test]
fn reports_are_compared_without_a_history() {
    let sandbox = Sandbox::new().file("evals/a.yaml", &simulated("alpha", "x", "x"));
    assert_eq!(sandbox.run(&["run", "--json", "old.json"]).code, 0);
    let sandbox = sandbox.file("evals/a.yaml", &simulated("alpha", "x", "y"));
    assert_eq!(sandbox.run(&["run", "--json", "new.json"]).code, 1);
    let finished = sandbox.run(&["compare", "old.json", "new.json"]);
    assert_eq!(finished.code, 1, "{finished:?}");
    assert!(
        finished
            .stdout
            .contains("✗ regressed      evals/a.yaml › alpha (simulation): passed → failed")
    );
    assert_eq!(sandbox.run(&["compare", "new.json", "old.json"]).code, 0);
}

#[test]
fn runs_without_a_common_case_cannot_be_told() {
    let sandbox = recorded();
    assert_eq!(sandbox.run(&["run", "evals/a.yaml", "--db"]).code, 0);
    assert_eq!(sandbox.run(&["run", "evals/b.yaml", "--db"]).code, 1);
    let finished = sandbox.run(&["compare", "2", "3"]);
    assert_eq!(finished.code, 3, "{finished:?}");
    assert!(
        finished.stdout.contains("note: these are runs of two suites"),
        "{finished:?}"
    );
    assert!(finished.stdout.ends_with("2 not-comparable\n"), "{finished:?}");
}

#[test]
fn a_run_that_is_not_there_is_a_usage_error() {
    let sandbox = recorded().file("not.json", "{}");
    for (name, words) in [
        ("7", "there is no run 7"),
        ("latest~1", "no `latest~1`: only 1 run of"),
        ("gone.json", "neither a number, `latest`, nor a file"),
        ("not.json", "is no report of mcpvals"),
    ] {
        let finished = sandbox.run(&["compare", "1", name]);
        assert_eq!(finished.code, 2, "{finished:?}");
        assert!(finished.stderr.contains(words), "{finished:?}");
    }
}

#[test]
fn what_a_part_did_not_run_is_not_removed() {
    let sandbox = recorded();
    assert_eq!(sandbox.run(&["run", "--db", "--filter", "alpha"]).code, 0);
    let finished = sandbox.run(&["compare", "1", "2"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert!(
        finished.stdout.contains("? not-comparable evals/b.yaml › beta"),
        "{finished:?}"
    );
    let finished = sandbox.run(&["regression-report"]);
    assert_eq!(finished.code, 3, "a part is no run of the whole: {finished:?}");
    assert!(finished.stderr.contains("only one run of"), "{finished:?}");
}

#[test]
fn runs_of_other_folders_are_not_mixed_in() {
    let sandbox = Sandbox::new();
    let run = |folder: &str, output: &str, arguments: &[&str]| {
        let file = sandbox.path(&format!("{folder}/evals/a.yaml"));
        fs::create_dir_all(file.parent().expect("it has a folder")).expect("it can be made");
        fs::write(file, simulated("alpha", output, "x")).expect("it can be written");
        let output = sandbox.command(arguments).current_dir(sandbox.path(folder)).output();
        Finished::from(output.expect("it starts"))
    };
    run("one", "x", &["run", "--db"]);
    run("two", "y", &["run", "--db"]);
    assert_eq!(run("one", "x", &["gate", "--min-pass-rate", "1"]).code, 0);
    assert_eq!(run("two", "x", &["gate", "--min-pass-rate", "1"]).code, 1);
    assert_eq!(
        run("two", "x", &["gate", "--min-pass-rate", "1", "--suite", "one/"]).code,
        0
    );
    let elsewhere = run("three", "x", &["gate", "--min-pass-rate", "1"]);
    assert_eq!(elsewhere.code, 2, "{elsewhere:?}");
    assert!(elsewhere.stderr.contains("`one/evals`"), "{elsewhere:?}");
}

#[test]
fn the_gate_looks_at_the_last_runs_of_a_suite() {
    let sandbox = recorded_twice();
    let finished = sandbox.run(&["gate", "--min-pass-rate", "0.6"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    insta::assert_snapshot!("gate", steady(&sandbox, &finished.stdout));
    assert_eq!(sandbox.run(&["gate", "--min-pass-rate", "61%"]).code, 1);
    assert_eq!(
        sandbox.run(&["gate", "--min-pass-rate", "61%", "--lookback", "1"]).code,
        0
    );
    let unknown = sandbox.run(&["gate", "--min-pass-rate", "0", "--suite", "nobody"]);
    assert_eq!(unknown.code, 3, "no runs is no failure: {unknown:?}");
    assert!(unknown.stderr.contains("no run of a suite `nobody`"), "{unknown:?}");
}

#[test]
fn skipped_cases_do_not_count_for_the_gate() {
    let sandbox = Sandbox::new().file("evals/a.yaml", &simulated("alpha", "x", "x")).file(
        "evals/b.yaml",
        &format!("skip: not today\n{}", simulated("beta", "x", "y")),
    );
    assert_eq!(sandbox.run(&["run", "--db"]).code, 0);
    assert_eq!(sandbox.run(&["gate", "--min-pass-rate", "100%"]).code, 0);
    fs::remove_file(sandbox.path("evals/a.yaml")).expect("it was there");
    assert_eq!(sandbox.run(&["run", "--db"]).code, 3);
    let finished = sandbox.run(&["gate", "--min-pass-rate", "0", "--lookback", "1"]);
    assert_eq!(finished.code, 3, "{finished:?}");
    assert!(finished.stderr.contains("nothing ran"), "{finished:?}");
}

#[test]
fn everything_is_exported() {
    let sandbox = recorded_twice();
    let finished = sandbox.run(&["history", "export", "--output", "runs.json"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    let all = read_json(&sandbox.path("runs.json"));
    assert_eq!(all["schema"], "mcpvals.history/v1");
    assert_eq!(all["runs"][1]["run"]["id"], 1);
    let beta = &all["runs"][1]["cases"][1];
    assert_eq!(
        (&beta["id"], &beta["status"]),
        (&"evals/b.yaml › beta".into(), &"failed".into())
    );
    assert_eq!(beta["fixture_hash"].as_str().map(str::len), Some(64));
    assert_eq!(beta["steps"][0]["outcomes"][0]["assertion"], "output_contains");
    let printed = sandbox.run(&["history", "export"]).stdout;
    assert_eq!(serde_json::from_str::<Value>(&printed).expect("it is JSON"), all);
    let over = sandbox.run(&["history", "export", "--output", ".mcp/evals.db"]);
    assert_eq!(over.code, 2, "{over:?}");
}

#[test]
fn a_fixture_is_known_by_its_text_however_it_is_named() {
    let sandbox = Sandbox::new().file("evals/a.yaml", &simulated("alpha", "x", "x"));
    let absolute = sandbox.path("evals");
    let absolute = absolute.to_str().expect("it is text");
    for path in ["evals", "./evals/", "~/evals/a.yaml", absolute] {
        assert_eq!(sandbox.run(&["run", path, "--db"]).code, 0, "{path}");
    }
    let all = sandbox.run(&["history", "export"]).stdout;
    let all: Value = serde_json::from_str(&all).expect("it is JSON");
    let hashes: Vec<&Value> = (0..4)
        .map(|run| &all["runs"][run]["cases"][0]["fixture_hash"])
        .collect();
    assert!(hashes[0].is_string(), "{hashes:?}");
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

#[test]
fn commit_and_branch_are_those_of_ci_or_of_git() {
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let checkout = |sandbox: Sandbox| {
        let sandbox = sandbox.file("evals/a.yaml", &simulated("alpha", "x", "x"));
        sandbox.run(&["run", "--db"]);
        let listed = sandbox.run(&["history", "--format", "json"]).stdout;
        let listed: Value = serde_json::from_str(&listed).expect("it is JSON");
        (listed["runs"][0]["commit"].clone(), listed["runs"][0]["branch"].clone())
    };
    let of_git = Sandbox::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file(".git/refs/heads/main", &format!("{commit}\n"));
    assert_eq!(checkout(of_git), (commit.into(), "main".into()));
    let of_ci = Sandbox::new()
        .variable("GITHUB_SHA", "abc")
        .variable("GITHUB_HEAD_REF", "feature")
        .variable("GITHUB_REF_NAME", "7/merge");
    assert_eq!(checkout(of_ci), ("abc".into(), "feature".into()));
}

#[test]
fn an_audit_log_has_one_line_a_run() {
    let sandbox = Sandbox::new()
        .file("evals/a.yaml", &simulated("alpha", "x", "x"))
        .file("evals/b.yaml", &simulated("beta", "x", "y"))
        .variable("GITHUB_SHA", "abc");
    sandbox.run(&["run", "--audit-log", "logs/audit.jsonl"]);
    sandbox.run(&["run", "--audit-log", "logs/audit.jsonl", "--filter", "alpha"]);
    let log = sandbox.read("logs/audit.jsonl");
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    let [whole, part] = &lines[..] else {
        panic!("two runs are two lines: {log}")
    };
    assert_eq!(whole["schema"], "mcpvals.audit/v1");
    assert_eq!((&whole["exit_code"], &part["exit_code"]), (&1.into(), &0.into()));
    assert_eq!(whole["commit"], "abc");
    assert_eq!(part["selection"]["narrowed_by"][0], "--filter alpha");
    assert!(!sandbox.path(".mcp").exists(), "a log is no history");
}

#[test]
fn what_cannot_be_kept_is_told_and_opens_no_gate() {
    let sandbox = Sandbox::new()
        .file("evals/a.yaml", &simulated("alpha", "x", "x"))
        .file("evals/b.yaml", &simulated("beta", "x", "y"))
        .file("notes.db", "milk, two bottles\n");
    let finished = sandbox.run(&["run", "--db", "notes.db", "--filter", "alpha"]);
    assert_eq!(
        finished.code, 3,
        "as for a report that could not be written: {finished:?}"
    );
    assert!(
        finished.stdout.contains("1 case passed"),
        "the report comes first: {finished:?}"
    );
    assert!(finished.stderr.contains("no SQLite database"), "{finished:?}");
    assert_eq!(
        sandbox.read("notes.db"),
        "milk, two bottles\n",
        "it is never overwritten"
    );
    let finished = sandbox.run(&["run", "--db", "notes.db"]);
    assert_eq!(finished.code, 1, "a closed gate stays closed: {finished:?}");
    for (path, words) in [
        ("/proc/runs.db", "could not be opened"),
        ("notes.db/runs.db", "could not be made"),
    ] {
        let finished = sandbox.run(&["run", "--filter", "alpha", "--db", path]);
        assert_eq!(finished.code, 3, "{finished:?}");
        assert!(finished.stderr.contains(words), "{finished:?}");
    }
    let finished = sandbox.run(&["run", "--filter", "alpha", "--audit-log", "/dev/full"]);
    assert_eq!(finished.code, 3, "{finished:?}");
    assert!(finished.stderr.contains("the audit log `/dev/full`"), "{finished:?}");
    assert_eq!(sandbox.run(&["run", "--audit-log", "-"]).code, 2);
    assert_eq!(sandbox.run(&["run", "--audit-log", "same", "--json", "./same"]).code, 2);
}

fn start(sandbox: &Sandbox, arguments: &[&str]) -> Child {
    let mut command = sandbox.command(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the binary starts")
}

#[test]
fn processes_that_record_at_the_same_time_lose_nothing() {
    let sandbox = Sandbox::new().file("evals/a.yaml", &simulated("alpha", "x", "x"));
    let arguments = ["run", "--db", "runs.db", "--audit-log", "audit.jsonl"];
    let children: Vec<Child> = (0..8).map(|_| start(&sandbox, &arguments)).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    assert_eq!(runs(&sandbox, "runs.db"), 8);
    let log = sandbox.read("audit.jsonl");
    assert_eq!(
        log.lines()
            .filter(|line| serde_json::from_str::<Value>(line).is_ok())
            .count(),
        8,
        "{log}"
    );
}

/// More than SQLite holds in memory, so that the write of it can be seen under way in the file beside the database.
fn large() -> Sandbox {
    let output = "x".repeat(15_000);
    let mut sandbox = Sandbox::new().file("small/a.yaml", &simulated("alpha", "x", "x"));
    for number in 0..400 {
        let case = simulated(&format!("case {number}"), &output, "x");
        sandbox = sandbox.file(&format!("large/{number}.yaml"), &case);
    }
    sandbox
}

#[test]
fn a_process_killed_while_it_writes_loses_no_committed_run() {
    let sandbox = large();
    assert_eq!(sandbox.run(&["run", "small", "--db", "runs.db"]).code, 0);
    let log = sandbox.path("runs.db-wal");
    let is_writing = || fs::metadata(&log).is_ok_and(|log| log.len() > 1_000_000);
    let mut killed = 0;
    for _ in 0..20 {
        let mut child = start(&sandbox, &["run", "large", "--db", "runs.db"]);
        let limit = Instant::now() + Duration::from_mins(1);
        while !is_writing() && child.try_wait().expect("it can be asked").is_none() {
            assert!(Instant::now() < limit, "it never wrote");
            std::thread::yield_now();
        }
        child.kill().expect("it can be killed");
        let was_killed = child.wait().expect("it ends").code().is_none();
        let database = Connection::open(sandbox.path("runs.db")).expect("it can be opened");
        let check: String = database
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .expect("it answers");
        assert_eq!(check, "ok");
        let halves = "SELECT count(*) FROM run WHERE cases <> (SELECT count(*) FROM run_case WHERE run = run.id)";
        let halves: i64 = database.query_row(halves, [], |row| row.get(0)).expect("it answers");
        assert_eq!(halves, 0, "a run is there as a whole or not at all");
        killed += i32::from(was_killed);
        if killed == 3 {
            break;
        }
    }
    assert!(killed > 0, "no process was killed while it wrote");
    let before = runs(&sandbox, "runs.db");
    assert!(before >= 1, "the committed run is there");
    assert_eq!(sandbox.run(&["run", "small", "--db", "runs.db"]).code, 0);
    assert_eq!(runs(&sandbox, "runs.db"), before + 1);
}
