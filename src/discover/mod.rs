//! Finds fixture files and the project file, and reads them.

mod files;
mod filter;
mod names;
mod path;
mod project;
mod read;
mod report;

pub use files::{Discovery, discover};
pub use filter::Filter;
pub use project::project_file;
pub use read::MAX_FILE_BYTES;
