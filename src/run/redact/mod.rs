//! Secrets leave here and no further: every text of a result passes this before anything else sees it.

mod diagnostics;
mod disguises;
mod known;
mod parts;
mod redactor;
mod shapes;
mod surface;

pub use diagnostics::without_secrets;
pub use redactor::Redactor;
