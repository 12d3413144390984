//! Each server of a run against the same server of a baseline.

use std::collections::BTreeMap;

use super::surface::{Used, surface_changes};
use crate::{
    model::{Fault, Surface, SurfaceComparison},
    plan::Call,
};

/// What one server of a run declares, and what the cases ask of it.
#[derive(Debug)]
pub struct Surveyed {
    /// What it is called in reports.
    pub label: String,
    /// What it declares, or why that is not known.
    pub surface: Result<Surface, Fault>,
    /// The calls of all cases.
    pub calls: Vec<Call>,
}

/// Compares server by server, in the order of labels; remarks about those that only one side has. Where only a part of
/// the cases was run, a server that is missing is not gone.
pub fn servers(
    run: &[Surveyed],
    before: &BTreeMap<String, Surface>,
    is_whole: bool,
) -> (Vec<SurfaceComparison>, Vec<String>) {
    let mut gone: BTreeMap<&str, &Surface> = before
        .iter()
        .map(|(label, surface)| (label.as_str(), surface))
        .collect();
    let fresh: Vec<&Surveyed> = run
        .iter()
        .filter(|it| gone.remove(it.label.as_str()).is_none())
        .collect();
    let mut notices = Vec::new();
    let mut comparisons = Vec::new();
    for server in run {
        let was = before.get(&server.label).or_else(|| {
            let label = renamed(server, &fresh, &gone)?;
            notices.push(format!("the server `{}` was called `{label}` before", server.label));
            gone.remove(label)
        });
        match was {
            Some(was) => comparisons.push(compared(server, was)),
            None => notices.push(format!("the server `{}` is not in the baseline", server.label)),
        }
    }
    if is_whole {
        let words = |label| format!("the server `{label}` is in the baseline, and no case asks it any more");
        notices.extend(gone.into_keys().map(words));
    }
    (comparisons, notices)
}

/// The label in the baseline of a server that has another one now, told by the name it gives itself: the only one of
/// those that are new, and of those that are gone.
fn renamed<'a>(server: &Surveyed, fresh: &[&Surveyed], gone: &BTreeMap<&'a str, &'a Surface>) -> Option<&'a str> {
    let name = own_name(server.surface.as_ref().ok()?)?;
    let has_name = |surface: &Surface| own_name(surface) == Some(name);
    let now = fresh.iter().filter(|it| it.surface.as_ref().is_ok_and(has_name));
    let mut before = gone.iter().filter(|(_, surface)| has_name(surface));
    match (now.count(), before.next(), before.next()) {
        (1, Some((label, _)), None) => Some(label),
        _ => None,
    }
}

/// The name that a server gives itself.
fn own_name(surface: &Surface) -> Option<&str> {
    surface.server.get("name")?.as_str()
}

fn compared(server: &Surveyed, was: &Surface) -> SurfaceComparison {
    let used: Vec<Used> = server.calls.iter().filter_map(used).collect();
    let (changes, notice) = match &server.surface {
        Ok(surface) => (surface_changes(was, surface, &used), None),
        Err(fault) => (Vec::new(), Some(fault.message.clone())),
    };
    SurfaceComparison {
        server: server.label.clone(),
        changes,
        notice,
    }
}

fn used(call: &Call) -> Option<Used> {
    Some(Used {
        case: call.place.clone(),
        tool: call.tool.clone(),
        arguments: call.arguments.clone()?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::model::{FaultKind, Phase};

    fn surface(name: &str, tools: &[&str]) -> Surface {
        Surface {
            server: json!({ "name": name }),
            tools: tools.iter().map(|tool| json!({ "name": tool })).collect(),
            ..Surface::default()
        }
    }

    fn surveyed(label: &str, surface: Surface) -> Surveyed {
        Surveyed {
            label: label.to_owned(),
            surface: Ok(surface),
            calls: Vec::new(),
        }
    }

    fn before(label: &str, surface: Surface) -> BTreeMap<String, Surface> {
        BTreeMap::from([(label.to_owned(), surface)])
    }

    fn rules(comparisons: &[SurfaceComparison]) -> Vec<(&str, &str)> {
        let all = comparisons.iter().flat_map(|it| {
            it.changes
                .iter()
                .map(|change| (it.server.as_str(), change.rule.as_ref()))
        });
        all.collect()
    }

    #[test]
    fn equal_labels_belong_together() {
        let run = [surveyed("notes", surface("n", &["a"]))];
        let (comparisons, notices) = servers(&run, &before("notes", surface("n", &["a", "b"])), true);
        assert_eq!(rules(&comparisons), [("notes", "tool-removed")]);
        assert!(notices.is_empty(), "{notices:?}");
    }

    #[test]
    fn a_server_with_another_label_is_told_by_its_own_name() {
        let run = [surveyed("node dist/a.js", surface("n", &["a"]))];
        let (comparisons, notices) = servers(&run, &before("node a.js", surface("n", &["a", "b"])), true);
        assert_eq!(rules(&comparisons), [("node dist/a.js", "tool-removed")]);
        assert_eq!(notices, ["the server `node dist/a.js` was called `node a.js` before"]);
        let (comparisons, notices) = servers(&run, &before("node a.js", surface("other", &["a"])), true);
        assert!(comparisons.is_empty());
        assert_eq!(notices.len(), 2, "one is new and one is gone: {notices:?}");
        let (_, notices) = servers(&run, &before("node a.js", surface("other", &["a"])), false);
        assert_eq!(notices.len(), 1, "what was not chosen is not gone: {notices:?}");
    }

    #[test]
    fn a_surface_that_could_not_be_had_says_why() {
        let run = [Surveyed {
            surface: Err(Fault::server(
                FaultKind::Timeout,
                Phase::Initialize,
                "it did not answer",
            )),
            ..surveyed("notes", Surface::default())
        }];
        let (comparisons, _) = servers(&run, &before("notes", surface("n", &["a"])), true);
        assert_eq!(comparisons[0].notice.as_deref(), Some("it did not answer"));
        assert!(comparisons[0].changes.is_empty());
    }

    #[test]
    fn arguments_of_the_fixtures_are_the_first_witness() {
        let with_limit = |maximum: Value| Surface {
            tools: vec![
                json!({"name": "a", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer", "maximum": maximum}}}}),
            ],
            ..surface("n", &[])
        };
        let call = Call {
            place: "a.yaml › one › call".to_owned(),
            tool: "a".to_owned(),
            arguments: Some(json!({"n": 70})),
        };
        let run = [Surveyed {
            calls: vec![call],
            ..surveyed("notes", with_limit(json!(50)))
        }];
        let (comparisons, _) = servers(&run, &before("notes", with_limit(json!(100))), true);
        let witness = comparisons[0].changes[0].witness.as_ref().expect("there is one");
        assert_eq!(witness.case.as_deref(), Some("a.yaml › one › call"));
        assert_eq!(witness.value, json!({"n": 70}));
    }
}
