//! The rules for output schemas: who reads results is hurt where more may come.

use super::{Rule, schema::Kind};

pub(super) const SCHEMA_ADDED: Rule = Rule::compatible(
    "out-schema-added",
    "there is an output schema, which obliges the server",
);
pub(super) const SCHEMA_REMOVED: Rule = Rule::breaking(
    "out-schema-removed",
    "there is no output schema any more, which typed clients read",
);
pub(super) const ROOT_TYPE_CHANGED: Rule = Rule::breaking(
    "out-root-type-changed",
    "the result is no object any more: clients before 2026 drop the whole list of tools",
);
const REQUIRED_REMOVED: Rule = Rule::breaking("out-required-removed", "a property that always came is gone");
const BECAME_OPTIONAL: Rule = Rule::breaking("out-became-optional", "a property that always came may be missing");
const BECAME_REQUIRED: Rule = Rule::compatible("out-became-required", "a property always comes");
const OPTIONAL_REMOVED: Rule = Rule::risky("out-optional-removed", "a property that came at times is gone");
const PROPERTY_RENAMED: Rule = Rule::breaking("out-property-renamed", "a property is called differently");
const PROPERTY_ADDED: Rule = Rule::compatible("out-property-added", "a property is new");
const ADDED_TO_CLOSED: Rule = Rule::risky(
    "out-property-added-to-closed",
    "a property is new that who validates by the old schema refuses",
);
const TYPE_CHANGED: Rule = Rule::breaking("out-type-changed", "the type is another one");
const TYPE_WIDENED: Rule = Rule::breaking("out-type-widened", "a type may come that could not");
const TYPE_NARROWED: Rule = Rule::compatible("out-type-narrowed", "a type does not come any more, or `null`");
const NULL_ADDED: Rule = Rule::breaking("out-nullable-added", "`null` may come");
const ENUM_LIFTED: Rule = Rule::risky("out-enum-lifted", "values beyond the listed ones may come");
const ENUM_ADDED: Rule = Rule::compatible("out-enum-added", "only listed values come");
const ENUM_VALUE_ADDED: Rule = Rule::risky("out-enum-value-added", "a value may come that was not listed");
const ENUM_VALUE_REMOVED: Rule = Rule::compatible("out-enum-value-removed", "a listed value does not come any more");
const CONST_CHANGED: Rule = Rule::breaking("out-const-changed", "another value comes");
const BOUND_LOOSENED: Rule = Rule::risky("out-bound-loosened", "a bound is looser or gone");
const BOUND_TIGHTENED: Rule = Rule::compatible("out-bound-tightened", "a bound is tighter or new");
const PATTERN_CHANGED: Rule = Rule::risky(
    "out-pattern-changed",
    "texts may come that the old pattern does not match",
);
const PATTERN_ADDED: Rule = Rule::compatible("out-pattern-added", "texts match a pattern");
const FORMAT_CHANGED: Rule = Rule::risky("out-format-changed", "the format is another one");
const OPENED: Rule = Rule::risky("out-additional-properties-opened", "unknown properties may come");
const CLOSED: Rule = Rule::compatible(
    "out-additional-properties-closed",
    "unknown properties do not come any more",
);
const BRANCH_ADDED: Rule = Rule::breaking("out-branch-added", "`anyOf` or `oneOf` has one more branch");
const BRANCH_REMOVED: Rule = Rule::compatible("out-branch-removed", "a branch of `anyOf` or `oneOf` is gone");
const CONSTRAINT_REMOVED: Rule = Rule::risky(
    "out-constraint-removed",
    "a combination does not restrict what comes any more",
);
const CONSTRAINT_ADDED: Rule = Rule::compatible("out-constraint-added", "a combination restricts what comes");
const DIALECT: Rule = Rule::risky(
    "out-dialect-changed",
    "the dialect differs, and keywords may mean something else",
);
const DIALECT_RELABELLED: Rule =
    Rule::cosmetic("out-dialect-relabelled", "the dialect differs, and the keywords do not");
const DESCRIPTION: Rule = Rule::cosmetic("out-description-changed", "the description differs").seen_by_models();
const ANNOTATION: Rule = Rule::cosmetic("out-annotation-changed", "a keyword that restricts nothing differs");
const UNDECIDABLE: Rule = Rule::risky("out-undecidable", "could not prove that only the same results come");

