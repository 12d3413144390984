//! The rules for input schemas: who sends arguments is hurt where less is accepted.

use super::{
    Rule,
    schema::{Constraint, Kind},
};

const REQUIRED_ADDED: Rule = Rule::breaking("in-required-added", "a required property is new");
const BECAME_REQUIRED: Rule = Rule::breaking("in-became-required", "a property is required now");
const BECAME_OPTIONAL: Rule = Rule::compatible("in-became-optional", "a property is not required any more");
const OPTIONAL_ADDED: Rule = Rule::compatible("in-optional-added", "an optional property is new").seen_by_models();
const PROPERTY_REMOVED: Rule = Rule::breaking(
    "in-property-removed",
    "a property is gone, and refused where it still comes",
);
const PROPERTY_IGNORED: Rule = Rule::risky(
    "in-property-ignored",
    "a property is gone, and ignored where it still comes",
);
const PROPERTY_RENAMED: Rule = Rule::breaking("in-property-renamed", "a property is called differently");
const TYPE_CHANGED: Rule = Rule::breaking("in-type-changed", "the type is another one");
const TYPE_NARROWED: Rule = Rule::breaking("in-type-narrowed", "a type is not accepted any more");
const TYPE_WIDENED: Rule = Rule::compatible("in-type-widened", "a type more is accepted, or `null`");
const NULL_REMOVED: Rule = Rule::breaking("in-nullable-removed", "`null` is not accepted any more");
const ENUM_ADDED: Rule = Rule::breaking("in-enum-added", "only listed values are accepted now");
const ENUM_LIFTED: Rule =
    Rule::compatible("in-enum-lifted", "values beyond the listed ones are accepted now").seen_by_models();
const ENUM_VALUE_REMOVED: Rule = Rule::breaking("in-enum-value-removed", "a listed value is not accepted any more");
const ENUM_VALUE_ADDED: Rule = Rule::compatible("in-enum-value-added", "a listed value is new").seen_by_models();
const CONST_ADDED: Rule = Rule::breaking("in-const-added", "one value only is accepted now");
const CONST_CHANGED: Rule = Rule::breaking("in-const-changed", "another value only is accepted now");
const CONST_LIFTED: Rule =
    Rule::compatible("in-const-lifted", "values beyond the one are accepted now").seen_by_models();
const DEFAULT_CHANGED: Rule = Rule::risky(
    "in-default-changed",
    "the default is another one: leaving it out may mean something else",
)
.seen_by_models();
const DEFAULT_ADDED: Rule = Rule::risky(
    "in-default-added",
    "a default is new: leaving it out may mean something else",
)
.seen_by_models();
const DEFAULT_REMOVED: Rule = Rule::risky(
    "in-default-removed",
    "the default is gone: leaving it out may mean something else",
)
.seen_by_models();
const BOUND_TIGHTENED: Rule = Rule::breaking("in-bound-tightened", "a bound is tighter");
const BOUND_ADDED: Rule = Rule::breaking("in-bound-added", "a bound is new");
const BOUND_LOOSENED: Rule = Rule::compatible("in-bound-loosened", "a bound is looser");
const BOUND_LIFTED: Rule = Rule::compatible("in-bound-lifted", "a bound is gone");
const PATTERN_ADDED: Rule = Rule::breaking("in-pattern-added", "texts must match a pattern now");
const PATTERN_CHANGED: Rule = Rule::risky("in-pattern-changed", "the pattern is another one, which may match less");
const PATTERN_REMOVED: Rule = Rule::compatible("in-pattern-removed", "texts need not match a pattern any more");
const FORMAT_CHANGED: Rule = Rule::risky(
    "in-format-changed",
    "the format is another one, which servers may enforce",
);
const CLOSED: Rule = Rule::breaking("in-additional-properties-closed", "unknown properties are refused now");
const OPENED: Rule = Rule::compatible("in-additional-properties-opened", "unknown properties are accepted now");
const ANY_OF_REMOVED: Rule = Rule::breaking("in-any-of-branch-removed", "a branch of `anyOf` is gone");
const ANY_OF_ADDED: Rule = Rule::compatible("in-any-of-branch-added", "`anyOf` has one more branch");
const ONE_OF_REMOVED: Rule = Rule::breaking("in-one-of-branch-removed", "a branch of `oneOf` is gone");
const ONE_OF_ADDED: Rule = Rule::risky(
    "in-one-of-branch-added",
    "`oneOf` has one more branch, which may match what another one matches",
);
const ANY_OF_CONSTRAINT_ADDED: Rule = Rule::breaking("in-any-of-added", "`anyOf` restricts what is accepted");
const ANY_OF_CONSTRAINT_REMOVED: Rule = Rule::compatible(
    "in-any-of-removed",
    "`anyOf` does not restrict what is accepted any more",
);
const ONE_OF_CONSTRAINT_ADDED: Rule = Rule::breaking("in-one-of-added", "`oneOf` restricts what is accepted");
const ONE_OF_CONSTRAINT_REMOVED: Rule = Rule::compatible(
    "in-one-of-removed",
    "`oneOf` does not restrict what is accepted any more",
);
const ALL_OF_CONSTRAINT_ADDED: Rule = Rule::breaking("in-all-of-added", "`allOf` restricts what is accepted");
const ALL_OF_CONSTRAINT_REMOVED: Rule = Rule::compatible(
    "in-all-of-removed",
    "`allOf` does not restrict what is accepted any more",
);
const NOT_CONSTRAINT_ADDED: Rule = Rule::breaking("in-not-added", "`not` restricts what is accepted");
const NOT_CONSTRAINT_REMOVED: Rule =
    Rule::compatible("in-not-removed", "`not` does not restrict what is accepted any more");
