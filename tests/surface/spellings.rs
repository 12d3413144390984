//! Schemas that say the same in other words, and schemas that are made to be hard to compare.

use mcpvals::{
    compare::surface::{Used, rule, surface_changes},
    model::{ChangeClass, Surface, SurfaceChange},
};
use serde_json::{Value, json};

fn surface(schema: Value) -> Surface {
    let mut tool = json!({"name": "search"});
    tool["inputSchema"] = schema;
    Surface {
        tools: vec![tool],
        ..Surface::default()
    }
}

fn changes(old: Value, new: Value) -> Vec<SurfaceChange> {
    surface_changes(&surface(old), &surface(new), &[])
}

fn found(old: Value, new: Value) -> Vec<(&'static str, ChangeClass)> {
    changes(old, new)
        .into_iter()
        .map(|it| (rule(&it.rule).expect("a rule of ours").id, it.class))
        .collect()
}

fn property(schema: Value) -> Value {
    let mut whole = json!({"type": "object"});
    whole["properties"]["q"] = schema;
    whole
}

#[test]
fn large_whole_numbers_are_compared_to_the_last_digit() {
    for keyword in ["maximum", "minimum", "exclusiveMaximum", "multipleOf", "const"] {
        let schema = |number: u64| property(json!({"type": "integer", keyword: number}));
        let (near, far) = (schema(9_007_199_254_740_993), schema(9_007_199_254_740_992));
        assert_eq!(changes(near.clone(), far).len(), 1, "{keyword}");
        assert!(changes(near.clone(), near).is_empty(), "{keyword}");
    }
}

