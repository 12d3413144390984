//! The families of rules, and the comparison that runs all of them.

use serde_json::Value;

use super::{Rule, annotations, changes::Changes, input, output, prompts, resources, server, templates, tools};
use crate::model::{Surface, SurfaceChange};

/// Arguments that the user's own fixtures give to a tool: the first choice for showing what broke.
#[derive(Debug, Clone, PartialEq)]
pub struct Used {
    /// The case and step: `file › name › step`.
    pub case: String,
    /// The tool that is called.
    pub tool: String,
    /// The arguments.
    pub arguments: Value,
}

/// What the rules compare.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    /// The surface before.
    pub(super) old: &'a Surface,
    /// The surface now.
    pub(super) new: &'a Surface,
    /// What the fixtures send.
    pub(super) used: &'a [Used],
}

/// Rules about one part of a surface.
struct Family {
    rules: &'static [Rule],
    compare: fn(Pair<'_>, &mut Changes),
}

const FAMILIES: &[Family] = &[
    Family {
        rules: tools::RULES,
        compare: tools::compare,
    },
    Family {
        rules: input::RULES,
        compare: input::compare,
    },
    Family {
        rules: output::RULES,
        compare: output::compare,
    },
    Family {
        rules: annotations::RULES,
        compare: annotations::compare,
    },
    Family {
        rules: prompts::RULES,
        compare: prompts::compare,
    },
    Family {
        rules: resources::RULES,
        compare: resources::compare,
    },
    Family {
        rules: templates::RULES,
        compare: templates::compare,
    },
    // Looks at what the others found.
    Family {
        rules: server::RULES,
        compare: server::compare,
    },
];

/// All rules, in the order of the families.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().flat_map(|family| family.rules)
}

/// The rule of this id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id == id)
}

/// Everything that changed, worst first. Equal surfaces give nothing, and so does another order of keys or lists where
/// order has no meaning.
pub fn surface_changes(old: &Surface, new: &Surface, used: &[Used]) -> Vec<SurfaceChange> {
    let mut changes = Changes::default();
    for family in FAMILIES {
        (family.compare)(Pair { old, new, used }, &mut changes);
    }
    changes.into_sorted()
}

impl Pair<'_> {
    /// Whether a list was had on both sides.
    pub(super) fn has_both(&self, method: &str) -> bool {
        let is_missing = |surface: &Surface| surface.missing.iter().any(|it| it.method == method);
        !is_missing(self.old) && !is_missing(self.new)
    }

    /// Whether both sides speak one era of the protocol: the same program declares different things in another.
    pub(super) fn is_one_era(&self) -> bool {
        // The first version without a handshake.
        let is_modern = |surface: &Surface| surface.protocol.as_str() >= "2026-07-28";
        is_modern(self.old) == is_modern(self.new)
    }
}
