//! Where text came from: files, spans, and what is wrong in them.

mod diagnostic;
mod file;
mod order;
mod places;
mod render;
mod span;
mod suggest;

pub use diagnostic::{Diagnostic, Severity};
pub use file::SourceFile;
pub use order::{in_order, sorted};
pub use places::{Parts, Places, pointer_to, push_token};
pub use render::{Style, render};
pub use span::{Located, Location, Span};
pub use suggest::{did_you_mean, is_one_edit, nearest};