#[test]
fn other_spellings_of_the_same_are_no_change() {
    let same = [
        (
            json!({"type": ["string", "null"]}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ),
        (
            json!({"type": ["null", "string"]}),
            json!({"oneOf": [{"type": "null"}, {"type": "string"}]}),
        ),
        (
            json!({"enum": ["a", null]}),
            json!({"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
        ),
        (
            json!({"enum": ["a", "b"]}),
            json!({"anyOf": [{"const": "b"}, {"const": "a"}]}),
        ),
        (json!({"enum": ["a"]}), json!({"const": "a"})),
        (json!({"enum": ["a"]}), json!({"enum": ["a"], "type": "string"})),
        (json!({"type": "string"}), json!({"allOf": [{"type": "string"}]})),
        (
            json!({"type": "integer", "minimum": 1}),
            json!({"type": "integer", "exclusiveMinimum": 0}),
        ),
        (
            json!({"type": "number", "minimum": 1}),
            json!({"type": "number", "minimum": 1.0}),
        ),
        (
            json!({"type": "object"}),
            json!({"type": "object", "additionalProperties": true, "required": []}),
        ),
        (
            json!({"type": "array"}),
            json!({"type": "array", "items": {}, "minItems": 0}),
        ),
        (json!({}), json!(true)),
    ];
    for (one, other) in same {
        assert_eq!(
            found(property(one.clone()), property(other.clone())),
            [],
            "{one} and {other}"
        );
        assert_eq!(
            found(property(other.clone()), property(one.clone())),
            [],
            "{other} and {one}"
        );
    }
}

#[test]
fn references_are_followed() {
    let plain = property(json!({"type": "string", "maxLength": 5}));
    let by_reference = |longest: u32| {
        json!({
            "type": "object",
            "properties": {"q": {"$ref": "#/$defs/text"}},
            "$defs": {"text": {"type": "string", "maxLength": longest}},
        })
    };
    assert_eq!(found(plain.clone(), by_reference(5)), []);
    let tightened = changes(plain, by_reference(4));
    assert_eq!(tightened[0].rule, "in-bound-tightened");
    assert_eq!(
        tightened[0].witness.as_ref().expect("there is one").value,
        json!({"q": "xxxxx"})
    );
}

#[test]
fn a_definition_that_is_only_reached_in_a_choice_is_compared_too() {
    let schema = |longest: u32| {
        json!({
            "type": "object",
            "patternProperties": {"^x": {"$ref": "#/$defs/text"}},
            "properties": {"q": {"oneOf": [{"$ref": "#/$defs/text"}, {"type": "integer"}]}},
            "$defs": {"text": {"type": "string", "maxLength": longest}},
        })
    };
    let rules: Vec<&str> = found(schema(5), schema(4)).iter().map(|it| it.0).collect();
    assert_eq!(rules, ["in-bound-tightened", "in-bound-tightened"], "once a place");
}

#[test]
fn schemas_that_refer_to_themselves_end() {
    let tree = |extra: Value| {
        json!({
            "type": "object",
            "properties": {"root": {"$ref": "#/$defs/node"}},
            "$defs": {"node": {
                "type": "object",
                "properties": {"name": extra, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            }},
        })
    };
    let text = json!({"type": "string"});
    assert_eq!(found(tree(text.clone()), tree(text.clone())), []);
    let found = found(tree(text), tree(json!({"type": "integer"})));
    assert_eq!(found[0], ("in-type-changed", ChangeClass::Breaking));
    let itself =
        |pattern: &str| json!({"type": "object", "properties": {"a": {"$ref": "#/properties/a", "pattern": pattern}}});
    assert!(!changes(itself("a"), itself("b")).is_empty());
}

#[test]
fn a_schema_that_explodes_is_given_up_on_and_says_so() {
    let bomb = |leaf: &str| {
        let mut definitions = serde_json::Map::new();
        definitions.insert("d30".to_owned(), json!({"type": leaf}));
        for n in 0..30 {
            let next = format!("#/$defs/d{}", n + 1);
            let branch = |name: &str| json!({"properties": {name: {"$ref": next}}});
            definitions.insert(
                format!("d{n}"),
                json!({"anyOf": [branch("a"), branch("b"), branch("c")]}),
            );
        }
        json!({"type": "object", "properties": {"q": {"$ref": "#/$defs/d0"}}, "$defs": definitions})
    };
    let changes = changes(bomb("string"), bomb("integer"));
    assert!(!changes.is_empty());
    assert!(
        changes
            .iter()
            .all(|it| it.class >= ChangeClass::Risky || it.rule == "version-not-bumped")
    );
}

#[test]
fn what_was_alone_and_becomes_one_of_several_is_compatible() {
    let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
    let both = json!({"anyOf": [number.clone(), text.clone()]});
    assert_eq!(
        found(property(text.clone()), property(both.clone())),
        [("in-any-of-branch-added", ChangeClass::Compatible)]
    );
    let other = json!({"anyOf": [number, {"type": "boolean"}]});
    assert_eq!(
        found(property(text), property(other)),
        [("in-undecidable", ChangeClass::Risky)]
    );
}

#[test]
fn several_changes_have_each_their_own_witness() {
    let old = json!({"type": "object", "properties": {"q": {"enum": ["a", "b"]}, "n": {"type": "integer"}}});
    let new = json!({
        "type": "object",
        "required": ["user"],
        "properties": {"q": {"enum": ["a"]}, "n": {"type": "integer", "maximum": 3}, "user": {"type": "string"}},
    });
    let changes = changes(old.clone(), new.clone());
    let witness = |rule: &str| {
        let change = changes.iter().find(|it| it.rule == rule).expect(rule);
        change.witness.as_ref().expect("there is one").value.clone()
    };
    assert_eq!(witness("in-enum-value-removed"), json!({"q": "b"}));
    assert_eq!(witness("in-bound-added"), json!({"n": 4}));
    assert_eq!(witness("in-required-added"), json!({}));
    let used = Used {
        case: "a › b".to_owned(),
        tool: "search".to_owned(),
        arguments: json!({"q": "a", "n": 1}),
    };
    let changes = surface_changes(&surface(old), &surface(new), &[used]);
    let own: Vec<&str> = changes
        .iter()
        .filter(|it| it.witness.as_ref().is_some_and(|it| it.case.is_some()))
        .map(|it| it.rule.as_ref())
        .collect();
    assert_eq!(own, ["in-required-added"], "the fixture's arguments show nothing else");
}

#[test]
fn a_surface_that_makes_no_sense_is_no_reason_to_panic() {
    let odd = Surface {
        tools: vec![
            json!(null),
            json!({"name": 3}),
            json!({"name": "a", "inputSchema": "x", "outputSchema": [1], "annotations": [], "_meta": 3, "execution": 1}),
            json!({"name": "b", "inputSchema": {"properties": [], "required": "x", "enum": 1, "anyOf": {}, "items": 3, "$ref": 7}}),
        ],
        prompts: vec![json!({"name": "p", "arguments": "none"})],
        resources: vec![json!({"uri": "a://"})],
        ..Surface::default()
    };
    let plain = Surface {
        tools: vec![
            json!({"name": "a", "inputSchema": {"type": "object"}, "outputSchema": {}}),
            json!({"name": "b", "inputSchema": {"type": "object", "properties": {"x": {}}, "anyOf": [{}]}}),
        ],
        prompts: vec![json!({"name": "p", "arguments": [{"name": "x"}]})],
        ..Surface::default()
    };
    assert!(!surface_changes(&odd, &plain, &[]).is_empty());
    assert!(!surface_changes(&plain, &odd, &[]).is_empty());
    assert_eq!(surface_changes(&odd, &odd, &[]), []);
}
