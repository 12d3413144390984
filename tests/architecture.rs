//! The house rules that no compiler checks: layers, homes, pure stages, sizes and names.

#[path = "architecture/source.rs"]
mod source;

use std::path::Path;

use source::{Module, modules};

/// The layers from the lowest to the highest. A module may use those of lower layers, and none of its own.
const LAYERS: &[&[&str]] = &[
    &["source", "text"],
    &["model"],
    &["schema", "discover", "parse", "mcp", "demo", "github"],
    &["judge", "baseline", "history"],
    &["plan"],
    &["run"],
    &["compare"],
    &["report"],
    &["pipeline"],
    &["cli"],
    &["main"],
];

/// Neighbours in a layer that may see each other: (who, whom).
const NEIGHBOURS: &[(&str, &str)] = &[("source", "text")];

/// Third-party crates and the only places that know them.
const HOMES: &[(&str, &[&str])] = &[
    ("annotate_snippets", &["source/render"]),
    ("anstyle", &["report/style"]),
    ("axum", &["demo"]),
    ("base64", &["run", "report/html"]),
    ("chrono", &["schema", "report/junit", "report/html", "cli/against"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("fancy_regex", &["judge/pattern"]),
    ("globset", &["discover", "parse/globs", "parse/project"]),
    ("granit_parser", &["parse"]),
    ("hyper", &["mcp/transport/http"]),
    ("ignore", &["discover"]),
    ("indicatif", &["report/console"]),
    ("jsonschema", &["judge"]),
    ("nix", &["cli/signals", "mcp/process"]),
    ("octocrab", &["github/client"]),
    ("percent_encoding", &["plan/passwords"]),
    ("quick_junit", &["report/junit"]),
    (
        "regex",
        &[
            "judge/pattern",
            "mcp/transport/http",
            "plan/select",
            "plan/written",
            "run/redact",
            "compare/normal",
        ],
    ),
    ("reqwest", &["mcp/transport/http", "github"]),
    ("rmcp", &["demo"]),
    ("rusqlite", &["history"]),
    ("rustls", &["mcp/transport/http", "github/client", "cli/start"]),
    ("schemars", &["schema", "demo"]),
    ("sha2", &["text/digest"]),
    ("similar", &["text/diff"]),
    ("tokio_util", &["cli", "run/stop"]),
    ("tracing_subscriber", &["cli/start"]),
    ("unicode_normalization", &["text/appearance"]),
    ("url", &["plan/unsendable"]),
    ("zip", &["github/archive"]),
];

/// Third-party crates that may be known everywhere.
const EVERYWHERE: &[&str] = &["bytes", "serde", "serde_json", "thiserror", "tokio", "tracing"];

/// What only some places may do, with the words that give it away.
const PRIVILEGES: &[(&str, &[&str], &[&str])] = &[
    ("reads the environment", &["env::var", "env::vars"], &["cli"]),
    ("prints", &["println!", "eprintln!", "print!", "eprint!"], &["cli"]),
    ("ends the process", &["process::exit"], &["main", "demo/trouble"]),
];

/// Stages that take values and return values.
const PURE: &[&str] = &[
    "source", "text", "model", "schema", "parse", "judge", "compare", "report",
];

/// The words of files, clocks, processes and networks.
const IMPURE_WORDS: &[&str] = &[
    "fs::",
    "tokio::",
    "SystemTime::now",
    "Instant::now",
    "process::Command",
    "net::Tcp",
];

/// Names that say nothing.
const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "helper", "common", "types", "imp", "misc"];

const LONGEST_FILE: usize = 500;

/// A table of contents has no logic; its registries may have a look-up of a few lines.
const LONGEST_FUNCTION_IN_MOD_RS: usize = 15;

#[test]
fn layers_are_one_directional() {
    check(|module| {
        let Some(layer) = layer(module.top()) else {
            return vec![format!("`{}` has no layer: give it one in LAYERS", module.top())];
        };
        let mut problems = Vec::new();
        if module.climbs_to_the_root() {
            problems.push("reaches the crate's root by `super::`: write `crate::`".to_owned());
        }
        let used = module.uses_of_crate();
        let wrong = used.iter().filter(|used| !may_use(module.top(), layer, used));
        problems.extend(wrong.map(|used| format!("`{}` must not use `{used}`", module.top())));
        problems
    });
}

#[test]
fn third_party_crates_stay_at_home() {
    check(|module| {
        let strays = HOMES
            .iter()
            .filter(|(name, homes)| module.mentions(&format!("{name}::")) && !module.is_in(homes));
        strays
            .map(|(name, homes)| format!("`{name}` lives in {homes:?}"))
            .collect()
    });
}

#[test]
fn every_dependency_has_a_home() {
    let manifest = include_str!("../Cargo.toml");
    let dependencies = manifest
        .split("[dependencies]")
        .nth(1)
        .and_then(|rest| rest.split("\n[").next());
    let names = dependencies
        .expect("there are dependencies")
        .lines()
        .filter_map(|line| line.split_once(" ="));
    let names: Vec<String> = names.map(|(name, _)| name.replace('-', "_")).collect();
    let is_known = |name: &str| HOMES.iter().any(|(home, _)| *home == name) || EVERYWHERE.contains(&name);
    let homeless: Vec<&String> = names.iter().filter(|name| !is_known(name)).collect();
    assert!(homeless.is_empty(), "give them a home in HOMES: {homeless:?}");
    let gone: Vec<&str> = HOMES
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| !names.iter().any(|it| it == name))
        .collect();
    assert!(gone.is_empty(), "no dependency any more: {gone:?}");
}

