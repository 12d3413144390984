//! Which changes of a surface close the gate.

use crate::model::{ChangeClass, SurfaceChange};

/// From which class on a change closes the gate, if any does.
pub type FailOn = Option<ChangeClass>;

/// The changes that close the gate: those of the class or worse that nobody allowed.
pub fn closing(changes: &[SurfaceChange], fail_on: FailOn) -> impl Iterator<Item = &SurfaceChange> {
    let is_closing = move |it: &&SurfaceChange| it.allowed.is_none() && fail_on.is_some_and(|class| it.class >= class);
    changes.iter().filter(is_closing)
}
