//! What a workflow was started by, read from the file at `GITHUB_EVENT_PATH`.
//!
//! Payloads are read by the few fields that are needed, each of which may be missing: GitHub adds and drops others.

use serde_json::Value;

use super::Sha;

/// What started the workflow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A pull request was opened or changed; the token of one from a fork may only read.
    PullRequest(PullRequest),
    /// The same with the rights of the base repository: its code must not run here.
    PullRequestTarget(PullRequest),
    /// Commits came to a branch.
    Push(Push),
    /// A merge queue asks.
    MergeGroup(MergeGroup),
    /// The time has come.
    Schedule,
    /// Somebody asked for it: `workflow_dispatch`, `repository_dispatch`.
    Dispatch,
    /// Another workflow has run; this one has the rights of the default branch.
    WorkflowRun(WorkflowRun),
    /// Anything else, by its name.
    Other(String),
}

/// A pull request, as far as it is known from its event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequest {
    /// Its number.
    pub number: u64,
    /// The last commit of its branch.
    pub head: Sha,
    /// The repository of its branch, as `owner/name`; none where the fork was deleted.
    pub head_repository: Option<String>,
    /// The branch it goes into.
    pub base_branch: String,
    /// The commit of the base that GitHub had in mind; it may be old.
    pub base: Option<Sha>,
    /// Who opened it.
    pub author: String,
}

/// A push.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Push {
    /// The branch; none for a tag.
    pub branch: Option<String>,
    /// The commit before; none for a new branch.
    pub before: Option<Sha>,
    /// Whether commits were taken away.
    pub is_forced: bool,
}

/// What a merge queue wants to merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeGroup {
    /// The commit that is tested.
    pub head: Sha,
    /// The commit it goes onto.
    pub base: Sha,
    /// The branch it goes into.
    pub base_branch: String,
}

/// The run of another workflow. Its pull request is not named where it comes from a fork (actions/runner#3444).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkflowRun {
    /// The id of the run.
    pub id: u64,
    /// The last commit of its branch.
    pub head: Sha,
    /// Its branch.
    pub head_branch: Option<String>,
    /// The repository of its branch, as `owner/name`.
    pub head_repository: Option<String>,
    /// The event that started it.
    pub event: String,
}

impl Event {
    /// Reads the payload of the event with this name. The error says what is missing in it.
    pub fn read(name: &str, payload: &Value) -> Result<Self, String> {
        let incomplete = |what: &str| format!("the payload of the event `{name}` has no usable `{what}`");
        Ok(match name {
            "pull_request" | "pull_request_target" => {
                let pull = PullRequest::read(payload).ok_or_else(|| incomplete("pull_request"))?;
                match name {
                    "pull_request" => Self::PullRequest(pull),
                    _ => Self::PullRequestTarget(pull),
                }
            }
            "push" => Self::Push(Push::read(payload)),
            "merge_group" => Self::MergeGroup(MergeGroup::read(payload).ok_or_else(|| incomplete("merge_group"))?),
            "schedule" => Self::Schedule,
            "workflow_dispatch" | "repository_dispatch" => Self::Dispatch,
            "workflow_run" => Self::WorkflowRun(WorkflowRun::read(payload).ok_or_else(|| incomplete("workflow_run"))?),
            other => Self::Other(other.to_owned()),
        })
    }
}

impl PullRequest {
    fn read(payload: &Value) -> Option<Self> {
        let pull = payload.get("pull_request")?;
        Some(Self {
            number: payload.get("number").or_else(|| pull.get("number"))?.as_u64()?,
            head: sha(pull, "/head/sha")?,
            head_repository: text(pull, "/head/repo/full_name"),
            base_branch: text(pull, "/base/ref")?,
            base: sha(pull, "/base/sha"),
            author: text(pull, "/user/login").unwrap_or_default(),
        })
    }
}

impl Push {
    fn read(payload: &Value) -> Self {
        let reference = text(payload, "/ref").unwrap_or_default();
        Self {
            branch: reference.strip_prefix("refs/heads/").map(str::to_owned),
            before: sha(payload, "/before"),
            is_forced: payload.get("forced").and_then(Value::as_bool).unwrap_or_default(),
        }
    }
}

