//! Where baselines are kept. One file a store.

mod file;

pub use file::FileStore;

use crate::model::{Baseline, BaselineOrigin};

/// A place where baselines are kept.
pub trait Store {
    /// The baseline to compare with.
    fn load(&self) -> Found;

    /// Keeps a baseline. The error says what happened, in one line.
    fn save(&self, baseline: &Baseline) -> Result<(), String>;
}

/// What a store has.
#[derive(Debug)]
pub enum Found {
    /// A baseline, and where it comes from.
    Usable(Box<Baseline>, BaselineOrigin),
    /// Something that cannot be used: where, and why in one line.
    Unusable(BaselineOrigin, String),
    /// Nothing yet: where one would be.
    Nothing(String),
}
