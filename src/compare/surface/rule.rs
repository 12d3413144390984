//! A rule: what can change on a surface, and how bad that is.

use crate::model::ChangeClass;

/// One kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Names it, stable for ever.
    pub id: &'static str,
    /// How bad it is, unless the change at hand says otherwise.
    pub class: ChangeClass,
    /// Whether a model sees it, and may behave differently.
    pub is_model_visible: bool,
    /// What changed, in a few words.
    pub summary: &'static str,
}

impl Rule {
    pub(super) const fn breaking(id: &'static str, summary: &'static str) -> Self {
        Self::new(id, ChangeClass::Breaking, summary)
    }

    pub(super) const fn risky(id: &'static str, summary: &'static str) -> Self {
        Self::new(id, ChangeClass::Risky, summary)
    }

    pub(super) const fn compatible(id: &'static str, summary: &'static str) -> Self {
        Self::new(id, ChangeClass::Compatible, summary)
    }

    pub(super) const fn cosmetic(id: &'static str, summary: &'static str) -> Self {
        Self::new(id, ChangeClass::Cosmetic, summary)
    }

    /// The same rule for something that models read.
    pub(super) const fn seen_by_models(self) -> Self {
        Self {
            is_model_visible: true,
            ..self
        }
    }

    const fn new(id: &'static str, class: ChangeClass, summary: &'static str) -> Self {
        Self {
            id,
            class,
            is_model_visible: false,
            summary,
        }
    }
}
