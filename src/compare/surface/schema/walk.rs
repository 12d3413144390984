//! The walk through two schemas at once.

use std::{collections::HashSet, ptr};

use serde_json::Value;

use super::{At, Difference, Flat, Kind, Segment, Types, bounds, composition, flatten, objects, wording};
use crate::{
    compare::surface::words::{mark, shown, shown_value},
    text::canonical,
};

/// Pairs of schemas that are looked at; no schema that people write has so many.
const MOST_STEPS: usize = 20_000;
/// How deep they may lie.
const MOST_DEPTH: usize = 64;

/// Keywords that restrict values in a way that is not decided here.
const UNDECIDED: [&str; 13] = [
    "propertyNames",
    "dependentSchemas",
    "dependencies",
    "unevaluatedItems",
    "unevaluatedProperties",
    "additionalItems",
    "minContains",
    "maxContains",
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "patternProperties",
    "prefixItems",
];

/// Everything that differs between two whole schemas, in the order of their keywords.
pub(in crate::compare::surface) fn differences(old: &Value, new: &Value, name: &str) -> Vec<Difference> {
    if old == new {
        return Vec::new();
    }
    let at = At::root(name);
    let mut walk = Walk {
        old_root: old,
        new_root: new,
        seen: HashSet::new(),
        steps: 0,
        depth: 0,
        has_left: false,
        found: Vec::new(),
    };
    walk.compare(old, new, &at);
    let mut found = walk.found;
    composition::root(old, new, &at, &mut found);
    dialect(old, new, &at, &mut found);
    found
}

/// `$schema` decides what the keywords mean; where they are the same words, it is likely the same meaning.
fn dialect(old: &Value, new: &Value, at: &At, found: &mut Vec<Difference>) {
    let (was, now) = (old.get("$schema"), new.get("$schema"));
    if was == now {
        return;
    }
    let says = |it: Option<&Value>| it.map_or_else(|| "none".to_owned(), shown_value);
    let message = format!("the dialect (`$schema`) went from {} to {}", says(was), says(now));
    let kind = if found.iter().any(|it| !it.kind.is_wording()) {
        Kind::DialectChanged
    } else {
        Kind::DialectRelabelled
    };
    found.push(Difference::new(kind, "$schema", &at.keyword("$schema"), message));
}

/// Two documents and what was found between them so far.
pub(super) struct Walk<'a> {
    old_root: &'a Value,
    new_root: &'a Value,
    /// Pairs that are being or have been compared: what refers to itself ends here.
    seen: HashSet<(usize, usize)>,
    steps: usize,
    /// How deep the walk is now.
    depth: usize,
    /// Whether a part was left out.
    has_left: bool,
    pub(super) found: Vec<Difference>,
}

impl<'a> Walk<'a> {
    /// Compares two schemas that stand for the same values.
    pub(super) fn compare(&mut self, old: &'a Value, new: &'a Value, at: &At) {
        self.steps += 1;
        if at.depth > MOST_DEPTH || self.steps > MOST_STEPS {
            self.leave(at);
        } else if self.seen.insert((address(old), address(new))) {
            let outer = std::mem::replace(&mut self.depth, at.depth);
            self.compare_here(old, new, at);
            self.depth = outer;
        }
    }

    /// Equal texts are no reason to be content: what they refer to may differ.
    fn leave(&mut self, at: &At) {
        if !std::mem::replace(&mut self.has_left, true) {
            let mark = mark(Some(self.old_root), Some(self.new_root));
            let message = format!("could not be compared, the schema is too large or too deep {mark}");
            self.add(Difference::new(Kind::Undecidable, "", at, message));
        }
    }

    fn compare_here(&mut self, old: &'a Value, new: &'a Value, at: &At) {
        let schemas = [old, new];
        let (old, new) = (flatten(old, self.old_root), flatten(new, self.new_root));
        wording::compare(&old, &new, at, &mut self.found);
        if old.is_never || new.is_never {
            self.never(&old, &new, at);
            return;
        }
        if composition::became_a_choice(self, schemas, [&old, &new], at) || !self.types(&old, &new, at) {
            return;
        }
        self.values(&old, &new, at);
        bounds::compare(&old, &new, at, &mut self.found);
        self.texts(&old, &new, at);
        objects::compare(self, &old, &new, at);
        self.items(&old, &new, at);
        composition::compare(self, &old, &new, at);
        self.undecided(&old, &new, at);
    }

    /// Whether two schemas allow the same values, as far as can be told.
    pub(super) fn is_alike(&mut self, old: &'a Value, new: &'a Value) -> bool {
        self.found_between(old, new).iter().all(|it| it.kind.is_wording())
    }

