//! The search: first what the fixtures send, then the smallest values that can be made up.

use std::cell::OnceCell;

use serde_json::Value;

use super::sample::samples;
use crate::{
    compare::surface::{
        Used,
        schema::{Difference, Segment},
    },
    judge::json_schema::{Refusal, Schema},
    model::Witness,
};

/// Keywords that refuse a value for what is wrong in one of their schemas.
const COMPOSITIONS: [&str; 4] = ["anyOf", "oneOf", "falseSchema", "allOf"];

/// Keywords that leave it to their schemas to refuse a value, at the place or below it.
const NESTING: [&str; 5] = ["allOf", "if", "then", "else", "dependentRequired"];

/// The schema that accepts a witness, and the one that refuses it.
pub(in crate::compare::surface) struct Sides<'a> {
    accepting: &'a Value,
    refusing: &'a Value,
    compiled: OnceCell<Option<(Schema, Schema)>>,
}

impl<'a> Sides<'a> {
    /// Nothing is compiled before it is needed.
    pub(in crate::compare::surface) const fn new(accepting: &'a Value, refusing: &'a Value) -> Self {
        Self {
            accepting,
            refusing,
            compiled: OnceCell::new(),
        }
    }

    /// Whether the value is accepted by the one and refused by the other for this difference.
    fn shows(&self, value: &Value, difference: &Difference) -> bool {
        let compile = || Some((Schema::of_server(self.accepting)?, Schema::of_server(self.refusing)?));
        let Some((accepting, refusing)) = self.compiled.get_or_init(compile) else {
            return false;
        };
        accepting.accepts(value)
            && refusing
                .refusals(value)
                .iter()
                .any(|refusal| is_for(refusal, difference))
    }
}

/// A value that shows the difference, if one is found.
pub(in crate::compare::surface) fn witness(
    sides: &Sides<'_>,
    difference: &Difference,
    used: &[&Used],
) -> Option<Witness> {
    let own = used.iter().find(|used| sides.shows(&used.arguments, difference));
    if let Some(used) = own {
        return Some(Witness {
            value: used.arguments.clone(),
            case: Some(used.case.clone()),
        });
    }
    let made_up = samples(sides.accepting, sides.refusing, difference);
    let value = made_up.into_iter().find(|value| sides.shows(value, difference))?;
    Some(Witness { value, case: None })
}

fn is_for(refusal: &Refusal, difference: &Difference) -> bool {
    let place = &difference.at.place;
    if COMPOSITIONS.contains(&refusal.keyword.as_str()) {
        return refusal.place.len() <= place.len() && is_at(&refusal.place, &place[..refusal.place.len()]);
    }
    if NESTING.contains(&difference.keyword) {
        return refusal.place.len() >= place.len() && is_at(&refusal.place[..place.len()], place);
    }
    let is_keyword = difference.keyword.is_empty() || is_one_keyword(&refusal.keyword, difference.keyword);
    let is_property = match &difference.property {
        Some(name) => refusal.properties.contains(name),
        None => true,
    };
    let is_value = difference.value.as_ref().is_none_or(|value| refusal.value == *value);
    is_at(&refusal.place, place) && is_keyword && is_property && is_value
}

fn is_at(place: &[String], expected: &[Segment]) -> bool {
    place.len() == expected.len()
        && place.iter().zip(expected).all(|(step, expected)| match expected {
            Segment::Key(name) => step == name,
            Segment::Item => step.bytes().all(|byte| byte.is_ascii_digit()),
            Segment::AnyKey => true,
        })
}

fn is_one_keyword(one: &str, other: &str) -> bool {
    let family = |keyword: &str| match keyword {
        "const" => "enum".to_owned(),
        "exclusiveMinimum" => "minimum".to_owned(),
        "exclusiveMaximum" => "maximum".to_owned(),
        "unevaluatedProperties" => "additionalProperties".to_owned(),
        other => other.to_owned(),
    };
    family(one) == family(other)
}
