//! Finds fixture files and the project file, and reads them.

mod files;
mod globs;
mod ignored;
mod names;
mod path;
mod project;
mod read;
mod report;

pub use files::{Discovery, discover};
pub use globs::Globs;
pub use path::shown;
pub use project::project_file;
pub use read::read;
