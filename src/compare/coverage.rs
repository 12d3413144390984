//! Which tools have a case.

use std::collections::{BTreeMap, HashSet};

use super::Surveyed;
use crate::model::{Coverage, Surface};

/// How far the cases cover the tools of each server whose surface is known.
pub fn coverage(run: &[Surveyed], before: Option<&BTreeMap<String, Surface>>) -> Vec<Coverage> {
    let of_server = |server: &Surveyed| {
        let surface = server.surface.as_ref().ok()?;
        let called: HashSet<&str> = server.calls.iter().map(|call| call.tool.as_str()).collect();
        let known = before.and_then(|before| before.get(&server.label));
        let known: Option<HashSet<&str>> = known.map(|surface| tools(surface).collect());
        let is_added = |tool: &&str| known.as_ref().is_some_and(|known| !known.contains(tool));
        let uncovered = tools(surface).filter(|tool| !called.contains(tool));
        let (added, older): (Vec<&str>, Vec<&str>) = uncovered.partition(is_added);
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        Some(Coverage {
            server: server.label.clone(),
            tools: tools(surface).count(),
            added: owned(added),
            uncovered: owned(older),
        })
    };
    run.iter().filter_map(of_server).collect()
}

fn tools(surface: &Surface) -> impl Iterator<Item = &str> {
    surface.tools.iter().filter_map(|tool| tool.get("name")?.as_str())
}
