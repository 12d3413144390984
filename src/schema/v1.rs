//! `mcpvals.report/v1`: the report as JSON.
