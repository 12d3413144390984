//! mcpvals: the regression gate for MCP servers.
//!
//! The command `mcpvals` finds fixtures, runs them against the server under test and reports what broke. This crate is
//! everything behind the command. `src/` reads as the flow:
//!
//! [`discover`] → [`parse`] → [`plan`] → [`run`] (with [`mcp`] as the instrument and [`judge`] for the verdicts) →
//! [`compare`] → [`report`]
//!
//! over the nouns in [`model`]; [`pipeline`] is that sentence as code. A module imports only what stands below it.
//!
//! ```
//! use mcpvals::{
//!     parse,
//!     plan::{Compiler, Environment, Settings},
//!     source::SourceFile,
//! };
//!
//! let file = SourceFile::new(
//!     "evals/notes.yaml",
//!     "name: notes\nsteps:\n  - id: find\n    tool: search\n    expected_output: Milk\n    expect: { output_contain: Milk }\n",
//! );
//! let case = parse::fixture(&file).value.expect("the file can be read");
//!
//! let (project, environment, settings) = (parse::Project::default(), Environment::default(), Settings::default());
//! let (planned, problems) = Compiler::new(&project, &environment, &settings).compile(&file, &case);
//! assert!(planned.is_none());
//! assert_eq!(problems[0].message, "unknown key `output_contain` in `expect`");
//! assert_eq!(problems[0].help.as_deref(), Some("did you mean `output_contains`?"));
//! assert_eq!(problems[0].location().expect("it has a place").to_string(), "evals/notes.yaml:6:15");
//! ```

pub mod baseline;
pub mod cli;
pub mod compare;
pub mod demo;
pub mod discover;
pub mod github;
pub mod history;
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
