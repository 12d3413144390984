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
    let mut gone: BTreeMap<&str, &Surface> = before.iter().map(|(label, surface)| (label.as_str(), surface)).collect();
    let fresh: Vec<&Surveyed> = run.iter().filter(|it| gone.remove(it.label.as_str()).is_none()).collect();
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
