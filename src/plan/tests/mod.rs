//! Whole fixtures through the plan: what is said of them, and what is going to run.

mod arguments;
mod placeholders;
mod secrets;
mod servers;
mod skips;

use super::{Compiler, Environment, PlannedCase, Settings};
use crate::{
    parse::{self, Project},
    source::{Diagnostic, SourceFile},
};

/// What a fixture becomes.
struct Planned {
    case: Option<PlannedCase>,
    diagnostics: Vec<Diagnostic>,
    /// Values no report may show, longest first.
    secrets: Vec<String>,
}

fn plan_in(project: &Project, text: &str, variables: &[(&str, &str)]) -> Planned {
    let source = SourceFile::new("a.yaml", text);
    let parsed = parse::fixture(&source);
    let said: Vec<_> = parsed.diagnostics.iter().map(|it| &it.message).collect();
    let case = parsed.value.unwrap_or_else(|| panic!("{said:?}"));
    let environment = Environment::new(variables.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())));
    let settings = Settings::default();
    let mut compiler = Compiler::new(project, &environment, &settings);
    let (case, diagnostics) = compiler.compile(&source, &case);
    Planned {
        case,
        diagnostics,
        secrets: compiler.into_secrets().values().map(str::to_owned).collect(),
    }
}

fn plan_with(text: &str, variables: &[(&str, &str)]) -> Planned {
    plan_in(&Project::default(), text, variables)
}

fn plan(text: &str) -> Planned {
    plan_with(text, &[])
}

impl Planned {
    /// Every diagnostic as `line:column message`.
    fn said(&self) -> Vec<String> {
        let words = |diagnostic: &Diagnostic| {
            let span = diagnostic.span.expect("it has a place");
            format!("{}:{} {}", span.line, span.column, diagnostic.message)
        };
        self.diagnostics.iter().map(words).collect()
    }

    fn case(self) -> PlannedCase {
        let said = self.said();
        self.case.unwrap_or_else(|| panic!("{said:?}"))
    }
}
