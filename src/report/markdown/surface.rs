//! What changed in what the servers declare.

use super::{
    block::{Block, State},
    inline::Inline,
    size::Depth,
};
use crate::{
    model::{ChangeClass, Comparison, SurfaceChange},
    report::changes,
    text,
};

/// Characters of a witness.
const WITNESS: usize = 120;

/// A change with the name of the server.
type Change<'a> = (&'a str, &'a SurfaceChange);

/// What somebody has to look at.
pub(super) fn pressing(comparison: &Comparison, depth: Depth) -> Block {
    let all = changes::surface(comparison);
    let (pressing, _) = parted(&all);
    let title = Inline::ours("Surface: ").name(&changes::surface_tally(&all).join(", "));
    Block::Section(title, table(&pressing, comparison, depth, "surface change"))
}

/// Everything else that changed.
pub(super) fn others(comparison: &Comparison, depth: Depth) -> Block {
    let all = changes::surface(comparison);
    let (_, others) = parted(&all);
    let title = Inline::default().name(&text::count(others.len(), "harmless or allowed surface change"));
    Block::Details(
        State::Folded,
        title,
        table(&others, comparison, depth, "harmless surface change"),
    )
}

fn parted<'a>(all: &[Change<'a>]) -> (Vec<Change<'a>>, Vec<Change<'a>>) {
    all.iter().partition(|(_, change)| changes::is_worth_a_look(change))
}

fn table(all: &[Change<'_>], comparison: &Comparison, depth: Depth, noun: &'static str) -> Vec<Block> {
    let shown = all.iter().take(depth.rows);
    let rows = shown.map(|(server, change)| row(server, change, comparison)).collect();
    vec![
        Block::Table(&["", "What", "Change"], rows, noun),
        Block::More(all.len().saturating_sub(depth.rows), noun),
    ]
}

fn row(server: &str, change: &SurfaceChange, comparison: &Comparison) -> Vec<Inline> {
    let mark = match change.class {
        _ if change.allowed.is_some() => "☑️ ",
        ChangeClass::Breaking => "💥 ",
        ChangeClass::Risky => "⚠️ ",
        ChangeClass::Compatible => "➕ ",
        ChangeClass::Cosmetic => "✏️ ",
    };
    let class = Inline::ours(mark).name(change.class.word());
    let what = Inline::default().message(&changes::subject(server, change, comparison));
    let mut said = Inline::default().message(&change.message);
    if change.is_model_visible {
        said = said.then(" (the model sees it)");
    }
    if let Some(witness) = &change.witness {
        let value = text::cut(&witness.value.to_string(), WITNESS).into_owned();
        said = said.then("<br>was accepted before: ").code(&value);
    }
    if let Some(reason) = &change.allowed {
        said = said.then("<br>allowed: ").message(reason);
    }
    vec![class, what, said.then("<br><sub>").name(&change.rule).then("</sub>")]
}
