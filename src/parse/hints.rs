//! What to say about keys that people try: names from other tools, and keys of the format that are still to come.

use super::reader::Hint;

const NOT_YET: &str = "this key is not available yet";
const CONFIG: &str = "this looks like a config of mcpvals; configs are not available yet";

/// What to say where a file holds a list of cases.
pub(super) const ONE_CASE: &str = "one case a file: `name`, `server` and `steps` stand at the top";

/// Keys of a fixture.
pub(super) const CASE: &[Hint] = &[
    (
        "id",
        "a fixture is known by its file and `name`; an `id` is not available yet",
    ),
    ("timeout_ms", "did you mean `timeout`?"),
    ("test_cases", "did you mean `steps`?"),
    ("tests", "did you mean `steps`?"),
    ("env", "did you mean `env` in the `server` block?"),
    ("command", "did you mean `command` in a `server` block?"),
    ("toolHealthSuites", CONFIG),
    ("workflows", CONFIG),
    (
        "servers",
        "servers are declared in the project file mcpvals.yaml; a fixture names one: `server: NAME`",
    ),
    ("cases", ONE_CASE),
    ("matrix", NOT_YET),
    ("owner", NOT_YET),
    ("access", NOT_YET),
    ("mode", NOT_YET),
    ("sandbox", NOT_YET),
    ("client", NOT_YET),
    ("for_each", NOT_YET),
    ("setup", NOT_YET),
    ("teardown", NOT_YET),
    ("stop_on_failure", NOT_YET),
    ("trials", NOT_YET),
    ("run_when", NOT_YET),
];

/// Keys of a step.
pub(super) const STEP: &[Hint] = &[
    ("name", "did you mean `id`?"),
    ("arguments", "did you mean `input`?"),
    ("args", "did you mean `input`?"),
    ("params", "did you mean `input`?"),
    ("inputs", "did you mean `input`?"),
    ("assert", "did you mean `expect`?"),
    ("assertions", "did you mean `expect`?"),
    ("timeout_ms", "did you mean `timeout`?"),
    ("output", "did you mean `expected_output`?"),
    ("output_contains", BELONGS_IN_EXPECT),
    ("output_not_contains", BELONGS_IN_EXPECT),
    ("output_equals", BELONGS_IN_EXPECT),
    ("output_matches", BELONGS_IN_EXPECT),
    ("tool_called", BELONGS_IN_EXPECT),
    ("latency_under", BELONGS_IN_EXPECT),
    ("schema_match", BELONGS_IN_EXPECT),
    ("is_error", BELONGS_IN_EXPECT),
    ("server", NOT_YET),
    ("capture", NOT_YET),
    ("list", NOT_YET),
    ("read", NOT_YET),
    ("prompt", NOT_YET),
    ("complete", NOT_YET),
    ("subscribe", NOT_YET),
    ("unsubscribe", NOT_YET),
    ("ping", NOT_YET),
    ("request", NOT_YET),
    ("agent", NOT_YET),
    ("parallel", NOT_YET),
    ("run", NOT_YET),
    ("http", NOT_YET),
    ("sleep", NOT_YET),
    ("bench", NOT_YET),
    ("as_task", NOT_YET),
    ("cancel_after", NOT_YET),
    ("retries", "`retries` is set for the whole fixture"),
];

const BELONGS_IN_EXPECT: &str = "assertions stand in the `expect` block of the step; check the indentation";

/// Keys of the project file.
pub(super) const PROJECT: &[Hint] = &[
    (
        "server",
        "did you mean `servers`? they are named: `servers: {main: {command: …}}`",
    ),
    ("matrix", NOT_YET),
    ("models", NOT_YET),
    ("cassettes", NOT_YET),
    ("baseline", NOT_YET),
    ("gate", NOT_YET),
    ("report", NOT_YET),
    ("db", "did you mean `db` in a `history` block?"),
];

/// Keys of an entry of `allow`.
pub(super) const ALLOW: &[Hint] = &[
    ("id", "did you mean `rule` or `fingerprint`?"),
    ("tool", "did you mean `subject`?"),
    ("until", "did you mean `expires`?"),
];

/// Keys of `defaults`.
pub(super) const DEFAULTS: &[Hint] = &[("trials", NOT_YET), ("normalize", NOT_YET), ("on_tool_error", NOT_YET)];

/// Keys of `discovery`.
pub(super) const DISCOVERY: &[Hint] = &[("on_invalid", "a file that cannot be read is always an error")];

/// Keys of `history`.
pub(super) const HISTORY: &[Hint] = &[
    ("path", "did you mean `db`?"),
    ("file", "did you mean `db`?"),
    ("limit", "did you mean `keep`?"),
];
