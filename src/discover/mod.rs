//! Finds fixture files and the project file, and reads them.

mod files;

pub use files::{Discovery, discover};
