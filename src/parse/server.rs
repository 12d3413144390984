//! A server block: how the server under test is started or reached.

use super::{
    problems::Problems,
    reader::{Field, Fields, Hint},
    tree::Content,
    variable,
};
use crate::{
    model::{LaunchDeclaration, ServerDeclaration, Text, TransportDeclaration},
    source::{Diagnostic, Located},
};

/// What messages call the block.
const WHAT: &str = "`server`";

const NOT_YET: &str = "this key is not available yet";

/// Keys of the block that people try, and what to say.
const HINTS: &[Hint] = &[
    ("type", "did you mean `transport`?"),
    ("environment", "did you mean `env`?"),
    ("working_directory", "did you mean `cwd`?"),
    (
        "timeout",
        "did you mean `startup_timeout`? the limit of a call is set beside `server`",
    ),
    ("auth", "this key is not available yet; send a token in `headers`"),
    ("build", NOT_YET),
    ("health", NOT_YET),
    ("name", NOT_YET),
];

const START_HINTS: &[Hint] = &[("url", "`url` stands beside `start`, not in it")];

const READY_HINTS: &[Hint] = &[
    ("tcp", NOT_YET),
    ("log", NOT_YET),
    ("mcp", NOT_YET),
    ("timeout", "did you mean `startup_timeout` beside `start`?"),
];

/// Transports by the names they go by.
const TRANSPORTS: &[(&str, Kind)] = &[
    ("stdio", Kind::Stdio),
    ("shttp", Kind::Http),
    ("http", Kind::Http),
    ("streamable-http", Kind::Http),
    ("sse", Kind::Sse),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Stdio,
    Http,
    Sse,
}

/// Reads a server block; whatever is wrong with it is an error, so that it never ends as a simulation.
pub(super) fn read(field: Field<'_>) -> Option<ServerDeclaration> {
    let problems = field.problems;
    if field.is_blank() {
        let problem = Diagnostic::error("empty-value", format!("`{}` is empty", field.name));
        field.add(problem.help("give it a `command` or a `url`; without a server the key must be left out"));
        return None;
    }
    let mut fields = Fields::of(field.node, WHAT, problems)?;
    let block = Block {
        transport: fields.take_written("transport"),
        launch: Launch::take(&mut fields),
        url: fields.take("url"),
        headers: fields.take("headers"),
        start: fields.take("start"),
    };
    let startup_timeout = fields.duration("startup_timeout");
    fields.close(HINTS, &[]);
    Some(ServerDeclaration {
        location: problems.source().location(field.node.place.used),
        transport: block.transport(&field)?,
        startup_timeout,
    })
}

/// The keys of a block, before it is known which of them belong together.
struct Block<'a> {
    transport: Option<Field<'a>>,
    launch: Launch<'a>,
    url: Option<Field<'a>>,
    headers: Option<Field<'a>>,
    start: Option<Field<'a>>,
}

impl Block<'_> {
    fn transport(&self, whole: &Field<'_>) -> Option<TransportDeclaration> {
        match self.kind(whole)? {
            Kind::Stdio => {
                let unfit = [self.url, self.headers, self.start];
                refuse_unfit(
                    &unfit,
                    "does not go with the stdio transport",
                    "remove it, or set `transport: shttp`",
                );
                if self.launch.command.is_none() {
                    let problem = Diagnostic::error("missing-key", "`server` has no `command`");
                    whole
                        .problems
                        .add(whole.key.written, problem.help("name the program to start, or a `url`"));
                }
                Some(TransportDeclaration::Stdio(self.launch.read()?))
            }
            Kind::Http => {
                refuse_unfit(
                    &self.launch.fields(),
                    "does not go with the HTTP transport",
                    "a command that starts the HTTP server stands in `start: {command: …}`",
                );
                self.http(whole)
            }
            Kind::Sse => None,
        }
    }

    fn kind(&self, whole: &Field<'_>) -> Option<Kind> {
        let Some(named) = self.transport else {
            return self.implied_kind(whole);
        };
        let kind = named.one_of(TRANSPORTS)?;
        if kind == Kind::Sse {
            let problem = Diagnostic::error("not-available", "the legacy SSE transport is not available yet");
            named.add(problem.help("use `shttp` if the server also speaks streamable HTTP"));
        }
        Some(kind)
    }

    fn implied_kind(&self, whole: &Field<'_>) -> Option<Kind> {
        match (&self.launch.command, &self.url) {
            (Some(_), Some(url)) => {
                let problem = Diagnostic::error("ambiguous-server", "`server` has a `command` and a `url`");
                let help = "keep one of them; a command that starts an HTTP server stands in `start: {command: …}`";
                url.problems.add(url.key.written, problem.help(help));
                None
            }
            (None, None) => {
                let problem = Diagnostic::error("missing-key", "`server` has neither `command` nor `url`");
                whole.problems.add(
                    whole.key.written,
                    problem.help("name the program to start, or the address"),
                );
                None
            }
            (None, Some(_)) => Some(Kind::Http),
            (Some(_), None) => Some(Kind::Stdio),
        }
    }

    fn http(&self, whole: &Field<'_>) -> Option<TransportDeclaration> {
        let Some(url) = self.url else {
            let problem = Diagnostic::error("missing-key", "`server` has no `url`");
            whole
                .problems
                .add(whole.key.written, problem.help("name the address of the MCP endpoint"));
            return None;
        };
        let headers = self.headers.map(Field::text_entries).unwrap_or_default();
        let started = self.start.map(|field| start(field, field.problems));
        let url = url.filled_text()?;
        let (start, ready) = match started {
            Some(started) => started.map(|(launch, ready)| (Some(launch), ready))?,
            None => (None, None),
        };
        Some(TransportDeclaration::Http {
            url,
            headers,
            start,
            ready,
        })
    }
}

