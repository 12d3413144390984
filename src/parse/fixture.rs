//! The fixture dialect of mcp-eval-runner: one case a file.

use std::sync::Arc;

use super::Parsed;
use crate::{model::Case, source::SourceFile};

pub(super) fn parse(source: &Arc<SourceFile>) -> Parsed<Case> {
    let _ = source;
    unimplemented!()
}
