//! The published JSON forms, apart from the model and versioned for ever.

pub mod v1;
