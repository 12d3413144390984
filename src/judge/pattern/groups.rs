//! The groups of a pattern and the back-references to them.
//!
//! In JavaScript a back-reference to a group that took no part matches nothing at all, and each turn of a repetition
//! forgets what the groups in it took (ECMA-262 §22.2.2.3.1). `fancy-regex` fails on the first and remembers on the second:
//! the first can be written differently, the second only be refused.

use super::PatternError;

/// A group, known by its order of opening.
struct Group {
    opened_at: usize,
    parent: Option<usize>,
    kind: GroupKind,
    has_alternatives: bool,
    /// How often it is gone through at least.
    least: u64,
    is_repeated: bool,
    is_closed: bool,
}

/// What a group is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GroupKind {
    /// Keeps what it matched, under its number and perhaps a name.
    Capture(Option<String>),
    /// `(?<=…)` and `(?<!…)`.
    LookBehind,
    /// Everything else.
    Plain,
}

/// What a back-reference refers to.
pub(super) enum Target {
    /// The group of this number.
    Number(usize),
    /// The group of this name.
    Name(String),
}

/// What a back-reference finds when the engine comes to it.
pub(super) enum Found {
    /// What the group of this number took, if it took part.
    Group(usize),
    /// Never anything: the group is not closed, or not even opened.
    Nothing,
}

/// All groups read so far.
#[derive(Default)]
pub(super) struct Groups {
    all: Vec<Group>,
    /// Indices of the groups that are open, the innermost last.
    open: Vec<usize>,
    /// Indices of the captures, in the order of their numbers.
    captures: Vec<usize>,
    references: Vec<(Target, usize)>,
}

impl Groups {
    /// How many groups are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Where the innermost open group was opened.
    pub(super) fn innermost(&self) -> Option<usize> {
        self.open.last().map(|index| self.all[*index].opened_at)
    }

    /// Opens a group; its name must be new.
    pub(super) fn open(&mut self, kind: GroupKind, at: usize) -> Result<(), PatternError> {
        let index = self.all.len();
        if let GroupKind::Capture(name) = &kind {
            if let Some(name) = name.as_ref().filter(|name| self.named(name).is_some()) {
                return Err(PatternError::new(format!("two groups are called `{name}`"), at));
            }
            self.captures.push(index);
        }
        self.all.push(Group {
            opened_at: at,
            parent: self.open.last().copied(),
            kind,
            has_alternatives: false,
            least: 1,
            is_repeated: false,
            is_closed: false,
        });
        self.open.push(index);
        Ok(())
    }

    /// Closes the innermost group and says which it is; nothing if none is open.
    pub(super) fn close(&mut self) -> Option<usize> {
        let index = self.open.pop()?;
        self.all[index].is_closed = true;
        Some(index)
    }

    /// Notes a `|`.
    pub(super) fn alternative(&mut self) {
        if let Some(index) = self.open.last() {
            self.all[*index].has_alternatives = true;
        }
    }

    /// Notes how often a closed group is gone through.
    pub(super) fn repeat(&mut self, index: usize, least: u64, most: u64) {
        self.all[index].least = least;
        self.all[index].is_repeated = most > 1;
    }

    /// Notes a back-reference and says what it finds.
    pub(super) fn refer(&mut self, target: Target, at: usize) -> Found {
        let number = self.number(&target);
        let is_closed = number.is_some_and(|number| self.all[self.captures[number - 1]].is_closed);
        self.references.push((target, at));
        match number {
            Some(number) if is_closed => Found::Group(number),
            _ => Found::Nothing,
        }
    }

    /// Checks the back-references once everything is read.
    pub(super) fn check(&self) -> Result<(), PatternError> {
        for (target, at) in &self.references {
            let Some(number) = self.number(target) else {
                let which = match target {
                    Target::Number(number) => number.to_string(),
                    Target::Name(name) => format!("`{name}`"),
                };
                return Err(PatternError::new(
                    format!("there is no group {which} for the back-reference"),
                    *at,
                ));
            };
            if self.is_uncertain(self.captures[number - 1]) {
                let message = "the back-reference is to a group that a repetition or a look-behind may leave out, \
                               which is not supported";
                return Err(PatternError::new(message, *at));
            }
        }
        Ok(())
    }

    /// Whether the engine may remember of a group what JavaScript does not: it is in a look-behind, which JavaScript
    /// reads from right to left, or in a repetition that does not go through it every time.
    fn is_uncertain(&self, capture: usize) -> bool {
        let mut can_be_left_out = false;
        let mut next = Some(capture);
        while let Some(index) = next {
            let group = &self.all[index];
            can_be_left_out |= group.has_alternatives && index != capture;
            if group.kind == GroupKind::LookBehind || group.is_repeated && can_be_left_out {
                return true;
            }
            can_be_left_out |= group.least == 0;
            next = group.parent;
        }
        false
    }

    fn number(&self, target: &Target) -> Option<usize> {
        match target {
            Target::Number(number) => (1..=self.captures.len()).contains(number).then_some(*number),
            Target::Name(name) => self.named(name),
        }
    }

    fn named(&self, wanted: &str) -> Option<usize> {
        let is_it = |index: &usize| matches!(&self.all[*index].kind, GroupKind::Capture(Some(name)) if name == wanted);
        self.captures.iter().position(is_it).map(|at| at + 1)
    }
}
