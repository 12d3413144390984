//! Filters, tags, shards, and running again what failed.

use crate::harness::{Sandbox, simulated, statuses};

fn sandbox() -> Sandbox {
    Sandbox::new()
        .file(
            "evals/a.yaml",
            &format!("tags: [fast]\n{}", simulated("alpha", "x", "x")),
        )
        .file(
            "evals/sub/b.yaml",
            &format!("tags: [slow, io]\n{}", simulated("beta", "x", "y")),
        )
        .file("evals/sub/c.yml", &simulated("gamma", "x", "x"))
}

fn names(arguments: &[&str]) -> Vec<String> {
    let (_, report) = sandbox().report(arguments);
    statuses(&report).into_iter().map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn filters_look_at_file_and_name() {
    assert_eq!(names(&["--filter", "sub/"]), ["beta", "gamma"]);
    assert_eq!(names(&["--filter", "/^evals.a/"]), ["alpha"]);
}

#[test]
fn tags_are_alternatives() {
    assert_eq!(names(&["--tag", "fast", "--tag", "io"]), ["alpha", "beta"]);
}

#[test]
fn a_tag_that_no_case_has_is_told_with_those_there_are() {
    for command in ["run", "list"] {
        let finished = sandbox().run(&[command, "--tag", "fats"]);
        assert_eq!(finished.code, 3, "{command}: {finished:?}");
        assert!(finished.stderr.contains("no case has the tag `fats`"), "{finished:?}");
        assert!(finished.stderr.contains("did you mean `fast`?"), "{finished:?}");
    }
    let listed = sandbox().run(&["list", "--tag", "io"]);
    assert_eq!((listed.code, listed.stderr.as_str()), (0, ""), "{listed:?}");
    assert!(
        listed.stdout.contains("beta — 1 step [slow, io] (simulation)"),
        "{listed:?}"
    );
}

#[test]
fn what_discovery_leaves_out_of_a_named_folder_is_said() {
    let sandbox = sandbox().file("mcpvals.yaml", "discovery: { include: ['**/*.yaml'] }\n");
    let said = "1 file left out by `discovery`";
    let named = sandbox.run(&["run", "evals/sub"]);
    assert!(named.stdout.contains(said), "{named:?}");
    let default = sandbox.run(&["run"]);
    assert!(!default.stdout.contains(said), "{default:?}");
}

#[test]
fn fixtures_left_out_because_of_a_gitignore_are_said_in_one_line() {
    let sandbox = sandbox().file(".gitignore", "sub/*.yaml\n").file(".git/HEAD", "");
    let sandbox = sandbox
        .file("evals/.gitignore", "c.yml\n*.json\n")
        .file("evals/data.json", "{}");
    let said =
        "1 file that looks like a fixture is left out because of a `.gitignore`: `evals/sub/c.yml`; name it to run it";
    let (_, report) = sandbox.report(&[]);
    assert_eq!(report["notes"], serde_json::json!([said]));
    for command in ["list", "validate"] {
        let finished = sandbox.run(&[command]);
        assert_eq!(finished.stderr, format!("mcpvals: note: {said}\n"), "{finished:?}");
    }
    let named = sandbox.run(&["list", "evals", "evals/sub/c.yml"]);
    assert_eq!(named.stderr, "", "{named:?}");
}

#[test]
fn the_project_file_and_a_report_are_no_fixtures() {
    let sandbox = sandbox().file("mcpvals.yaml", "version: 2\n");
    sandbox.report(&[]);
    for (path, said) in [
        ("mcpvals.yaml", "is the project file, not a fixture"),
        ("report.json", "is a report, not a fixture"),
    ] {
        for command in ["run", "validate"] {
            let finished = sandbox.run(&[command, path]);
            assert_eq!(finished.code, 2, "{command} {path}: {finished:?}");
            assert!(finished.stderr.contains(said), "{command} {path}: {finished:?}");
            assert_eq!(finished.stderr.matches("error[").count(), 1, "{finished:?}");
        }
    }
}

#[test]
fn numbers_and_times_that_are_none_are_told_with_what_to_write() {
    for (arguments, said) in [
        (["-j", "0"], "write a number from 1 to 256"),
        (["-j", "257"], "write a number from 1 to 256"),
        (["-j", "all"], "write a number from 1 to 256"),
        (["--max-time", "90"], "it has no unit; write 90s, 5m or 1h"),
    ] {
        let finished = sandbox().run(&["run", arguments[0], arguments[1]]);
        assert_eq!(finished.code, 2, "{arguments:?}: {finished:?}");
        assert!(finished.stderr.contains(said), "{arguments:?}: {finished:?}");
    }
}

#[test]
fn shards_together_run_every_case_once() {
    let mut all: Vec<String> = ["1/2", "2/2"]
        .iter()
        .flat_map(|shard| names(&["--shard", shard]))
        .collect();
    all.sort();
    assert_eq!(all, ["alpha", "beta", "gamma"]);
}

#[test]
fn the_flags_of_mcp_eval_runner_keep_their_meaning() {
    for flag in ["--fixtures", "--fixtures-dir"] {
        let arguments = [
            flag,
            "evals/sub",
            "--timeout",
            "1000",
            "--concurrency",
            "4",
            "--format",
            "json",
        ];
        let (finished, report) = sandbox().report(&arguments);
        assert_eq!(statuses(&report), [("beta", "failed"), ("gamma", "passed")]);
        let printed: serde_json::Value = serde_json::from_str(&finished.stdout).expect("stdout is JSON alone");
        assert_eq!(printed["schema"], "mcpvals.report/v1");
    }
}

#[test]
fn a_tilde_is_the_home_folder() {
    let (finished, report) = sandbox().report(&["--fixtures=~/evals/a.yaml"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert_eq!(statuses(&report), [("alpha", "passed")]);
}

#[test]
fn a_tilde_is_the_home_folder_wherever_a_file_is_named() {
    let sandbox = sandbox().file("other.yaml", "server: x\n");
    for command in ["run", "list", "validate"] {
        let finished = sandbox.run(&[command, "--project=~/other.yaml"]);
        assert!(
            finished.stderr.contains("did you mean `servers`?"),
            "{command}: {finished:?}"
        );
    }
    let sandbox = sandbox.file("earlier.json", "{\"cases\": []}");
    let (finished, _) = sandbox.report(&["--rerun-failed=~/earlier.json"]);
    assert_eq!(finished.code, 3, "there is nothing to run: {finished:?}");
}

#[test]
fn an_empty_folder_is_no_success() {
    let sandbox = Sandbox::new().file("evals/readme.md", "");
    for command in ["list", "validate"] {
        let finished = sandbox.run(&[command]);
        assert_eq!(finished.code, 3, "{command}: {finished:?}");
        assert!(
            finished.stderr.contains("no fixture was found"),
            "{command}: {finished:?}"
        );
        assert!(!finished.stdout.contains('✓'), "{command}: {finished:?}");
    }
}

#[test]
fn reports_overwrite_nothing_that_is_read() {
    let sandbox = sandbox().file("mcpvals.yaml", "version: 2\n");
    for arguments in [
        ["--json", "mcpvals.yaml", "--junit", "j.xml"],
        ["--json", "evals/../evals/a.yaml", "--junit", "j.xml"],
        ["--json", "same", "--junit", "./same"],
        ["--json", "evals/same", "--junit", "evals/sub/../same"],
    ] {
        let finished = sandbox.run(&[&["run"], arguments.as_slice()].concat());
        assert_eq!(finished.code, 2, "{arguments:?}: {finished:?}");
    }
    assert_eq!(sandbox.read("mcpvals.yaml"), "version: 2\n");
}

#[test]
fn a_case_that_is_gone_is_not_run_again() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["run"]).code, 1);
    std::fs::remove_file(sandbox.path("evals/sub/b.yaml")).expect("it was there");
    assert_eq!(sandbox.run(&["run", "evals/a.yaml"]).code, 0);
    let sandbox = sandbox.file("evals/sub/b.yaml", &simulated("beta", "x", "y"));
    let (_, report) = sandbox.report(&["--rerun-failed"]);
    assert_eq!(
        statuses(&report),
        [("beta", "failed")],
        "a part of the files forgets nothing"
    );
    std::fs::remove_file(sandbox.path("evals/sub/b.yaml")).expect("it was there");
    assert_eq!(sandbox.run(&["run"]).code, 0);
    let sandbox = sandbox.file("evals/sub/b.yaml", &simulated("beta", "x", "y"));
    assert_eq!(
        sandbox.run(&["run", "--rerun-failed"]).code,
        3,
        "it is another case by now"
    );
}