/// The keys of a command.
struct Launch<'a> {
    command: Option<Field<'a>>,
    args: Option<Field<'a>>,
    env: Option<Field<'a>>,
    env_inherit: Option<Field<'a>>,
    cwd: Option<Field<'a>>,
}

impl<'a> Launch<'a> {
    fn take(fields: &mut Fields<'a>) -> Self {
        Self {
            command: fields.take("command"),
            args: fields.take("args"),
            env: fields.take("env"),
            env_inherit: fields.take("env_inherit"),
            cwd: fields.take("cwd"),
        }
    }

    const fn fields(&self) -> [Option<Field<'a>>; 5] {
        [self.command, self.args, self.env, self.env_inherit, self.cwd]
    }

    /// The command, if there is one; a missing one is for the caller to report.
    fn read(&self) -> Option<LaunchDeclaration> {
        let args = self.args.map(Field::texts).unwrap_or_default();
        let env = self.env.map(environment).unwrap_or_default();
        let env_inherit = self.env_inherit.map(variable::names).unwrap_or_default();
        let cwd = self.cwd.filter(|cwd| !cwd.node.is_null()).and_then(Field::filled_text);
        Some(LaunchDeclaration {
            command: command(self.command?)?,
            args,
            env,
            env_inherit,
            cwd,
        })
    }
}

fn command(field: Field<'_>) -> Option<Text> {
    if matches!(field.node.content, Content::List(_)) {
        let problem = Diagnostic::error("wrong-type", "`command` must be text, not a list");
        field.add(problem.help("the program stands in `command`, its arguments in `args`"));
        return None;
    }
    if field.is_blank() {
        let problem = Diagnostic::error("empty-value", "`command` is empty");
        field.add(problem.help("name the program to start; without a server, leave out the `server` block"));
        return None;
    }
    field.text()
}

/// `env` as a mapping; the list of `NAME=value` that other tools take is pointed out.
fn environment(field: Field<'_>) -> Vec<(Located<String>, Text)> {
    if matches!(field.node.content, Content::List(_)) {
        let problem = Diagnostic::error("wrong-type", "`env` must be a mapping, not a list");
        field
            .add(problem.help("write `NAME: value`; names to hand on from our own environment stand in `env_inherit`"));
        return Vec::new();
    }
    let mut variables = Vec::new();
    for entry in field.entries() {
        if entry.node.is_null() {
            let problem = Diagnostic::error("empty-value", format!("the variable `{}` has no value", entry.name));
            entry.add(problem.help("write \"\" for an empty one; to hand on our own, name it in `env_inherit`"));
        } else {
            variables.extend(variable::set_by(&entry).zip(entry.text()));
        }
    }
    variables
}

/// The `start` block: a command, and how to tell that it is ready.
fn start(field: Field<'_>, problems: &Problems) -> Option<(LaunchDeclaration, Option<Text>)> {
    let mut fields = Fields::of(field.node, "`start`", problems)?;
    fields.require("command");
    let launch = Launch::take(&mut fields);
    let ready = fields.take_written("ready").map(ready);
    fields.close(START_HINTS, &[]);
    Some((launch.read()?, ready.flatten()))
}

/// `ready: "http://…"` or `ready: {http: "http://…"}`.
fn ready(field: Field<'_>) -> Option<Text> {
    if !matches!(field.node.content, Content::Mapping(_)) {
        return field.filled_text();
    }
    let mut fields = Fields::of(field.node, "`ready`", field.problems)?;
    let url = fields.require("http").and_then(Field::filled_text);
    fields.close(READY_HINTS, &[]);
    url
}

fn refuse_unfit(fields: &[Option<Field<'_>>], why: &str, help: &str) {
    for field in fields.iter().flatten() {
        let problem = Diagnostic::error("unfit-key", format!("`{}` {why}", field.name));
        field.problems.add(field.key.written, problem.help(help));
    }
}