/// Every rule of this family.
pub(super) const RULES: &[Rule] = &[
    SCHEMA_ADDED,
    SCHEMA_REMOVED,
    ROOT_TYPE_CHANGED,
    REQUIRED_REMOVED,
    BECAME_OPTIONAL,
    BECAME_REQUIRED,
    OPTIONAL_REMOVED,
    PROPERTY_RENAMED,
    PROPERTY_ADDED,
    ADDED_TO_CLOSED,
    TYPE_CHANGED,
    TYPE_WIDENED,
    TYPE_NARROWED,
    NULL_ADDED,
    ENUM_LIFTED,
    ENUM_ADDED,
    ENUM_VALUE_ADDED,
    ENUM_VALUE_REMOVED,
    CONST_CHANGED,
    BOUND_LOOSENED,
    BOUND_TIGHTENED,
    PATTERN_CHANGED,
    PATTERN_ADDED,
    FORMAT_CHANGED,
    OPENED,
    CLOSED,
    BRANCH_ADDED,
    BRANCH_REMOVED,
    CONSTRAINT_REMOVED,
    CONSTRAINT_ADDED,
    DIALECT,
    DIALECT_RELABELLED,
    DESCRIPTION,
    ANNOTATION,
    UNDECIDABLE,
];

/// The rule for a difference, or nothing where it means nothing for who reads results.
pub(super) const fn rule(kind: Kind) -> Option<Rule> {
    let rule = match kind {
        Kind::RequiredAdded | Kind::OptionalAdded => PROPERTY_ADDED,
        Kind::AddedToClosed => ADDED_TO_CLOSED,
        Kind::BecameRequired => BECAME_REQUIRED,
        Kind::BecameOptional => BECAME_OPTIONAL,
        Kind::RequiredRemovedFromClosed | Kind::RequiredRemovedFromOpen => REQUIRED_REMOVED,
        Kind::OptionalRemovedFromClosed | Kind::OptionalRemovedFromOpen => OPTIONAL_REMOVED,
        Kind::PropertyRenamed => PROPERTY_RENAMED,
        Kind::TypeChanged => TYPE_CHANGED,
        Kind::TypeWidened => TYPE_WIDENED,
        Kind::TypeNarrowed | Kind::NullRemoved => TYPE_NARROWED,
        Kind::NullAdded => NULL_ADDED,
        Kind::EnumLifted | Kind::ConstLifted => ENUM_LIFTED,
        Kind::EnumAdded | Kind::ConstAdded => ENUM_ADDED,
        Kind::EnumValueAdded => ENUM_VALUE_ADDED,
        Kind::EnumValueRemoved => ENUM_VALUE_REMOVED,
        Kind::ConstChanged => CONST_CHANGED,
        Kind::BoundLoosened | Kind::BoundLifted => BOUND_LOOSENED,
        Kind::BoundTightened | Kind::BoundAdded => BOUND_TIGHTENED,
        Kind::PatternChanged | Kind::PatternRemoved => PATTERN_CHANGED,
        Kind::PatternAdded => PATTERN_ADDED,
        Kind::FormatChanged => FORMAT_CHANGED,
        Kind::Opened => OPENED,
        Kind::Closed => CLOSED,
        Kind::AnyOfBranchAdded | Kind::OneOfBranchAdded => BRANCH_ADDED,
        Kind::AnyOfBranchRemoved | Kind::OneOfBranchRemoved => BRANCH_REMOVED,
        Kind::ConstraintRemoved(_) => CONSTRAINT_REMOVED,
        Kind::ConstraintAdded(_) => CONSTRAINT_ADDED,
        Kind::DialectChanged => DIALECT,
        Kind::DialectRelabelled => DIALECT_RELABELLED,
        Kind::DescriptionAdded | Kind::DescriptionChanged | Kind::DescriptionRemoved | Kind::DescriptionRespelled => {
            DESCRIPTION
        }
        Kind::TitleChanged
        | Kind::ExamplesChanged
        | Kind::DefaultAdded
        | Kind::DefaultChanged
        | Kind::DefaultRemoved
        | Kind::DeprecatedAdded
        | Kind::DeprecatedRemoved
        | Kind::HeaderChanged
        | Kind::AnnotationChanged => ANNOTATION,
        // No model is told the output schema's form.
        Kind::RootComposition => return None,
        Kind::Undecidable => UNDECIDABLE,
    };
    Some(rule)
}