#[test]
fn privileges_are_kept() {
    check(|module| {
        let mut problems = Vec::new();
        for (deed, words, places) in PRIVILEGES {
            if !module.is_in(places) && words.iter().any(|word| module.mentions(word)) {
                problems.push(format!("{deed}, which is for {places:?} only"));
            }
        }
        if module.is_in(PURE) {
            let impure = IMPURE_WORDS.iter().filter(|word| module.mentions(word));
            problems.extend(impure.map(|word| format!("`{word}` in a pure stage")));
        }
        problems
    });
}

#[test]
fn files_are_introduced_short_and_well_named() {
    check(|module| {
        let mut problems = Vec::new();
        if !module.text.starts_with("//! ") {
            problems.push("does not open with a `//!` sentence".to_owned());
        }
        let lines = module.text.lines().count();
        if lines > LONGEST_FILE {
            problems.push(format!("has {lines} lines, more than {LONGEST_FILE}"));
        }
        let names = module.path.split('/').filter(|name| EMPTY_NAMES.contains(name));
        problems.extend(names.map(|name| format!("`{name}` says nothing: name what it is")));
        problems
    });
}

#[test]
fn mod_files_are_tables_of_contents() {
    check(|module| {
        if !module.is_mod_file {
            return Vec::new();
        }
        let long = module
            .functions()
            .into_iter()
            .filter(|(_, lines)| *lines > LONGEST_FUNCTION_IN_MOD_RS);
        long.map(|(name, lines)| format!("`{name}` has {lines} lines: a mod.rs has no logic"))
            .collect()
    });
}

#[test]
fn the_library_root_defines_nothing() {
    let root = modules()
        .iter()
        .find(|module| module.path == "lib")
        .expect("src/lib.rs");
    for word in ["fn ", "struct ", "enum ", "trait ", "impl ", "const ", "static "] {
        assert!(
            !root.code.lines().any(|line| line.contains(word)),
            "src/lib.rs defines something: `{word}`"
        );
    }
}

/// Applies a rule to every module and shows all that is wrong at once.
fn check(rule: impl Fn(&Module) -> Vec<String>) {
    let modules = modules();
    assert!(modules.len() > 20, "the sources were not found");
    let problems: Vec<String> = modules
        .iter()
        .filter(|module| module.path != "lib")
        .flat_map(|module| {
            rule(module)
                .into_iter()
                .map(|problem| format!("src/{}: {problem}", module.file))
        })
        .collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

fn layer(top: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&top))
}

fn may_use(top: &str, own: usize, used: &str) -> bool {
    used == top || NEIGHBOURS.contains(&(top, used)) || layer(used).is_some_and(|layer| layer < own)
}

#[test]
fn the_rules_tell_up_from_down() {
    let judge = layer("judge").expect("it has a layer");
    assert!(may_use("judge", judge, "model"));
    assert!(may_use("judge", judge, "judge"));
    assert!(!may_use("judge", judge, "run"));
    assert!(!may_use("judge", judge, "unheard_of"));
    let parse = layer("parse").expect("it has a layer");
    assert!(!may_use("parse", parse, "mcp"));
}

/// Recipes rot when files move: every path that CONTRIBUTING.md names without a placeholder must exist.
#[test]
fn the_recipes_name_files_that_exist() {
    let recipes = include_str!("../CONTRIBUTING.md");
    let paths = recipes.split('`').skip(1).step_by(2);
    let rooted = paths.filter(|path| path.starts_with("src/") || path.starts_with("tests/") || path.starts_with('.'));
    let missing: Vec<&str> = rooted
        .filter(|path| !path.contains('<') && !Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists())
        .collect();
    assert!(
        missing.is_empty(),
        "CONTRIBUTING.md names what is not there: {missing:?}"
    );
}
