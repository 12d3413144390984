//! mcpvals: the regression gate for MCP servers.

pub mod cli;
pub mod compare;
pub mod demo;
pub mod discover;
pub mod judge;
pub mod mcp;
pub mod model;
pub mod parse;
pub mod pipeline;
pub mod plan;
pub mod report;
pub mod run;
pub mod schema;
pub mod source;
pub mod text;
