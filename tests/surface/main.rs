//! Every rule about a server's surface has a pair of surfaces that it finds: `tests/surface/<rule>/{old,new}.json`.

mod mirrors;
mod spellings;

use std::{collections::BTreeSet, fs, path::PathBuf};

use mcpvals::{
    compare::surface::{Used, rule, rules, surface_changes},
    model::{ChangeClass, Surface, SurfaceChange},
    schema::v1::SurfaceFile,
};
use serde_json::{Value, json};

use mirrors::MIRRORS;

/// One pair.
struct Pair {
    rule: String,
    old: Surface,
    new: Surface,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/surface")
}

fn read(rule: &str, side: &str) -> Surface {
    let path = folder().join(rule).join(side);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    SurfaceFile::read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn pair(rule: &str) -> Pair {
    Pair {
        rule: rule.to_owned(),
        old: read(rule, "old.json"),
        new: read(rule, "new.json"),
    }
}

fn pairs() -> Vec<Pair> {
    let entries = fs::read_dir(folder())
        .expect("the folder is there")
        .map(|it| it.expect("it can be read"));
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().join("old.json").exists())
        .map(|entry| entry.file_name().into_string().expect("a rule's id"))
        .collect();
    names.sort();
    names.iter().map(|name| pair(name)).collect()
}

fn found(changes: &[SurfaceChange]) -> Vec<(&str, ChangeClass)> {
    changes.iter().map(|it| (it.rule.as_ref(), it.class)).collect()
}

