//! What changed between two surfaces, for people: the verdict first, then the changes, worst first.

use std::io::{self, Write};

use super::{Colour, style::Style};
use crate::{
    compare::surface::{FailOn, closing},
    model::{ChangeClass, SurfaceChange},
    text::{cut, sanitize},
};

/// Characters of a witness that are shown.
const WITNESS: usize = 300;

/// The classes, worst first.
const CLASSES: [ChangeClass; 4] = [
    ChangeClass::Breaking,
    ChangeClass::Risky,
    ChangeClass::Compatible,
    ChangeClass::Cosmetic,
];

/// Writes the verdict and every change.
pub fn write_surface_diff(
    changes: &[SurfaceChange],
    fail_on: FailOn,
    colour: Colour,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = Style::of(colour);
    writeln!(out, "{}", verdict(changes, fail_on, style))?;
    for class in CLASSES {
        let mut of_class = changes.iter().filter(|change| change.class == class).peekable();
        if of_class.peek().is_none() {
            continue;
        }
        writeln!(out, "\n{}", painted(class, class.word(), style))?;
        for change in of_class {
            one(change, style, out)?;
        }
    }
    let seen = changes.iter().filter(|change| change.is_model_visible).count();
    if seen > 0 {
        let note = format!("{seen} of them are seen by models (marked “models”), which may behave differently");
        writeln!(out, "\n{}", style.faint(note))?;
    }
    Ok(())
}

fn verdict(changes: &[SurfaceChange], fail_on: FailOn, style: Style) -> String {
    if changes.is_empty() {
        return style.good("✓ the surfaces are the same");
    }
    let counts: Vec<String> = CLASSES
        .iter()
        .map(|class| (changes.iter().filter(|it| it.class == *class).count(), class.word()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let counts = counts.join(", ");
    let allowed = match changes.iter().filter(|it| it.allowed.is_some()).count() {
        0 => String::new(),
        count => format!(" ({count} of them allowed)"),
    };
    let worst = closing(changes, fail_on).map(|it| it.class).max();
    match worst {
        Some(ChangeClass::Breaking) => style.bad(format!("✗ the surface breaks: {counts}{allowed}")),
        Some(_) => style.bad(format!("✗ the surface changed: {counts}{allowed}")),
        None => style.good(format!("✓ the surface changed: {counts}{allowed}")),
    }
}

fn one(change: &SurfaceChange, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let mark = match change.class {
        _ if change.allowed.is_some() => "·",
        ChangeClass::Breaking => "✗",
        ChangeClass::Risky => "!",
        ChangeClass::Compatible => "+",
        ChangeClass::Cosmetic => "·",
    };
    let place = if change.path.is_empty() {
        String::new()
    } else {
        format!(" {}", sanitize::line(&change.path))
    };
    writeln!(
        out,
        "  {} {}{place}: {}",
        painted(change.class, mark, style),
        style.strong(sanitize::line(&change.subject)),
        sanitize::line(&change.message)
    )?;
    if let Some(witness) = &change.witness {
        let value = sanitize::line(&cut(&witness.value.to_string(), WITNESS));
        let whose = match &witness.case {
            Some(case) => format!("as in {}", sanitize::line(case)),
            None => "for example".to_owned(),
        };
        let verb = if change.rule.starts_with("out-") {
            "may come now, and could not before"
        } else {
            "accepted before, refused now"
        };
        writeln!(out, "      {verb}, {whose}: {value}")?;
    }
    if let Some(reason) = &change.allowed {
        writeln!(out, "      allowed: {}", sanitize::line(reason))?;
    }
    let models = if change.is_model_visible { " · models" } else { "" };
    writeln!(
        out,
        "      {}",
        style.faint(format!("{} · {}{models}", change.rule, change.fingerprint))
    )
}

fn painted(class: ChangeClass, text: &str, style: Style) -> String {
    match class {
        ChangeClass::Breaking => style.bad(text),
        ChangeClass::Risky => style.doubtful(text),
        ChangeClass::Compatible => style.good(text),
        ChangeClass::Cosmetic => style.faint(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Witness;

    fn change(class: ChangeClass, message: &str) -> SurfaceChange {
        SurfaceChange {
            rule: "in-required-added".into(),
            class,
            is_model_visible: false,
            subject: "tool `search`".to_owned(),
            path: "inputSchema.properties.user".to_owned(),
            message: message.to_owned(),
            witness: None,
            fingerprint: "0123456789ab".to_owned(),
            allowed: None,
        }
    }

    fn written(changes: &[SurfaceChange], fail_on: FailOn) -> String {
        let mut out = Vec::new();
        write_surface_diff(changes, fail_on, Colour::Plain, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_verdict_comes_first_and_witnesses_are_shown() {
        let mut worst = change(ChangeClass::Breaking, "`user` is new and required");
        worst.witness = Some(Witness {
            value: serde_json::json!({"q": "milk"}),
            case: Some("evals/a.yaml › a › find".to_owned()),
        });
        let mut seen = change(ChangeClass::Risky, "changed");
        seen.is_model_visible = true;
        let text = written(&[worst, seen], Some(ChangeClass::Breaking));
        insta::assert_snapshot!(text, @"
        ✗ the surface breaks: 1 breaking, 1 risky

        breaking
          ✗ tool `search` inputSchema.properties.user: `user` is new and required
              accepted before, refused now, as in evals/a.yaml › a › find: {\"q\":\"milk\"}
              in-required-added · 0123456789ab

        risky
          ! tool `search` inputSchema.properties.user: changed
              in-required-added · 0123456789ab · models

        1 of them are seen by models (marked “models”), which may behave differently
        ");
    }

    #[test]
    fn what_is_allowed_closes_nothing() {
        let mut allowed = change(ChangeClass::Breaking, "x");
        allowed.allowed = Some("agreed".to_owned());
        let text = written(&[allowed], Some(ChangeClass::Breaking));
        assert!(
            text.starts_with("✓ the surface changed: 1 breaking (1 of them allowed)"),
            "{text}"
        );
        assert!(text.contains("allowed: agreed"), "{text}");
        let risky = [change(ChangeClass::Risky, "x")];
        assert_eq!(closing(&risky, Some(ChangeClass::Breaking)).count(), 0);
        assert_eq!(closing(&risky, Some(ChangeClass::Risky)).count(), 1);
        assert_eq!(closing(&risky, None).count(), 0);
        assert_eq!(written(&[], None), "✓ the surfaces are the same\n");
    }

    #[test]
    fn hostile_texts_are_harmless() {
        let mut change = change(ChangeClass::Breaking, "\u{1b}[2J\n::error::x");
        change.subject = "##[error]".to_owned();
        let text = written(&[change], None);
        assert!(!text.contains('\u{1b}') && !text.contains("##["), "{text}");
        assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "{text}");
    }
}