#[test]
fn a_failed_case_that_is_gone_is_named() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["run"]).code, 1);
    let sandbox = sandbox.file("evals/sub/b.yaml", &simulated("beta two", "x", "y"));
    let (finished, report) = sandbox.report(&["--rerun-failed"]);
    assert_eq!(finished.code, 3, "{finished:?}");
    let said = "1 case that did not pass last time is not found any more: evals/sub/b.yaml › beta";
    assert_eq!(report["notes"], serde_json::json!([said]));
    let listed = sandbox.run(&["list", "--rerun-failed", "evals/sub"]);
    assert!(listed.stderr.contains(said), "{listed:?}");
    let elsewhere = sandbox.run(&["list", "--rerun-failed", "evals/a.yaml"]);
    assert!(
        !elsewhere.stderr.contains("not found"),
        "it was not looked for there: {elsewhere:?}"
    );
    std::fs::remove_file(sandbox.path("evals/sub/b.yaml")).expect("it was there");
    let removed = sandbox.run(&["list", "--rerun-failed", "evals/a.yaml"]);
    assert!(removed.stderr.contains(said), "{removed:?}");
}

#[test]
fn a_file_that_could_not_be_used_is_run_again_once_it_is_repaired() {
    let sandbox = sandbox().file("evals/sub/c.yml", "name: gamma\nsteps: [\n");
    let (finished, _) = sandbox.report(&[]);
    assert_eq!(finished.code, 2, "{finished:?}");
    let kept = sandbox.read("report.json");
    let sandbox = sandbox
        .file("earlier.json", &kept)
        .file("evals/sub/c.yml", &simulated("delta", "x", "x"));
    for flag in ["--rerun-failed", "--rerun-failed=earlier.json"] {
        let (_, report) = sandbox.report(&[flag]);
        assert_eq!(statuses(&report), [("beta", "failed"), ("delta", "passed")], "{flag}");
    }
    let (_, report) = sandbox.report(&["--rerun-failed"]);
    assert_eq!(statuses(&report), [("beta", "failed")], "it passed");
}