    /// Whether two schemas are the same but for the way they are spelled.
    pub(super) fn is_same(&mut self, old: &'a Value, new: &'a Value) -> bool {
        self.found_between(old, new).is_empty()
    }

    /// Notes a difference.
    pub(super) fn add(&mut self, difference: Difference) {
        self.found.push(difference);
    }

    fn found_between(&mut self, old: &'a Value, new: &'a Value) -> Vec<Difference> {
        let mut aside = Self {
            old_root: self.old_root,
            new_root: self.new_root,
            seen: self.seen.clone(),
            steps: self.steps,
            depth: self.depth,
            has_left: false,
            found: Vec::new(),
        };
        aside.compare(old, new, &At::aside(self.depth + 1));
        self.steps = aside.steps;
        aside.found
    }

    fn never(&mut self, old: &Flat<'_>, new: &Flat<'_>, at: &At) {
        if old.is_never != new.is_never {
            let (kind, message) = if new.is_never {
                (Kind::TypeNarrowed, "no value is allowed any more")
            } else {
                (Kind::TypeWidened, "values are allowed where none was")
            };
            self.add(Difference::new(kind, "falseSchema", at, message));
        }
    }

    /// Compares the types; tells whether there is one that both allow.
    fn types(&mut self, old: &Flat<'_>, new: &Flat<'_>, at: &At) -> bool {
        let are_listed = old.values.is_some() || new.values.is_some();
        let (gone, come) = (old.types.without(new.types), new.types.without(old.types));
        let common = old.types.and(new.types);
        if gone.is_empty() && come.is_empty() || are_listed && !common.without(Types::NULL).is_empty() {
            // Which values are listed says it all.
            return true;
        }
        let kind = match (gone, come) {
            (Types::NULL, Types::NONE) => Kind::NullRemoved,
            (Types::NONE, Types::NULL) => Kind::NullAdded,
            (_, Types::NONE) => Kind::TypeNarrowed,
            (Types::NONE, _) => Kind::TypeWidened,
            _ => Kind::TypeChanged,
        };
        let message = match kind {
            Kind::NullRemoved => "`null` is not allowed any more".to_owned(),
            Kind::NullAdded => "`null` is allowed now".to_owned(),
            _ => format!("the type went from {} to {}", old.types.words(), new.types.words()),
        };
        self.add(Difference::new(kind, "type", &at.keyword("type"), message));
        !common.without(Types::NULL).is_empty()
    }

    fn values(&mut self, old: &Flat<'_>, new: &Flat<'_>, at: &At) {
        let keyword = |flat: &Flat<'_>| if flat.is_const { "const" } else { "enum" };
        match (&old.values, &new.values) {
            (None, Some(values)) => {
                let (kind, word) = if new.is_const {
                    (Kind::ConstAdded, "const")
                } else {
                    (Kind::EnumAdded, "enum")
                };
                let listed: Vec<String> = values.iter().map(ToString::to_string).collect();
                let message = format!("only {} is allowed now", shown(&listed.join(", ")));
                self.add(Difference::new(kind, word, &at.keyword(word), message));
            }
            (Some(_), None) => {
                let kind = if old.is_const {
                    Kind::ConstLifted
                } else {
                    Kind::EnumLifted
                };
                let word = keyword(old);
                let message = "other values are allowed now, too";
                self.add(Difference::new(kind, word, &at.keyword(word), message));
            }
            (Some(was), Some(now)) if old.is_const && new.is_const => {
                if was != now {
                    let message = format!(
                        "the one value went from {} to {}",
                        shown_value(was[0]),
                        shown_value(now[0])
                    );
                    self.add(Difference::new(
                        Kind::ConstChanged,
                        "const",
                        &at.keyword("const"),
                        message,
                    ));
                }
            }
            (Some(was), Some(now)) => {
                let at = at.keyword("enum");
                for gone in was.iter().filter(|value| !now.contains(value)) {
                    let message = format!("the value {} is not allowed any more", shown_value(gone));
                    self.add(Difference::new(Kind::EnumValueRemoved, "enum", &at, message).of_value(gone));
                }
                for come in now.iter().filter(|value| !was.contains(value)) {
                    let message = format!("the value {} is allowed now", shown_value(come));
                    self.add(Difference::new(Kind::EnumValueAdded, "enum", &at, message).of_value(come));
                }
            }
            (None, None) => {}
        }
    }

