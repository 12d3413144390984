//! `mcpvals schema`.

use super::{
    args::{SchemaArguments, SchemaFormat},
    failure::Failure,
    output,
};
use crate::{judge::assertions::ASSERTIONS, model::ExitCode, parse, schema::v1};

/// Prints a JSON Schema.
pub fn schema(arguments: &SchemaArguments) -> Result<ExitCode, Failure> {
    let schema = match arguments.format {
        SchemaFormat::Fixture => {
            let kinds: Vec<_> = ASSERTIONS
                .iter()
                .map(|kind| (kind.key, kind.summary, (kind.schema)()))
                .collect();
            parse::fixture_schema(&kinds)
        }
        SchemaFormat::Project => parse::project_schema(),
        SchemaFormat::Report => v1::json_schema(),
        SchemaFormat::History => v1::history::json_schema(),
        SchemaFormat::Audit => v1::audit::json_schema(),
        SchemaFormat::Surface => v1::surface_json_schema(),
        SchemaFormat::SurfaceDiff => v1::surface_diff_json_schema(),
    };
    output::to_stdout(|out| writeln!(out, "{schema:#}"))?;
    Ok(ExitCode::Open)
}