#[test]
fn a_broken_project_file_makes_nobody_forget_what_failed() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["run"]).code, 1);
    let sandbox = sandbox.file("mcpvals.yaml", "secrets: [\n");
    assert_eq!(sandbox.run(&["run"]).code, 2);
    let sandbox = sandbox.file("mcpvals.yaml", "version: 2\n");
    let (_, report) = sandbox.report(&["--rerun-failed"]);
    assert_eq!(statuses(&report), [("beta", "failed")]);
}

#[test]
fn what_failed_is_run_again_until_it_passes() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["run"]).code, 1);
    let (_, report) = sandbox.report(&["--rerun-failed"]);
    assert_eq!(statuses(&report), [("beta", "failed")]);
    let sandbox = sandbox.file("evals/sub/b.yaml", &simulated("beta", "y", "y"));
    assert_eq!(sandbox.run(&["run", "--rerun-failed"]).code, 0);
    let (finished, _) = sandbox.report(&["--rerun-failed"]);
    assert_eq!(finished.code, 3, "nothing is left to run: {finished:?}");
}

#[test]
fn a_report_tells_what_to_run_again() {
    let sandbox = sandbox();
    let (_, _) = sandbox.report(&[]);
    let kept = sandbox.read("report.json");
    let sandbox = sandbox.file("earlier.json", &kept);
    let (_, report) = sandbox.report(&["--rerun-failed=earlier.json"]);
    assert_eq!(statuses(&report), [("beta", "failed")]);
}

#[test]
fn list_shows_what_would_run() {
    let finished = sandbox().run(&["list", "--filter", "alpha"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert!(
        finished
            .stdout
            .contains("evals/a.yaml › alpha — 1 step [fast] (simulation)"),
        "{}",
        finished.stdout
    );
    assert!(finished.stdout.ends_with("1 of 3 cases\n"), "{}", finished.stdout);
    let json = sandbox().run(&["list", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("stdout is JSON");
    assert_eq!(json["cases"][1]["steps"][0]["tool"], "t");
}