    fn texts(&mut self, old: &Flat<'_>, new: &Flat<'_>, at: &At) {
        let pattern = at.keyword("pattern");
        match (old.rest.get("pattern"), new.rest.get("pattern")) {
            (None, Some(now)) => {
                let message = format!("must match {} now", shown_value(now));
                self.add(Difference::new(Kind::PatternAdded, "pattern", &pattern, message));
            }
            (Some(_), None) => {
                self.add(Difference::new(
                    Kind::PatternRemoved,
                    "pattern",
                    &pattern,
                    "need not match a pattern any more",
                ));
            }
            (Some(was), Some(now)) if was != now => {
                let message = format!(
                    "the pattern went from {} to {}; could not prove that the same texts match",
                    shown_value(was),
                    shown_value(now)
                );
                self.add(Difference::new(Kind::PatternChanged, "pattern", &pattern, message));
            }
            _ => {}
        }
        let (was, now) = (old.rest.get("format"), new.rest.get("format"));
        if was != now {
            let says = |it: Option<&&Value>| it.map_or_else(|| "none".to_owned(), |it| shown_value(it));
            let message = format!("the format went from {} to {}", says(was), says(now));
            self.add(Difference::new(
                Kind::FormatChanged,
                "format",
                &at.keyword("format"),
                message,
            ));
        }
    }

    fn items(&mut self, old: &Flat<'a>, new: &Flat<'a>, at: &At) {
        static ANYTHING: Value = Value::Bool(true);
        let (was, now) = (old.rest.get("items"), new.rest.get("items"));
        if was.is_none() && now.is_none() || !old.types.and(new.types).allows("array") {
            return;
        }
        let (was, now) = (was.copied().unwrap_or(&ANYTHING), now.copied().unwrap_or(&ANYTHING));
        match (was, now) {
            (Value::Array(was), Value::Array(now)) => self.one_by_one(was, now, "items", at),
            (Value::Array(_), _) | (_, Value::Array(_)) => self.give_up("items", [Some(was), Some(now)], at),
            _ => self.compare(was, now, &at.below("items", Segment::Item)),
        }
    }

    fn undecided(&mut self, old: &Flat<'a>, new: &Flat<'a>, at: &At) {
        for keyword in UNDECIDED {
            let (was, now) = (old.rest.get(keyword).copied(), new.rest.get(keyword).copied());
            match (was, now) {
                (None, None) => {}
                (Some(Value::Array(was)), Some(Value::Array(now))) if keyword == "prefixItems" => {
                    self.one_by_one(was, now, keyword, at);
                }
                (Some(Value::Object(was)), Some(Value::Object(now)))
                    if keyword == "patternProperties"
                        && was.len() == now.len()
                        && was.keys().all(|it| now.contains_key(it)) =>
                {
                    let at = at.below(keyword, Segment::AnyKey);
                    was.iter()
                        .for_each(|(pattern, was)| self.compare(was, &now[pattern], &at));
                }
                // Both sides being closed is what `objects` compares.
                _ if keyword == "unevaluatedProperties" && [was, now].iter().flatten().all(|it| it.is_boolean()) => {}
                (Some(was), Some(now)) if self.is_same_part(was, now, keyword) => {}
                _ => self.give_up(keyword, [was, now], at),
            }
        }
    }

    fn one_by_one(&mut self, was: &'a [Value], now: &'a [Value], keyword: &'static str, at: &At) {
        if was.len() != now.len() {
            let count = |all: &[Value]| Value::from(all.len());
            return self.give_up(keyword, [Some(&count(was)), Some(&count(now))], at);
        }
        for (was, now) in was.iter().zip(now) {
            self.compare(was, now, &at.below(keyword, Segment::Item));
        }
    }

    /// Whether the values of a keyword are the same: schemas, or mappings of schemas, or neither.
    pub(super) fn is_same_part(&mut self, was: &'a Value, now: &'a Value, keyword: &str) -> bool {
        let holds_schemas = matches!(keyword, "dependentSchemas" | "dependencies" | "patternProperties");
        match (was, now) {
            (Value::Object(was), Value::Object(now)) if holds_schemas => {
                was.len() == now.len()
                    && was
                        .iter()
                        .all(|(name, was)| now.get(name).is_some_and(|now| self.is_same(was, now)))
            }
            (Value::Object(_) | Value::Bool(_), Value::Object(_) | Value::Bool(_)) => self.is_same(was, now),
            _ => canonical(was) == canonical(now),
        }
    }

    /// Says that a keyword differs and nothing can be proved of it.
    pub(super) fn give_up(&mut self, keyword: &'static str, [was, now]: [Option<&Value>; 2], at: &At) {
        let mark = mark(was, now);
        let message = format!("`{keyword}` differs, and could not prove that the same values are allowed {mark}");
        self.add(Difference::new(
            Kind::Undecidable,
            keyword,
            &at.keyword(keyword),
            message,
        ));
    }
}

fn address(schema: &Value) -> usize {
    ptr::from_ref(schema).addr()
}