const IF_CONSTRAINT_ADDED: Rule = Rule::breaking("in-if-added", "`if` restricts what is accepted");
const IF_CONSTRAINT_REMOVED: Rule =
    Rule::compatible("in-if-removed", "`if` does not restrict what is accepted any more");
const DEPENDENT_CONSTRAINT_ADDED: Rule = Rule::breaking(
    "in-dependent-required-added",
    "`dependentRequired` restricts what is accepted",
);
const DEPENDENT_CONSTRAINT_REMOVED: Rule = Rule::compatible(
    "in-dependent-required-removed",
    "`dependentRequired` does not restrict what is accepted any more",
);
const CONTAINS_CONSTRAINT_ADDED: Rule = Rule::breaking("in-contains-added", "`contains` restricts what is accepted");
const CONTAINS_CONSTRAINT_REMOVED: Rule = Rule::compatible(
    "in-contains-removed",
    "`contains` does not restrict what is accepted any more",
);
const ROOT_COMPOSITION: Rule = Rule::breaking(
    "in-root-composition-introduced",
    "`anyOf`, `oneOf` or `allOf` stands at the root, which some model providers refuse",
);
const DIALECT: Rule = Rule::risky(
    "in-dialect-changed",
    "the dialect differs, and keywords may mean something else",
);
const DIALECT_RELABELLED: Rule =
    Rule::cosmetic("in-dialect-relabelled", "the dialect differs, and the keywords do not");
const DESCRIPTION_CHANGED: Rule =
    Rule::risky("in-description-changed", "the description has other words").seen_by_models();
const DESCRIPTION_REMOVED: Rule = Rule::risky("in-description-removed", "the description is gone").seen_by_models();
const DESCRIPTION_ADDED: Rule =
    Rule::compatible("in-description-added", "there is a description where there was none").seen_by_models();
const DESCRIPTION_RESPELLED: Rule = Rule::cosmetic(
    "in-description-respelled",
    "only white space or capitals of the description differ",
);
const TITLE: Rule = Rule::cosmetic("in-title-changed", "the title differs").seen_by_models();
const EXAMPLES: Rule = Rule::cosmetic("in-examples-changed", "the examples differ").seen_by_models();
const DEPRECATED_ADDED: Rule = Rule::compatible(
    "in-deprecated-added",
    "a property is deprecated now, which prepares its removal",
)
.seen_by_models();
const DEPRECATED_REMOVED: Rule =
    Rule::compatible("in-deprecated-removed", "a property is not deprecated any more").seen_by_models();