#[test]
fn every_rule_has_a_pair_that_it_finds_with_its_class() {
    let pairs = pairs();
    let names: BTreeSet<&str> = pairs.iter().map(|pair| pair.rule.as_str()).collect();
    let ids: BTreeSet<&str> = rules().map(|rule| rule.id).collect();
    assert_eq!(names, ids, "each rule has a folder, and each folder a rule");
    let mut problems = Vec::new();
    for Pair { rule: id, old, new } in &pairs {
        let changes = surface_changes(old, new, &[]);
        let rule = rule(id).expect("it is in the registry");
        let own = changes.iter().find(|it| it.rule == *id);
        if own.is_none_or(|it| it.class != rule.class || it.is_model_visible != rule.is_model_visible) {
            problems.push(format!("{id}: {:?}", found(&changes)));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_pair_gives_its_rule_and_no_more_than_belongs_to_it() {
    let lines: Vec<String> = pairs()
        .iter()
        .map(|Pair { rule, old, new }| {
            let changes = surface_changes(old, new, &[]);
            let lines = changes.iter().map(|it| {
                let witness = it
                    .witness
                    .as_ref()
                    .map_or(String::new(), |it| format!(" | {}", it.value));
                format!(
                    "  {} {} | {} {} | {}{witness}",
                    it.class.word(),
                    it.rule,
                    it.subject,
                    it.path,
                    it.message
                )
            });
            format!("{rule}\n{}", lines.collect::<Vec<_>>().join("\n"))
        })
        .collect();
    insta::assert_snapshot!("all_pairs", lines.join("\n"));
}

#[test]
fn swapping_the_sides_gives_the_mirror() {
    let mut problems = Vec::new();
    for (one, other) in MIRRORS {
        for (id, mirror) in [(one, other), (other, one)] {
            let Pair { old, new, .. } = pair(id);
            let changes = surface_changes(&new, &old, &[]);
            if !changes.iter().any(|it| it.rule == *mirror) {
                problems.push(format!("{id} swapped is no {mirror}: {:?}", found(&changes)));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_surface_against_itself_gives_nothing() {
    for Pair { rule, old, new } in pairs() {
        for surface in [old, new] {
            assert_eq!(surface_changes(&surface, &surface, &[]), [], "{rule}");
            assert_eq!(
                surface_changes(&surface, &reordered(&surface), &[]),
                [],
                "{rule}, in another order"
            );
        }
    }
}

#[test]
fn every_fingerprint_is_the_same_in_every_run_and_none_is_shared() {
    for Pair { rule, old, new } in pairs() {
        let changes = surface_changes(&old, &new, &[]);
        assert_eq!(changes, surface_changes(&old, &new, &[]), "{rule}");
        let prints: BTreeSet<&str> = changes.iter().map(|it| it.fingerprint.as_str()).collect();
        assert_eq!(prints.len(), changes.len(), "{rule}");
        assert!(prints.iter().all(|it| it.len() == 12), "{rule}");
    }
}

#[test]
fn breaking_input_changes_have_a_witness() {
    // A rename is a guess, a composition at the root breaks no argument.
    let without = ["in-property-renamed", "in-root-composition-introduced"];
    for Pair { rule: id, old, new } in pairs() {
        if !id.starts_with("in-") || rule(&id).expect("it is known").class != ChangeClass::Breaking {
            continue;
        }
        let changes = surface_changes(&old, &new, &[]);
        let own = changes.iter().find(|it| it.rule == *id).expect("it is found");
        assert_eq!(own.witness.is_none(), without.contains(&id.as_str()), "{id}: {own:?}");
    }
}

#[test]
fn the_users_own_fixtures_are_the_first_witness_and_decide_what_could_not_be_proved() {
    let used = |arguments: Value| Used {
        case: "evals/a.yaml › a › find".to_owned(),
        tool: "search".to_owned(),
        arguments,
    };
    let Pair { old, new, .. } = pair("in-pattern-changed");
    let changes = surface_changes(&old, &new, &[used(json!({})), used(json!({"q": "n_1"}))]);
    assert_eq!(found(&changes)[0], ("in-pattern-changed", ChangeClass::Breaking));
    let witness = changes[0].witness.as_ref().expect("there is one");
    assert_eq!(witness.value, json!({"q": "n_1"}));
    assert_eq!(witness.case.as_deref(), Some("evals/a.yaml › a › find"));
    let changes = surface_changes(&old, &new, &[used(json!({"q": "n_note_1"})), used(json!({"q": 1}))]);
    assert_eq!(changes[0].class, ChangeClass::Breaking);
    let changes = surface_changes(&old, &new, &[used(json!({"q": "x"}))]);
    assert_eq!(changes[0].class, ChangeClass::Risky, "refused before, too");
}

#[test]
fn what_was_deprecated_may_go() {
    let Pair { mut old, new, .. } = pair("tool-removed");
    old.tools[1]["title"] = json!("Add (Deprecated)");
    let changes = surface_changes(&old, &new, &[]);
    assert_eq!(found(&changes), [("tool-removed", ChangeClass::Risky)]);
    let Pair { mut old, new, .. } = pair("in-property-removed");
    old.tools[0]["inputSchema"]["properties"]["limit"]["deprecated"] = json!(true);
    assert_eq!(surface_changes(&old, &new, &[])[0].class, ChangeClass::Risky);
}

/// The same surface with every key, and every list whose order says nothing, the other way round.
fn reordered(surface: &Surface) -> Surface {
    let turn = |items: &[Value]| -> Vec<Value> { items.iter().map(turned).rev().collect() };
    Surface {
        server: turned(&surface.server),
        tools: surface.tools.iter().map(turned).collect(),
        resources: turn(&surface.resources),
        resource_templates: turn(&surface.resource_templates),
        prompts: turn(&surface.prompts),
        ..surface.clone()
    }
}

fn turned(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .rev()
            .map(|(key, value)| match (key.as_str(), value) {
                ("required" | "enum" | "type" | "anyOf", Value::Array(items)) => {
                    (key.clone(), items.iter().map(turned).rev().collect())
                }
                _ => (key.clone(), turned(value)),
            })
            .collect(),
        Value::Array(items) => items.iter().map(turned).collect(),
        other => other.clone(),
    }
}
