//! Cuts a text into literal pieces and placeholders.

use super::reference::is_reference;

/// A piece of a text.
pub(super) enum Segment<'a> {
    /// Literal text.
    Text(&'a str),
    /// The inside of a placeholder, trimmed.
    Placeholder(&'a str),
}

/// Cuts a text into literal pieces and placeholders.
pub(super) fn segments(text: &str) -> impl Iterator<Item = Segment<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut from = 0;
        while let Some(open) = rest[from..].find("{{").map(|at| at + from) {
            if rest[..open].ends_with('\\') {
                if open > 1 {
                    return Some(take(&mut rest, open - 1, open - 1));
                }
                let escaped = Segment::Text(&rest[open..open + 2]);
                rest = &rest[open + 2..];
                return Some(escaped);
            }
            let Some(close) = rest[open..].find("}}").map(|at| at + open) else {
                break;
            };
            let inside = rest[open + 2..close].trim();
            if is_reference(inside) {
                if open > 0 {
                    return Some(take(&mut rest, open, open));
                }
                rest = &rest[close + 2..];
                return Some(Segment::Placeholder(inside));
            }
            from = open + 2;
        }
        let length = rest.len();
        Some(take(&mut rest, length, length))
    })
}

fn take<'a>(rest: &mut &'a str, end: usize, next: usize) -> Segment<'a> {
    let piece = &rest[..end];
    *rest = &rest[next..];
    Segment::Text(piece)
}
