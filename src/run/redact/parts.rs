//! What a cut leaves of a secret: its beginning before a `…`, its end behind one, a piece of it between two.

use std::{collections::HashMap, iter, ops::Range, sync::OnceLock};

/// The least of a secret that counts as a part of it, in bytes.
const SHORTEST: usize = 4;

/// What stands where one of our messages cuts a text.
const CUT: char = '…';

/// What decoding makes of half a character at a cut.
const HALF: char = char::REPLACEMENT_CHARACTER;

/// Whether a message says that it cut something.
pub(super) fn is_cut(message: &str) -> bool {
    message.contains(CUT)
}

/// Where any few bytes in a row stand in the forms: in which one, and how far into it. By it the time that a message
/// takes does not grow with the number of secrets.
type Places = HashMap<[u8; SHORTEST], Vec<(usize, usize)>>;

/// Finds parts of secrets in messages.
#[derive(Debug)]
pub(super) struct Parts {
    /// Every form of every secret.
    forms: Vec<String>,
    /// Most runs never need them.
    places: OnceLock<Places>,
}

impl Parts {
    /// The parts of these forms of secrets.
    pub(super) fn new(forms: Vec<String>) -> Self {
        Self {
            forms,
            places: OnceLock::new(),
        }
    }

    /// Where a message holds parts of secrets, in bytes; they may overlap.
    pub(super) fn find(&self, message: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut start = 0;
        for (end, cut) in message.match_indices(CUT).chain(iter::once((message.len(), ""))) {
            let piece = message[start..end].trim_start_matches(HALF);
            let offset = end - piece.len();
            let mut add = |part: Range<usize>| found.push(offset + part.start..offset + part.end);
            let piece = piece.trim_end_matches([HALF, ' ']);
            let (is_cut_before, is_cut_behind) = (start > 0, !cut.is_empty());
            if is_cut_before {
                self.ends(piece).for_each(&mut add);
            }
            if is_cut_behind {
                self.beginnings(piece).for_each(&mut add);
            }
            if is_cut_before && is_cut_behind && self.is_inside(piece) {
                add(0..piece.len());
            }
            start = end + cut.len();
        }
        found
    }

    /// Ends of secrets that a piece begins with.
    fn ends(&self, piece: &str) -> impl Iterator<Item = Range<usize>> {
        let rests = self
            .places(piece.as_bytes().first_chunk())
            .map(|(form, at)| &form.as_bytes()[at..]);
        rests
            .filter(|rest| piece.as_bytes().starts_with(rest))
            .map(|rest| 0..rest.len())
    }

    /// Beginnings of secrets that a piece ends with.
    fn beginnings(&self, piece: &str) -> impl Iterator<Item = Range<usize>> {
        let begun = self
            .places(piece.as_bytes().last_chunk())
            .map(|(form, at)| &form.as_bytes()[..at + SHORTEST]);
        begun
            .filter(|begun| piece.as_bytes().ends_with(begun))
            .map(|begun| piece.len() - begun.len()..piece.len())
    }

    /// Whether a piece is wholly inside of a secret.
    fn is_inside(&self, piece: &str) -> bool {
        self.places(piece.as_bytes().first_chunk())
            .any(|(form, at)| form.as_bytes()[at..].starts_with(piece.as_bytes()))
    }

    /// The forms that hold these bytes, and where.
    fn places(&self, bytes: Option<&[u8; SHORTEST]>) -> impl Iterator<Item = (&str, usize)> {
        let places = bytes.and_then(|bytes| self.places.get_or_init(|| places(&self.forms)).get(bytes));
        places
            .into_iter()
            .flatten()
            .map(|(form, at)| (self.forms[*form].as_str(), *at))
    }
}

fn places(forms: &[String]) -> Places {
    let mut places = Places::new();
    for (number, form) in forms.iter().enumerate() {
        for (at, bytes) in form.as_bytes().windows(SHORTEST).enumerate() {
            let bytes = bytes.try_into().expect("a window has its size");
            places.entry(bytes).or_default().push((number, at));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(message: &str) -> Vec<&str> {
        let parts = Parts::new(vec!["SuperSecretValue".to_owned(), "pässword".to_owned()]);
        let mut found: Vec<&str> = parts.find(message).into_iter().map(|part| &message[part]).collect();
        found.dedup();
        found
    }

    #[test]
    fn a_beginning_an_end_and_a_piece_between() {
        assert_eq!(found("it is `xxSuperSec…` (90 bytes)"), ["SuperSec"]);
        assert_eq!(found("…SecretValue and …ue"), ["SecretValue"]);
        assert_eq!(found("`…perSecretVal…`"), ["perSecretVal"]);
        assert_eq!(found("…Value…Super…"), ["Value", "Super"]);
        assert_eq!(found("x pässw… x…sword x"), ["pässw", "sword"]);
        assert_eq!(found("…alueSupe…"), ["alue", "Supe"]);
    }

    #[test]
    fn a_blank_or_half_a_character_may_stand_before_the_mark() {
        assert_eq!(found("a pässw\u{fffd}… …\u{fffd}Value"), ["pässw", "Value"]);
        assert_eq!(found("a SuperSec … x"), ["SuperSec"]);
    }

    #[test]
    fn nothing_where_nothing_was_cut_or_too_little_is_left() {
        assert_eq!(found("Super good… Values"), [""; 0]);
        assert_eq!(found("Sup… …lue …erS…"), [""; 0]);
        assert_eq!(found("perSecret…xSecret…Secretx…"), [""; 0]);
        assert_eq!(found("SuperSec"), [""; 0]);
    }
}
