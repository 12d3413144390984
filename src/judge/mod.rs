//! Evidence in, outcomes out.

pub mod assertions;
