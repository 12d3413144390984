//! What changed in what the servers declare, with witnesses.

use super::escape;
use crate::{
    model::{Comparison, SurfaceChange},
    report::changes,
};

/// Rows.
const LISTED: usize = 500;

pub(super) fn section(comparison: &Comparison) -> String {
    let all = changes::surface(comparison);
    if all.is_empty() {
        return String::new();
    }
    let (pressing, others): (Vec<_>, Vec<_>) = all.iter().partition(|(_, change)| changes::is_worth_a_look(change));
    let tally = changes::surface_tally(&all).join(", ");
    let mut text = format!("<section class=\"part\"><h2>surface <small>{tally}</small></h2>\n");
    if !pressing.is_empty() {
        text.push_str(&table(&pressing, comparison));
    }
    if !others.is_empty() {
        text.push_str(&format!(
            "<details><summary>{}</summary>\n{}</details>\n",
            crate::text::count(others.len(), "more change"),
            table(&others, comparison)
        ));
    }
    text + "</section>\n"
}

fn table(changes: &[(&str, &SurfaceChange)], comparison: &Comparison) -> String {
    let shown = changes.iter().take(LISTED);
    let rows: String = shown.map(|(server, change)| row(server, change, comparison)).collect();
    let more = match changes.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("<p>…and {more} more</p>\n"),
    };
    format!(
        "<div class=\"wide\"><table class=\"surface\">\n<thead><tr><th>class</th><th>what</th><th>change</th><th>shown by</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n{more}"
    )
}

fn row(server: &str, change: &SurfaceChange, comparison: &Comparison) -> String {
    let subject = changes::subject(server, change, comparison).replace('`', "");
    let seen = if change.is_model_visible {
        "<br><small>the model sees it</small>"
    } else {
        ""
    };
    let allowed = change.allowed.as_deref();
    let allowed = allowed.map(|reason| format!("<br><small>allowed: {}</small>", escape::message(reason)));
    let witness = change.witness.as_ref().map(|witness| {
        let from = witness.case.as_deref();
        let from = from.map(|case| format!("<br><small>of {}</small>", escape::name(case)));
        format!(
            "<code>{}</code>{}",
            escape::message(&witness.value.to_string()),
            from.unwrap_or_default()
        )
    });
    let class = change.class.word();
    format!(
        "<tr><td><span class=\"class {class}\">{class}</span></td><td>{}</td><td>{}{seen}{}<br><small>{}</small></td><td>{}</td></tr>\n",
        escape::name(&subject),
        escape::message(&change.message),
        allowed.unwrap_or_default(),
        escape::name(&change.rule),
        witness.unwrap_or_default()
    )
}
