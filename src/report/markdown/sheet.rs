//! A text of limited length: what is put on it stands there whole or not at all, and after the first thing that does not
//! fit, nothing does. So what is put first is dropped last, and what is opened is closed.

use crate::text;

/// What is written so far, and what is not.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    text: String,
    /// Bytes that may be written.
    budget: usize,
    /// Bytes of the budget that are promised: to what has to be closed and to the last line.
    promised: usize,
    /// What is opened, and written with the first thing inside.
    pending: String,
    is_full: bool,
    left_out: Vec<(&'static str, usize)>,
}

impl Sheet {
    /// An empty sheet of this many bytes.
    pub(super) fn new(budget: usize) -> Self {
        Self {
            budget,
            ..Self::default()
        }
    }

    /// A sheet that takes nothing, to count what there is.
    pub(super) fn full() -> Self {
        Self {
            is_full: true,
            ..Self::default()
        }
    }

    /// Keeps bytes free for the line that tells what is left out.
    pub(super) fn promise(&mut self, bytes: usize) {
        self.promised += bytes;
    }

    /// Writes a piece, or says that it does not fit.
    pub(super) fn put(&mut self, piece: &str) -> bool {
        let needed = self.text.len() + self.pending.len() + piece.len() + self.promised;
        self.is_full |= needed > self.budget;
        if !self.is_full {
            self.text.push_str(&self.pending);
            self.pending.clear();
            self.text.push_str(piece);
        }
        !self.is_full
    }

    /// Writes a piece, or counts it as this where it does not fit.
    pub(super) fn put_or_count(&mut self, piece: &str, noun: &'static str) {
        if !self.put(piece) {
            self.leave_out(1, noun);
        }
    }

    /// Writes what `body` puts between an opening and a closing, or nothing where it puts nothing.
    pub(super) fn within(&mut self, opening: &str, closing: &str, body: impl FnOnce(&mut Self)) {
        let outside = (self.pending.len(), self.text.len());
        self.pending.push_str(opening);
        self.promised += closing.len();
        body(self);
        self.promised -= closing.len();
        if self.text.len() > outside.1 {
            self.text.push_str(closing);
        } else {
            self.pending.truncate(outside.0);
        }
    }

    /// Counts what is not written.
    pub(super) fn leave_out(&mut self, count: usize, noun: &'static str) {
        match self.left_out.iter_mut().find(|(known, _)| *known == noun) {
            _ if count == 0 => {}
            Some((_, known)) => *known += count,
            None => self.left_out.push((noun, count)),
        }
    }

    /// What is left out in one line; nothing where nothing is.
    pub(super) fn rest(&self) -> String {
        let counts: Vec<String> = self.left_out.iter().map(|(noun, of)| text::count(*of, noun)).collect();
        match counts.as_slice() {
            [] => String::new(),
            counts => format!(
                "\n_left out here: {}; see the JSON report (`--json FILE`)_\n",
                counts.join(", ")
            ),
        }
    }

    /// The text, with a line about what is left out.
    pub(super) fn finish(mut self) -> String {
        let rest = self.rest();
        if self.text.len() + rest.len() <= self.budget {
            self.text.push_str(&rest);
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_stands_whole_or_not_at_all_and_is_the_last() {
        let mut sheet = Sheet::new(5);
        assert!(sheet.put("abc"));
        assert!(!sheet.put("def"));
        assert!(!sheet.put("g"));
        assert_eq!(sheet.finish(), "abc");
    }

    #[test]
    fn what_is_opened_is_closed_and_nothing_is_opened_for_nothing() {
        let nested = |budget| {
            let mut sheet = Sheet::new(budget);
            sheet.within("<", ">", |sheet| {
                sheet.within("(", ")", |sheet| {
                    sheet.put("a");
                    sheet.put("b");
                });
                sheet.within("[", "]", |sheet| {
                    sheet.put("c");
                });
            });
            sheet.finish()
        };
        assert_eq!(nested(4), "");
        assert_eq!(nested(5), "<(a)>");
        assert_eq!(nested(6), "<(ab)>");
        assert_eq!(nested(8), "<(ab)>");
        assert_eq!(nested(9), "<(ab)[c]>");
    }

    #[test]
    fn the_last_line_counts_what_is_left_out() {
        let mut sheet = Sheet::new(100);
        sheet.leave_out(0, "lost case");
        sheet.leave_out(2, "broken case");
        sheet.leave_out(1, "explanation");
        sheet.leave_out(1, "broken case");
        assert_eq!(
            sheet.finish(),
            "\n_left out here: 3 broken cases, 1 explanation; see the JSON report (`--json FILE`)_\n"
        );
    }
}
