//! One difference between two schemas, and where it is.

use serde_json::Value;

use crate::compare::surface::words::shown;

/// What is different. Names are from the view of the values that are valid: `TypeNarrowed` accepts less than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::compare::surface) enum Kind {
    RequiredAdded,
    OptionalAdded,
    AddedToClosed,
    BecameRequired,
    BecameOptional,
    RequiredRemovedFromClosed,
    RequiredRemovedFromOpen,
    OptionalRemovedFromClosed,
    OptionalRemovedFromOpen,
    PropertyRenamed,
    TypeChanged,
    TypeNarrowed,
    TypeWidened,
    NullRemoved,
    NullAdded,
    EnumAdded,
    EnumLifted,
    EnumValueAdded,
    EnumValueRemoved,
    ConstAdded,
    ConstChanged,
    ConstLifted,
    BoundAdded,
    BoundTightened,
    BoundLoosened,
    BoundLifted,
    PatternAdded,
    PatternChanged,
    PatternRemoved,
    FormatChanged,
    Closed,
    Opened,
    AnyOfBranchAdded,
    AnyOfBranchRemoved,
    OneOfBranchAdded,
    OneOfBranchRemoved,
    ConstraintAdded(Constraint),
    ConstraintRemoved(Constraint),
    RootComposition,
    DialectChanged,
    DialectRelabelled,
    DescriptionAdded,
    DescriptionChanged,
    DescriptionRemoved,
    DescriptionRespelled,
    TitleChanged,
    ExamplesChanged,
    DefaultAdded,
    DefaultChanged,
    DefaultRemoved,
    DeprecatedAdded,
    DeprecatedRemoved,
    HeaderChanged,
    AnnotationChanged,
    Undecidable,
}

/// A combination of schemas that narrows what is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::compare::surface) enum Constraint {
    AnyOf,
    OneOf,
    AllOf,
    Not,
    If,
    DependentRequired,
    Contains,
}

impl Constraint {
    /// Its keyword.
    pub(super) const fn keyword(self) -> &'static str {
        match self {
            Self::AnyOf => "anyOf",
            Self::OneOf => "oneOf",
            Self::AllOf => "allOf",
            Self::Not => "not",
            Self::If => "if",
            Self::DependentRequired => "dependentRequired",
            Self::Contains => "contains",
        }
    }
}

impl Kind {
    /// Whether no value is valid on one side only for it.
    pub(in crate::compare::surface) const fn is_wording(self) -> bool {
        matches!(
            self,
            Self::RootComposition
                | Self::DialectRelabelled
                | Self::DescriptionAdded
                | Self::DescriptionChanged
                | Self::DescriptionRemoved
                | Self::DescriptionRespelled
                | Self::TitleChanged
                | Self::ExamplesChanged
                | Self::DefaultAdded
                | Self::DefaultChanged
                | Self::DefaultRemoved
                | Self::DeprecatedAdded
                | Self::DeprecatedRemoved
                | Self::HeaderChanged
                | Self::AnnotationChanged
        )
    }
}

/// One step into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::compare::surface) enum Segment {
    /// This property.
    Key(String),
    /// Any property that has no schema of its own.
    AnyKey,
    /// An item of a list.
    Item,
}

/// A place in both schemas.
#[derive(Debug, Clone, Default)]
pub(in crate::compare::surface) struct At {
    /// As people read it: `inputSchema.properties.limit`.
    pub(in crate::compare::surface) path: String,
    /// The values it is about.
    pub(in crate::compare::surface) place: Vec<Segment>,
    /// How deep it is.
    pub(super) depth: usize,
}

impl At {
    /// The root of a schema that is called so.
    pub(in crate::compare::surface) fn root(name: &str) -> Self {
        Self {
            path: name.to_owned(),
            ..Self::default()
        }
    }

    /// A place that nobody is shown.
    pub(super) fn aside(depth: usize) -> Self {
        Self {
            depth,
            ..Self::default()
        }
    }

    /// A keyword, which is about the same value.
    pub(super) fn keyword(&self, keyword: &str) -> Self {
        self.step(&format!(".{keyword}"), None)
    }

    /// A branch of a list of schemas, which is about the same value.
    pub(super) fn branch(&self, keyword: &str, index: usize) -> Self {
        self.step(&format!(".{keyword}[{index}]"), None)
    }

    /// A property.
    pub(super) fn property(&self, name: &str) -> Self {
        let is_plain =
            (1..=80).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-$".contains(c));
        let step = if is_plain {
            format!(".properties.{name}")
        } else {
            format!(".properties[{}]", shown(name))
        };
        self.step(&step, Some(Segment::Key(name.to_owned())))
    }

    /// Values below a keyword.
    pub(super) fn below(&self, keyword: &str, segment: Segment) -> Self {
        self.step(&format!(".{keyword}"), Some(segment))
    }

    fn step(&self, step: &str, segment: Option<Segment>) -> Self {
        let mut place = self.place.clone();
        place.extend(segment);
        Self {
            path: format!("{}{step}", self.path),
            place,
            depth: self.depth + 1,
        }
    }
}

/// One difference.
#[derive(Debug, Clone)]
pub(in crate::compare::surface) struct Difference {
    /// What is different.
    pub(in crate::compare::surface) kind: Kind,
    /// Where.
    pub(in crate::compare::surface) at: At,
    /// In words.
    pub(in crate::compare::surface) message: String,
    /// The keyword that refuses a value for it.
    pub(in crate::compare::surface) keyword: &'static str,
    /// The property it is about, where the place is the object that has it.
    pub(in crate::compare::surface) property: Option<String>,
    /// The value that is allowed on one side only.
    pub(in crate::compare::surface) value: Option<Value>,
    /// Whether what is gone was deprecated before.
    pub(in crate::compare::surface) was_deprecated: bool,
}

impl Difference {
    /// A difference at a place.
    pub(super) fn new(kind: Kind, keyword: &'static str, at: &At, message: impl Into<String>) -> Self {
        Self {
            kind,
            at: at.clone(),
            message: message.into(),
            keyword,
            property: None,
            value: None,
            was_deprecated: false,
        }
    }

    /// Names the property it is about.
    pub(super) fn of_property(mut self, name: &str) -> Self {
        self.property = Some(name.to_owned());
        self
    }

    /// Names the value it is about.
    pub(super) fn of_value(mut self, value: &Value) -> Self {
        self.value = Some(value.clone());
        self
    }
}