impl MergeGroup {
    fn read(payload: &Value) -> Option<Self> {
        let base = text(payload, "/merge_group/base_ref")?;
        Some(Self {
            head: sha(payload, "/merge_group/head_sha")?,
            base: sha(payload, "/merge_group/base_sha")?,
            base_branch: base.strip_prefix("refs/heads/").unwrap_or(&base).to_owned(),
        })
    }
}

impl WorkflowRun {
    fn read(payload: &Value) -> Option<Self> {
        let run = payload.get("workflow_run")?;
        Some(Self {
            id: run.get("id")?.as_u64()?,
            head: sha(run, "/head_sha")?,
            head_branch: text(run, "/head_branch"),
            head_repository: text(run, "/head_repository/full_name"),
            event: text(run, "/event").unwrap_or_default(),
        })
    }
}

fn text(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer)?.as_str().map(str::to_owned)
}

fn sha(value: &Value, pointer: &str) -> Option<Sha> {
    text(value, pointer)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn commit(digit: &str) -> String {
        digit.repeat(40)
    }

    fn pull() -> Value {
        json!({"number": 7, "pull_request": {
            "head": {"sha": commit("a"), "repo": {"full_name": "mallory/demo"}},
            "base": {"sha": commit("b"), "ref": "main"},
            "user": {"login": "mallory"},
        }})
    }

    #[test]
    fn reads_a_pull_request() {
        let Ok(Event::PullRequest(it)) = Event::read("pull_request", &pull()) else {
            panic!("it is one");
        };
        assert_eq!((it.number, it.base_branch.as_str()), (7, "main"));
        assert_eq!(it.head_repository.as_deref(), Some("mallory/demo"));
        assert!(matches!(
            Event::read("pull_request_target", &pull()),
            Ok(Event::PullRequestTarget(_))
        ));
    }

    #[test]
    fn a_fork_may_be_gone() {
        let mut payload = pull();
        payload["pull_request"]["head"]["repo"] = Value::Null;
        let Ok(Event::PullRequest(it)) = Event::read("pull_request", &payload) else {
            panic!("it is one");
        };
        assert_eq!(it.head_repository, None);
    }

    #[test]
    fn a_commit_that_is_none_is_no_commit() {
        let mut payload = pull();
        payload["pull_request"]["head"]["sha"] = "$(id)".into();
        let error = Event::read("pull_request", &payload).unwrap_err();
        assert_eq!(
            error,
            "the payload of the event `pull_request` has no usable `pull_request`"
        );
    }

    #[test]
    fn reads_pushes() {
        let payload = json!({"ref": "refs/heads/main", "before": "0".repeat(40), "forced": true});
        let push = Push {
            branch: Some("main".into()),
            before: None,
            is_forced: true,
        };
        assert_eq!(Event::read("push", &payload), Ok(Event::Push(push)));
        let tag = Event::read("push", &json!({"ref": "refs/tags/v1"}));
        assert_eq!(tag, Ok(Event::Push(Push::default())));
    }

    #[test]
    fn reads_what_a_merge_queue_asks() {
        let payload = json!({"merge_group": {
            "head_sha": commit("c"), "base_sha": commit("b"), "base_ref": "refs/heads/main",
        }});
        let Ok(Event::MergeGroup(it)) = Event::read("merge_group", &payload) else {
            panic!("it is one");
        };
        assert_eq!(it.base_branch, "main");
    }

    #[test]
    fn reads_the_run_of_another_workflow() {
        let payload = json!({"workflow_run": {
            "id": 99, "head_sha": commit("a"), "head_branch": "fix", "event": "pull_request", "pull_requests": [],
            "head_repository": {"full_name": "mallory/demo"},
        }});
        let Ok(Event::WorkflowRun(it)) = Event::read("workflow_run", &payload) else {
            panic!("it is one");
        };
        assert_eq!((it.id, it.event.as_str()), (99, "pull_request"));
    }

    #[test]
    fn others_are_known_by_name() {
        let empty = json!({});
        assert_eq!(Event::read("schedule", &empty), Ok(Event::Schedule));
        assert_eq!(Event::read("workflow_dispatch", &empty), Ok(Event::Dispatch));
        assert_eq!(Event::read("release", &empty), Ok(Event::Other("release".into())));
    }
}