const HEADER: Rule = Rule::risky(
    "in-header-changed",
    "the header that carries a property (`x-mcp-header`) differs: clients fail until they list the tools anew",
);
const ANNOTATION: Rule = Rule::cosmetic("in-annotation-changed", "a keyword that restricts nothing differs");
const UNDECIDABLE: Rule = Rule::risky("in-undecidable", "could not prove that the same arguments are accepted");

/// Every rule of this family.
pub(super) const RULES: &[Rule] = &[
    REQUIRED_ADDED,
    BECAME_REQUIRED,
    BECAME_OPTIONAL,
    OPTIONAL_ADDED,
    PROPERTY_REMOVED,
    PROPERTY_IGNORED,
    PROPERTY_RENAMED,
    TYPE_CHANGED,
    TYPE_NARROWED,
    TYPE_WIDENED,
    NULL_REMOVED,
    ENUM_ADDED,
    ENUM_LIFTED,
    ENUM_VALUE_REMOVED,
    ENUM_VALUE_ADDED,
    CONST_ADDED,
    CONST_CHANGED,
    CONST_LIFTED,
    DEFAULT_CHANGED,
    DEFAULT_ADDED,
    DEFAULT_REMOVED,
    BOUND_TIGHTENED,
    BOUND_ADDED,
    BOUND_LOOSENED,
    BOUND_LIFTED,
    PATTERN_ADDED,
    PATTERN_CHANGED,
    PATTERN_REMOVED,
    FORMAT_CHANGED,
    CLOSED,
    OPENED,
    ANY_OF_REMOVED,
    ANY_OF_ADDED,
    ONE_OF_REMOVED,
    ONE_OF_ADDED,
    ANY_OF_CONSTRAINT_ADDED,
    ANY_OF_CONSTRAINT_REMOVED,
    ONE_OF_CONSTRAINT_ADDED,
    ONE_OF_CONSTRAINT_REMOVED,
    ALL_OF_CONSTRAINT_ADDED,
    ALL_OF_CONSTRAINT_REMOVED,
    NOT_CONSTRAINT_ADDED,
    NOT_CONSTRAINT_REMOVED,
    IF_CONSTRAINT_ADDED,
    IF_CONSTRAINT_REMOVED,
    DEPENDENT_CONSTRAINT_ADDED,
    DEPENDENT_CONSTRAINT_REMOVED,
    CONTAINS_CONSTRAINT_ADDED,
    CONTAINS_CONSTRAINT_REMOVED,
    ROOT_COMPOSITION,
    DIALECT,
    DIALECT_RELABELLED,
    DESCRIPTION_CHANGED,
    DESCRIPTION_REMOVED,
    DESCRIPTION_ADDED,
    DESCRIPTION_RESPELLED,
    TITLE,
    EXAMPLES,
    DEPRECATED_ADDED,
    DEPRECATED_REMOVED,
    HEADER,
    ANNOTATION,
    UNDECIDABLE,
];

