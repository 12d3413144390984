//! What the project file accepts of the changes of a surface.

use crate::{
    compare::surface::{rule, rules},
    model::{SurfaceChange, SurfaceComparison},
    parse::{Allowance, AllowedTarget, Project},
    source::{Diagnostic, did_you_mean},
    text::{Date, quote},
};

/// Characters of a user's word that are shown.
const SHOWN: usize = 80;

/// Marks every change that an entry accepts, and says of each entry that has expired that it does not count any more.
pub fn allow(surfaces: &mut [SurfaceComparison], allowances: &[Allowance], today: Date) -> Vec<String> {
    let (counting, expired): (Vec<_>, Vec<_>) = allowances
        .iter()
        .partition(|entry| entry.expires.is_none_or(|last| today <= last));
    for surface in surfaces {
        for change in &mut surface.changes {
            let entry = counting.iter().find(|entry| is_about(entry, &surface.server, change));
            if let Some(entry) = entry {
                change.allowed = Some(entry.reason.clone());
            }
        }
    }
    expired.into_iter().filter_map(notice).collect()
}

/// Entries about rules that do not exist: each would accept nothing, and in silence.
pub fn allowance_problems(project: &Project) -> Vec<Diagnostic> {
    let Some(source) = &project.source else {
        return Vec::new();
    };
    let named = project.allow.iter().filter_map(|entry| match &entry.target {
        AllowedTarget::Rule(name) if rule(&name.value).is_none() => Some(name),
        _ => None,
    });
    named
        .map(|name| {
            let message = format!("no rule is called {}", quote(&name.value, SHOWN));
            let help = did_you_mean(&name.value, rules().map(|rule| rule.id));
            Diagnostic::error("unknown-rule", message)
                .help(help)
                .at(source, name.span)
        })
        .collect()
}

fn is_about(entry: &Allowance, server: &str, change: &SurfaceChange) -> bool {
    let is_target = match &entry.target {
        AllowedTarget::Fingerprint(fingerprint) => *fingerprint == change.fingerprint,
        AllowedTarget::Rule(rule) => rule.value == change.rule,
    };
    let is_server = entry.server.as_ref().is_none_or(|name| name == server);
    let is_subject = entry
        .subject
        .as_ref()
        .is_none_or(|subject| is_called(&change.subject, subject));
    is_target && is_server && is_subject
}

/// ``tool `search` `` is called so, `tool search`, or `search`.
fn is_called(subject: &str, word: &str) -> bool {
    let name = subject.split_once('`').map(|(_, name)| name.trim_end_matches('`'));
    subject == word || subject.replace('`', "") == word || name == Some(word)
}

fn notice(entry: &Allowance) -> Option<String> {
    let what = match &entry.target {
        AllowedTarget::Fingerprint(fingerprint) => fingerprint,
        AllowedTarget::Rule(rule) => &rule.value,
    };
    let last = entry.expires?;
    Some(format!(
        "the entry of `allow` for {} expired on {last} and does not count any more: {}",
        quote(what, SHOWN),
        quote(&entry.reason, SHOWN)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{compare::surface::surface_changes, model::Surface, source::SourceFile};

    fn project(allow: &str) -> Project {
        let file = SourceFile::new("mcpvals.yaml", format!("allow: [{allow}]\n"));
        crate::parse::project(&file).value.expect("it can be read")
    }

    fn compared() -> [SurfaceComparison; 1] {
        let tool = |name: &str| serde_json::json!({"name": name});
        let old = Surface {
            tools: vec![tool("a"), tool("b")],
            ..Surface::default()
        };
        [SurfaceComparison {
            server: "notes".to_owned(),
            changes: surface_changes(&old, &Surface::default(), &[]),
            notice: None,
        }]
    }

    fn allowed(entry: &str, today: &str) -> (Vec<bool>, Vec<String>) {
        let mut surfaces = compared();
        let today = Date::parse(today).expect("a day");
        let notices = allow(&mut surfaces, &project(entry).allow, today);
        let changes = surfaces[0].changes.iter();
        (changes.map(|it| it.allowed.is_some()).collect(), notices)
    }

    #[test]
    fn an_entry_accepts_what_it_names_and_nothing_else() {
        let only = |entry: &str| allowed(entry, "2026-01-01").0;
        assert_eq!(only("{rule: tool-removed, reason: x}"), [true, true]);
        assert_eq!(only("{rule: tool-added, reason: x}"), [false, false]);
        for subject in ["b", "tool b", "'tool `b`'"] {
            let entry = format!("{{rule: tool-removed, subject: {subject}, reason: x}}");
            assert_eq!(only(&entry), [false, true], "{subject}");
        }
        assert_eq!(only("{rule: tool-removed, server: other, reason: x}"), [false, false]);
        let print = compared()[0].changes[0].fingerprint.clone();
        assert_eq!(only(&format!("{{fingerprint: '{print}', reason: x}}")), [true, false]);
    }

    #[test]
    fn an_expired_entry_does_not_count_and_says_so() {
        let entry = "{rule: tool-removed, reason: until the next release, expires: 2026-06-30}";
        assert_eq!(allowed(entry, "2026-06-30"), (vec![true, true], Vec::new()));
        let (marks, notices) = allowed(entry, "2026-07-01");
        assert_eq!(marks, [false, false]);
        let expected = "the entry of `allow` for `tool-removed` expired on 2026-06-30 and does not count any more: `until the next release`";
        assert_eq!(notices, [expected]);
    }

    #[test]
    fn rules_that_do_not_exist_are_refused() {
        let problems = allowance_problems(&project("{rule: tool-remove, reason: x}"));
        assert_eq!(problems[0].message, "no rule is called `tool-remove`");
        assert_eq!(problems[0].help.as_deref(), Some("did you mean `tool-removed`?"));
        assert!(allowance_problems(&project("{rule: tool-removed, reason: x}")).is_empty());
    }
}
