//! The project file `mcpvals.yaml`: named servers and defaults.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use globset::GlobSet;

use super::{
    Allowance, GateSettings, Parsed, allow,
    fixture::FREE_KEYS,
    gate, globs, hints,
    problems::Problems,
    reader::{Field, Fields},
    server, settings,
    tree::{self, Node},
    variable,
};
use crate::{
    model::{KnownFailure, ServerDeclaration, ServerScope},
    source::SourceFile,
};

/// Most cases at a time: each has a process of its own, and more of them exhaust a machine before they are any faster.
pub const MOST_CONCURRENCY: usize = 256;

/// Runs that a history keeps; more than this makes a file that nobody can copy about.
const MOST_KEPT: u32 = 100_000;

/// What the project file says.
#[derive(Debug, Default)]
pub struct Project {
    /// The file itself, for messages; absent where there is no project file.
    pub source: Option<Arc<SourceFile>>,
    /// Servers that fixtures can name.
    pub servers: BTreeMap<String, ServerDeclaration>,
    /// Names of servers that are declared with an error, and left out of `servers` for it.
    pub broken_servers: BTreeSet<String>,
    /// `defaults:`, used where neither the fixture nor the command line says otherwise.
    pub defaults: Defaults,
    /// `discovery:`, which of the found files are fixtures.
    pub discovery: DiscoverySettings,
    /// `history:`, where runs are recorded; absent where they are not.
    pub history: Option<HistorySettings>,
    /// `secrets:`, names of environment variables whose values are redacted.
    pub secrets: Vec<String>,
    /// `gate:`, what closes the gate.
    pub gate: GateSettings,
    /// `known_failures:`, failures that are put up with.
    pub known_failures: Vec<KnownFailure>,
    /// `allow:`, changes of a surface that are accepted.
    pub allow: Vec<Allowance>,
    /// Whether there is a project file of which nothing could be read.
    pub is_unreadable: bool,
    /// Whether it may declare secrets that could not be read. What they are no report may show, so nothing is run.
    pub hides_secrets: bool,
}

impl Project {
    /// What is known of a project file that cannot be read.
    pub fn unreadable(source: Option<Arc<SourceFile>>) -> Self {
        Self {
            source,
            is_unreadable: true,
            hides_secrets: true,
            ..Self::default()
        }
    }

    /// Whether a server of this name is, or may be, declared with an error. Of such a name nobody can say that it is
    /// unknown.
    pub fn is_broken_server(&self, name: &str) -> bool {
        self.is_unreadable || self.broken_servers.contains(name)
    }
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

/// The `discovery:` block: globs relative to the folder of the project file.
#[derive(Debug, Default, Clone)]
pub struct DiscoverySettings {
    /// Files found below a folder must match one of these; empty for all.
    pub include: GlobSet,
    /// Files that match one of these are left out.
    pub exclude: GlobSet,
}

/// The `history:` block.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct HistorySettings {
    /// The database, relative to the folder of the project file.
    pub db: Option<String>,
    /// Runs that are kept.
    pub keep: Option<usize>,
}

pub(super) fn parse(source: &Arc<SourceFile>) -> Parsed<Project> {
    let problems = Problems::new(source);
    let (root, is_torn) = problems.watch(|| tree::read(&problems));
    let value = root.and_then(|root| project(&root, &problems));
    let value = value.map(|project| Project {
        // A second document, a key written twice: `secrets` may be in the part that does not count.
        hides_secrets: is_torn || project.hides_secrets,
        ..project
    });
    Parsed::finish(value, problems)
}

fn project(root: &Node, problems: &Problems) -> Option<Project> {
    let mut fields = Fields::of(root, "the project file", problems)?;
    if let Some(version) = fields.take("version") {
        version.whole(1, 2);
    }
    let (servers, broken_servers) = fields.take("servers").map(servers).unwrap_or_default();
    let defaults = fields.take_written("defaults").and_then(defaults);
    let discovery = fields.take_written("discovery").and_then(discovery);
    let history = fields.take_written("history").and_then(history);
    let secrets = fields.take("secrets").map(|it| problems.watch(|| variable::names(it)));
    let (secrets, is_broken) = secrets.unwrap_or_default();
    let gate = fields.take_written("gate").and_then(gate::gate);
    let known_failures = fields.take("known_failures").map(gate::known_failures);
    let allow = fields.take("allow").map(allow::read).unwrap_or_default();
    // Any unknown key may be a slip for `secrets`.
    let ((), has_unknown) = problems.watch(|| fields.close(hints::PROJECT, FREE_KEYS));
    Some(Project {
        source: Some(Arc::clone(problems.source())),
        servers,
        broken_servers,
        defaults: defaults.unwrap_or_default(),
        discovery: discovery.unwrap_or_default(),
        history,
        secrets: secrets.into_iter().map(|it| it.value).collect(),
        gate: gate.unwrap_or_default(),
        known_failures: known_failures.unwrap_or_default(),
        allow,
        is_unreadable: false,
        hides_secrets: is_broken || has_unknown,
    })
}

