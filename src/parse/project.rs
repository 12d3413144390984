//! The project file `mcpvals.yaml`: named servers and defaults.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use super::{
    Parsed,
    fixture::FREE_KEYS,
    hints,
    problems::Problems,
    reader::{Field, Fields},
    server, settings,
    tree::{self, Node},
};
use crate::{
    model::{ServerDeclaration, ServerScope},
    source::{Diagnostic, Located, SourceFile},
};

/// Cases at a time; a process a case, so more than this exhausts a machine before it is any faster.
const MOST_CONCURRENCY: u32 = 256;

/// What the project file says.
#[derive(Debug, Default)]
pub struct Project {
    /// The file itself, for messages; absent where there is no project file.
    pub source: Option<Arc<SourceFile>>,
    /// Servers that fixtures can name.
    pub servers: BTreeMap<String, ServerDeclaration>,
    /// `defaults:`, used where neither the fixture nor the command line says otherwise.
    pub defaults: Defaults,
    /// `discovery:`, which of the found files are fixtures.
    pub discovery: DiscoverySettings,
    /// `secrets:`, names of environment variables whose values are redacted.
    pub secrets: Vec<String>,
}

/// The `defaults:` block.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Defaults {
    /// Limit of each call.
    pub timeout: Option<Duration>,
    /// Limit of a server's start.
    pub startup_timeout: Option<Duration>,
    /// Cases at a time.
    pub concurrency: Option<usize>,
    /// How far servers are shared.
    pub server_scope: Option<ServerScope>,
    /// Attempts after the first.
    pub retries: Option<u32>,
}

/// The `discovery:` block: globs relative to the folder of the project file, all of them valid.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct DiscoverySettings {
    /// Files found below a folder must match one of these; empty for all.
    pub include: Vec<String>,
    /// Files that match one of these are left out.
    pub exclude: Vec<String>,
}

pub(super) fn parse(source: &Arc<SourceFile>) -> Parsed<Project> {
    let problems = Problems::new(source);
    let value = tree::read(&problems).and_then(|root| project(&root, &problems));
    Parsed::finish(value, problems)
}

fn project(root: &Node, problems: &Problems) -> Option<Project> {
    let mut fields = Fields::of(root, "the project file", problems)?;
    if let Some(version) = fields.take("version") {
        version.whole(1, 2);
    }
    let servers = fields.take("servers").map(servers).unwrap_or_default();
    let defaults = fields.take_written("defaults").and_then(defaults);
    let discovery = fields.take_written("discovery").and_then(discovery);
    let secrets = fields.take("secrets").map(Field::texts).unwrap_or_default();
    fields.close(hints::PROJECT, FREE_KEYS);
    Some(Project {
        source: Some(Arc::clone(problems.source())),
        servers,
        defaults: defaults.unwrap_or_default(),
        discovery: discovery.unwrap_or_default(),
        secrets: secrets.into_iter().map(|it| it.value).collect(),
    })
}

fn servers(field: Field<'_>) -> BTreeMap<String, ServerDeclaration> {
    let entries = field.entries().into_iter();
    entries
        .filter_map(|entry| Some((entry.name.to_owned(), server::read(entry)?)))
        .collect()
}

fn defaults(field: Field<'_>) -> Option<Defaults> {
    let mut fields = Fields::of(field.node, "`defaults`", field.problems)?;
    let concurrency = fields.take_written("concurrency");
    let defaults = Defaults {
        timeout: fields.duration("timeout"),
        startup_timeout: fields.duration("startup_timeout"),
        concurrency: concurrency
            .and_then(|it| it.whole(1, MOST_CONCURRENCY))
            .map(|it| it as usize),
        server_scope: fields.take_written("server_scope").and_then(settings::server_scope),
        retries: fields.take_written("retries").and_then(settings::retries),
    };
    fields.close(hints::DEFAULTS, &[]);
    Some(defaults)
}

fn discovery(field: Field<'_>) -> Option<DiscoverySettings> {
    let mut fields = Fields::of(field.node, "`discovery`", field.problems)?;
    let settings = DiscoverySettings {
        include: fields.take("include").map(globs).unwrap_or_default(),
        exclude: fields.take("exclude").map(globs).unwrap_or_default(),
    };
    fields.close(hints::DISCOVERY, &[]);
    Some(settings)
}

fn globs(field: Field<'_>) -> Vec<String> {
    let items = field.items().into_iter();
    items.filter_map(|item| glob(item, &item.text()?)).collect()
}

fn glob(item: Field<'_>, text: &Located<String>) -> Option<String> {
    match globset::Glob::new(&text.value) {
        Ok(_) => Some(text.value.clone()),
        Err(error) => {
            let message = format!("`{}` is not a glob: {}", text.value, error.kind());
            item.add(Diagnostic::error("invalid-value", message).help("write something like `evals/**/*.yaml`"));
            None
        }
    }
}