/// The rule for a difference, or nothing where it means nothing for who sends arguments.
pub(super) const fn rule(kind: Kind) -> Option<Rule> {
    let rule = match kind {
        Kind::RequiredAdded => REQUIRED_ADDED,
        Kind::BecameRequired => BECAME_REQUIRED,
        Kind::BecameOptional => BECAME_OPTIONAL,
        Kind::OptionalAdded => OPTIONAL_ADDED,
        Kind::RequiredRemovedFromClosed | Kind::OptionalRemovedFromClosed => PROPERTY_REMOVED,
        Kind::RequiredRemovedFromOpen | Kind::OptionalRemovedFromOpen => PROPERTY_IGNORED,
        Kind::PropertyRenamed => PROPERTY_RENAMED,
        // Said by the property that came.
        Kind::AddedToClosed => return None,
        Kind::TypeChanged => TYPE_CHANGED,
        Kind::TypeNarrowed => TYPE_NARROWED,
        Kind::TypeWidened | Kind::NullAdded => TYPE_WIDENED,
        Kind::NullRemoved => NULL_REMOVED,
        Kind::EnumAdded => ENUM_ADDED,
        Kind::EnumLifted => ENUM_LIFTED,
        Kind::EnumValueRemoved => ENUM_VALUE_REMOVED,
        Kind::EnumValueAdded => ENUM_VALUE_ADDED,
        Kind::ConstAdded => CONST_ADDED,
        Kind::ConstChanged => CONST_CHANGED,
        Kind::ConstLifted => CONST_LIFTED,
        Kind::BoundAdded => BOUND_ADDED,
        Kind::BoundTightened => BOUND_TIGHTENED,
        Kind::BoundLoosened => BOUND_LOOSENED,
        Kind::BoundLifted => BOUND_LIFTED,
        Kind::PatternAdded => PATTERN_ADDED,
        Kind::PatternChanged => PATTERN_CHANGED,
        Kind::PatternRemoved => PATTERN_REMOVED,
        Kind::FormatChanged => FORMAT_CHANGED,
        Kind::Closed => CLOSED,
        Kind::Opened => OPENED,
        Kind::AnyOfBranchAdded => ANY_OF_ADDED,
        Kind::AnyOfBranchRemoved => ANY_OF_REMOVED,
        Kind::OneOfBranchAdded => ONE_OF_ADDED,
        Kind::OneOfBranchRemoved => ONE_OF_REMOVED,
        Kind::ConstraintAdded(constraint) => added(constraint),
        Kind::ConstraintRemoved(constraint) => removed(constraint),
        Kind::RootComposition => ROOT_COMPOSITION,
        Kind::DialectChanged => DIALECT,
        Kind::DialectRelabelled => DIALECT_RELABELLED,
        Kind::DescriptionAdded => DESCRIPTION_ADDED,
        Kind::DescriptionChanged => DESCRIPTION_CHANGED,
        Kind::DescriptionRemoved => DESCRIPTION_REMOVED,
        Kind::DescriptionRespelled => DESCRIPTION_RESPELLED,
        Kind::TitleChanged => TITLE,
        Kind::ExamplesChanged => EXAMPLES,
        Kind::DefaultAdded => DEFAULT_ADDED,
        Kind::DefaultChanged => DEFAULT_CHANGED,
        Kind::DefaultRemoved => DEFAULT_REMOVED,
        Kind::DeprecatedAdded => DEPRECATED_ADDED,
        Kind::DeprecatedRemoved => DEPRECATED_REMOVED,
        Kind::HeaderChanged => HEADER,
        Kind::AnnotationChanged => ANNOTATION,
        Kind::Undecidable => UNDECIDABLE,
    };
    Some(rule)
}

const fn added(constraint: Constraint) -> Rule {
    match constraint {
        Constraint::AnyOf => ANY_OF_CONSTRAINT_ADDED,
        Constraint::OneOf => ONE_OF_CONSTRAINT_ADDED,
        Constraint::AllOf => ALL_OF_CONSTRAINT_ADDED,
        Constraint::Not => NOT_CONSTRAINT_ADDED,
        Constraint::If => IF_CONSTRAINT_ADDED,
        Constraint::DependentRequired => DEPENDENT_CONSTRAINT_ADDED,
        Constraint::Contains => CONTAINS_CONSTRAINT_ADDED,
    }
}

const fn removed(constraint: Constraint) -> Rule {
    match constraint {
        Constraint::AnyOf => ANY_OF_CONSTRAINT_REMOVED,
        Constraint::OneOf => ONE_OF_CONSTRAINT_REMOVED,
        Constraint::AllOf => ALL_OF_CONSTRAINT_REMOVED,
        Constraint::Not => NOT_CONSTRAINT_REMOVED,
        Constraint::If => IF_CONSTRAINT_REMOVED,
        Constraint::DependentRequired => DEPENDENT_CONSTRAINT_REMOVED,
        Constraint::Contains => CONTAINS_CONSTRAINT_REMOVED,
    }
}