/// The servers that can be used, and the names of the others.
fn servers(field: Field<'_>) -> (BTreeMap<String, ServerDeclaration>, BTreeSet<String>) {
    let (mut usable, mut broken) = (BTreeMap::new(), BTreeSet::new());
    for entry in field.entries() {
        match field.problems.watch(|| server::read(entry)) {
            (Some(server), false) => _ = usable.insert(entry.name.to_owned(), server),
            _ => _ = broken.insert(entry.name.to_owned()),
        }
    }
    (usable, broken)
}

fn defaults(field: Field<'_>) -> Option<Defaults> {
    let mut fields = Fields::of(field.node, "`defaults`", field.problems)?;
    let concurrency = fields.take_written("concurrency");
    let defaults = Defaults {
        timeout: fields.duration("timeout"),
        startup_timeout: fields.duration("startup_timeout"),
        concurrency: concurrency
            .and_then(|it| it.whole(1, MOST_CONCURRENCY as u32))
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
        include: fields.take("include").map(globs::read).unwrap_or_default(),
        exclude: fields.take("exclude").map(globs::read).unwrap_or_default(),
    };
    fields.close(hints::DISCOVERY, &[]);
    Some(settings)
}

fn history(field: Field<'_>) -> Option<HistorySettings> {
    let mut fields = Fields::of(field.node, "`history`", field.problems)?;
    let db = fields.take_written("db").and_then(Field::filled_text);
    let keep = fields.take_written("keep").and_then(|it| it.whole(1, MOST_KEPT));
    fields.close(hints::HISTORY, &[]);
    Some(HistorySettings {
        db: db.map(|it| it.value),
        keep: keep.map(|it| it as usize),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse::AllowedTarget, text::Date};

    fn read(text: &str) -> Parsed<Project> {
        parse(&SourceFile::new("mcpvals.yaml", text))
    }

    fn said(text: &str) -> Vec<String> {
        let diagnostics = read(text).diagnostics.into_iter();
        diagnostics
            .map(|it| format!("{}: {}", it.location().expect("has a place"), it.message))
            .collect()
    }

    #[test]
    fn reads_servers_defaults_globs_and_secrets() {
        let text = "\
version: 2
servers:
  notes: {command: node, args: [dist/index.js]}
  web: {transport: http, url: 'http://localhost/mcp', startup_timeout: 5s}
defaults: {timeout: 30s, startup_timeout: 1m, concurrency: 4, server_scope: run, retries: 1}
discovery: {include: ['evals/**/*.yaml'], exclude: 'evals/data/**'}
history: {db: .mcp/evals.db, keep: 200}
secrets: [TOKEN]
";
        let project = read(text).value.expect("nothing is wrong with it");
        let history = HistorySettings {
            db: Some(".mcp/evals.db".to_owned()),
            keep: Some(200),
        };
        assert_eq!(project.history, Some(history));
        assert_eq!(project.servers.keys().collect::<Vec<_>>(), ["notes", "web"]);
        assert_eq!(project.servers["web"].startup_timeout, Some(Duration::from_secs(5)));
        let defaults = Defaults {
            timeout: Some(Duration::from_secs(30)),
            startup_timeout: Some(Duration::from_mins(1)),
            concurrency: Some(4),
            server_scope: Some(ServerScope::Run),
            retries: Some(1),
        };
        assert_eq!(project.defaults, defaults);
        assert!(project.discovery.include.is_match("evals/x/a.yaml"));
        assert!(!project.discovery.include.is_match("evals/a.json"));
        assert!(project.discovery.exclude.is_match("evals/data/a.yaml"));
        assert_eq!(project.secrets, ["TOKEN"]);
        assert_eq!(project.source.expect("is kept").path().as_ref(), "mcpvals.yaml");
    }

    #[test]
    fn reads_what_is_allowed() {
        let text = "\
allow:
  - {fingerprint: 0123456789ab, reason: agreed with the client team, expires: 2026-12-31}
  - {rule: tool-removed, server: notes, subject: search, reason: nobody calls it}
";
        let allow = read(text).value.expect("nothing is wrong with it").allow;
        let [one, other] = &allow[..] else { panic!("{allow:?}") };
        assert_eq!(one.target, AllowedTarget::Fingerprint("0123456789ab".to_owned()));
        assert_eq!(one.expires, Date::parse("2026-12-31"));
        assert!(matches!(&other.target, AllowedTarget::Rule(rule) if rule.value == "tool-removed"));
        assert_eq!(
            (other.server.as_deref(), other.subject.as_deref()),
            (Some("notes"), Some("search"))
        );
        let wrong = "\
allow:
  - {fingerprint: 12, reason: x}
  - {rule: a, fingerprint: 0123456789ab, reason: x}
  - {reason: x}
  - {rule: a, until: 2026-01-01}
  - {rule: a, reason: x, expires: soon}
";
        let expected = [
            "mcpvals.yaml:2:19: `12` is not a fingerprint",
            "mcpvals.yaml:3:12: an entry of `allow` has a `fingerprint` or a `rule`, not both",
            "mcpvals.yaml:4:5: an entry of `allow` has neither `fingerprint` nor `rule`",
            "mcpvals.yaml:5:6: an entry of `allow` has no `reason`",
            "mcpvals.yaml:5:15: unknown key `until` in an entry of `allow`",
            "mcpvals.yaml:6:35: `soon` is not a day",
        ];
        assert_eq!(said(wrong), expected);
        assert_eq!(read(wrong).value.expect("much of it can be read").allow, []);
    }

    #[test]
    fn an_empty_block_is_no_block() {
        let project = read("servers:\ndefaults:\ndiscovery:\nhistory:\nsecrets:\n")
            .value
            .expect("nothing is wrong with it");
        assert!(project.servers.is_empty());
        assert_eq!(project.defaults, Defaults::default());
    }

    #[test]
    fn says_everything_that_is_wrong() {
        let text = "\
server: {command: x}
servers:
  a: {}
  b: node
defaults: {concurrency: 0, timeuot: 5, server_scope: suite}
discovery: {exclude: ['a[']}
history: {db: '', keep: 0, path: x}
matrix: {}
";
        let expected = [
            "mcpvals.yaml:1:1: unknown key `server` in the project file",
            "mcpvals.yaml:3:3: `server` has neither `command` nor `url`",
            "mcpvals.yaml:4:6: `server` must be a mapping, not text",
            "mcpvals.yaml:5:25: `concurrency` must be a whole number from 1 to 256, not `0`",
            "mcpvals.yaml:5:28: unknown key `timeuot` in `defaults`",
            "mcpvals.yaml:5:54: `server_scope` cannot be `suite`",
            "mcpvals.yaml:6:23: `a[` is not a glob: unclosed character class; missing ']'",
            "mcpvals.yaml:7:15: `db` is empty",
            "mcpvals.yaml:7:25: `keep` must be a whole number from 1 to 100000, not `0`",
            "mcpvals.yaml:7:28: unknown key `path` in `history`",
            "mcpvals.yaml:8:1: unknown key `matrix` in the project file",
        ];
        assert_eq!(said(text), expected);
        assert!(!read(text).is_usable());
    }

    #[test]
    fn no_machine_is_given_more_cases_at_a_time_than_it_can_take() {
        let most = |number: usize| said(&format!("defaults: {{concurrency: {number}}}\n"));
        assert_eq!(most(MOST_CONCURRENCY), Vec::<String>::new());
        let expected = ["mcpvals.yaml:1:25: `concurrency` must be a whole number from 1 to 256, not `257`"];
        assert_eq!(most(MOST_CONCURRENCY + 1), expected);
    }

    #[test]
    fn what_is_right_is_read_beside_what_is_wrong() {
        let text = "\
servers:
  good: {command: x}
  half: {command: x, argz: [y]}
  none:
defaults: {retries: 1, timeuot: 5}
secrets: [TOKEN]
";
        let parsed = read(text);
        assert!(!parsed.is_usable());
        let project = parsed.value.expect("much of it can be read");
        assert_eq!(project.servers.keys().collect::<Vec<_>>(), ["good"]);
        assert!(project.is_broken_server("half"), "it would run without its arguments");
        assert!(project.is_broken_server("none"));
        assert!(!project.is_broken_server("other"));
        assert_eq!(project.defaults.retries, Some(1));
        assert_eq!(project.secrets, ["TOKEN"], "a typo elsewhere reveals no secret");
        assert!(Project::unreadable(None).is_broken_server("other"));
    }

    #[test]
    fn secrets_that_could_not_be_read_are_known_to_be_missing() {
        for text in [
            "secrets: {TOKEN: x}\n",
            "secrets: [A, B=1]\n",
            "secrets: *none\n",
            "secrets: [A]\nsecrets: [B]\n",
            "secrets: [A]\n---\nsecrets: [B]\n",
            "secret: [A]\n",
        ] {
            let parsed = read(text);
            assert!(parsed.value.is_none_or(|it| it.hides_secrets), "{text}");
        }
        for text in [
            "secrets:\n",
            "secrets: [A]\nservers: {half: {command: x, argz: [y]}}\n",
            "x-mine: 1\n",
        ] {
            let project = read(text).value.expect("much of it can be read");
            assert!(!project.hides_secrets, "{text}");
        }
        assert!(Project::unreadable(None).hides_secrets);
    }
}
