//! JSON Schema of every draft, without network and files.

mod formats;
mod keywords;
mod silent;
mod validator;

pub(crate) use validator::{Schema, SchemaError, Violations};
