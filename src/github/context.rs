//! What GitHub's runner tells a job about itself. No secret is among it.

use std::{fmt, str::FromStr};

use serde_json::Value;

use super::{Event, PullRequest, Sha};

/// The author of pull requests whose token may only read, like that of a fork.
const DEPENDABOT: &str = "dependabot[bot]";

/// The job we run in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// Where the REST API is; `https://host/api/v3` on GitHub Enterprise Server.
    pub api: String,
    /// Where the GraphQL API is.
    pub graphql: String,
    /// Where people look.
    pub server: String,
    /// The repository of the workflow.
    pub repository: Repository,
    /// Its default branch, where that is known.
    pub default_branch: Option<String>,
    /// What started the workflow.
    pub event: Event,
    /// The commit that was checked out, unless the workflow checked out another one.
    pub sha: Sha,
    /// The branch or tag, such as `refs/pull/7/merge`.
    pub reference: String,
    /// This run of the workflow.
    pub run: RunId,
    /// The file of the workflow, such as `.github/workflows/ci.yml`.
    pub workflow_path: Option<String>,
    /// The job's key in the workflow.
    pub job: String,
    /// Who started it.
    pub actor: String,
    /// How many days artifacts may be kept.
    pub retention_days: Option<u32>,
}

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// Who it belongs to.
    pub owner: String,
    /// What it is called.
    pub name: String,
    /// Its number, which stays when it is renamed.
    pub id: Option<u64>,
}

/// A run of a workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId {
    /// Its id; a later run of the repository has a larger one.
    pub id: u64,
    /// Which attempt it is, counted from 1.
    pub attempt: u64,
}

impl Context {
    /// Reads the `GITHUB_` variables and the payload of the event. The error says what is missing.
    pub fn read(variable: impl Fn(&str) -> Option<String>, payload: &Value) -> Result<Self, String> {
        let wanted =
            |name: &str| variable(name).ok_or_else(|| format!("`{name}` is not set: this is no job of GitHub Actions"));
        let mut repository: Repository = wanted("GITHUB_REPOSITORY")?.parse()?;
        repository.id = payload.pointer("/repository/id").and_then(Value::as_u64);
        let host = |name: &str, default: &str| {
            let address = variable(name).unwrap_or_else(|| default.to_owned());
            address.trim_end_matches('/').to_owned()
        };
        let number = |name: &str| variable(name).and_then(|text| text.parse().ok());
        Ok(Self {
            api: host("GITHUB_API_URL", "https://api.github.com"),
            graphql: host("GITHUB_GRAPHQL_URL", "https://api.github.com/graphql"),
            server: host("GITHUB_SERVER_URL", "https://github.com"),
            default_branch: payload
                .pointer("/repository/default_branch")
                .and_then(Value::as_str)
                .map(str::to_owned),
            event: Event::read(&wanted("GITHUB_EVENT_NAME")?, payload)?,
            sha: wanted("GITHUB_SHA")?
                .parse()
                .map_err(|error| format!("`GITHUB_SHA` is wrong: {error}"))?,
            reference: variable("GITHUB_REF").unwrap_or_default(),
            run: RunId {
                id: number("GITHUB_RUN_ID").unwrap_or_default(),
                attempt: number("GITHUB_RUN_ATTEMPT").unwrap_or(1),
            },
            workflow_path: variable("GITHUB_WORKFLOW_REF").and_then(|reference| workflow_path(&reference, &repository)),
            job: variable("GITHUB_JOB").unwrap_or_default(),
            actor: variable("GITHUB_ACTOR").unwrap_or_default(),
            retention_days: variable("GITHUB_RETENTION_DAYS").and_then(|text| text.parse().ok()),
            repository,
        })
    }

    /// The pull request of the event.
    pub fn pull_request(&self) -> Option<&PullRequest> {
        match &self.event {
            Event::PullRequest(pull) | Event::PullRequestTarget(pull) => Some(pull),
            _ => None,
        }
    }

    /// The commit that the results belong to, where people look for them: the last one of a pull request, not the merge
    /// that was tested.
    pub fn head(&self) -> &Sha {
        match &self.event {
            Event::PullRequest(pull) | Event::PullRequestTarget(pull) => &pull.head,
            Event::MergeGroup(group) => &group.head,
            Event::WorkflowRun(run) => &run.head,
            _ => &self.sha,
        }
    }

    /// Why the token may only read, if that is known before it is tried.
    pub fn read_only(&self) -> Option<&'static str> {
        let Event::PullRequest(pull) = &self.event else {
            return None;
        };
        if pull.head_repository.as_deref() != Some(&self.repository.to_string()) {
            Some("the pull request comes from a fork")
        } else if self.actor == DEPENDABOT || pull.author == DEPENDABOT {
            Some("the pull request comes from Dependabot")
        } else {
            None
        }
    }

    /// The default branch, if what runs is that and nothing that somebody asks to be merged: only such a run may leave
    /// a baseline behind.
    pub fn trusted_branch(&self) -> Option<&str> {
        let branch = self.default_branch.as_deref()?;
        let is_it = match &self.event {
            Event::Push(push) => push.branch.as_deref() == Some(branch),
            Event::Schedule | Event::Dispatch => self.reference.strip_prefix("refs/heads/") == Some(branch),
            _ => false,
        };
        is_it.then_some(branch)
    }

    /// Whether this is neither GitHub nor its cloud for enterprises, as GitHub's own toolkit tells (`config.ts`).
    pub fn is_enterprise_server(&self) -> bool {
        let host = self.server.split("://").nth(1).unwrap_or(&self.server);
        let host = host.split(['/', ':']).next().unwrap_or_default().to_ascii_lowercase();
        host != "github.com" && !host.ends_with(".ghe.com") && !host.ends_with(".localhost")
    }

    /// The address of this run for people.
    pub fn run_address(&self) -> String {
        format!("{}/{}/actions/runs/{}", self.server, self.repository, self.run.id)
    }

    /// The address of a commit for people.
    pub fn commit_address(&self, commit: &Sha) -> String {
        format!("{}/{}/commit/{commit}", self.server, self.repository)
    }
}

/// `owner/name/.github/workflows/ci.yml@refs/heads/main` is the workflow's file, if it is of this repository.
fn workflow_path(reference: &str, repository: &Repository) -> Option<String> {
    let path = reference.strip_prefix(&format!("{repository}/"))?;
    let (path, _) = path.rsplit_once("@refs/").unwrap_or((path, ""));
    Some(path.to_owned())
}

impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

impl FromStr for Repository {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // What GitHub allows in names; nothing else becomes part of an address.
        let is_name = |name: &str| {
            let is_fine = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            !name.is_empty() && name.chars().all(is_fine) && !name.chars().all(|c| c == '.')
        };
        match text.split_once('/') {
            Some((owner, name)) if is_name(owner) && is_name(name) => Ok(Self {
                owner: owner.to_owned(),
                name: name.to_owned(),
                id: None,
            }),
            _ => Err("expected a repository as `owner/name`".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn context(event: &str, payload: &Value, more: &[(&str, &str)]) -> Context {
        let sha = "c".repeat(40);
        let basics = [
            ("GITHUB_REPOSITORY", "acme/demo"),
            ("GITHUB_EVENT_NAME", event),
            ("GITHUB_SHA", &sha),
            ("GITHUB_RUN_ID", "42"),
            ("GITHUB_RUN_ATTEMPT", "2"),
            (
                "GITHUB_WORKFLOW_REF",
                "acme/demo/.github/workflows/ci.yml@refs/pull/7/merge",
            ),
        ];
        let of = |wanted: &str| {
            let found = more.iter().chain(&basics).find(|(name, _)| *name == wanted);
            found.map(|(_, value)| (*value).to_owned())
        };
        Context::read(of, payload).unwrap()
    }

    fn pull(repository: &str, author: &str) -> Value {
        json!({"number": 7, "repository": {"id": 5, "default_branch": "main"}, "pull_request": {
            "head": {"sha": "a".repeat(40), "repo": {"full_name": repository}},
            "base": {"ref": "main"}, "user": {"login": author},
        }})
    }

    #[test]
    fn reads_a_job() {
        let it = context("pull_request", &pull("acme/demo", "dev"), &[]);
        assert_eq!(it.repository.id, Some(5));
        assert_eq!(it.run, RunId { id: 42, attempt: 2 });
        assert_eq!(it.workflow_path.as_deref(), Some(".github/workflows/ci.yml"));
        assert_eq!(it.head().as_str(), "a".repeat(40));
        assert_eq!(it.run_address(), "https://github.com/acme/demo/actions/runs/42");
        assert_eq!(it.read_only(), None);
        assert_eq!(it.trusted_branch(), None);
    }

    #[test]
    fn knows_who_may_only_read() {
        let fork = context("pull_request", &pull("mallory/demo", "mallory"), &[]);
        assert_eq!(fork.read_only(), Some("the pull request comes from a fork"));
        let bot = context("pull_request", &pull("acme/demo", DEPENDABOT), &[]);
        assert_eq!(bot.read_only(), Some("the pull request comes from Dependabot"));
    }

    #[test]
    fn only_the_default_branch_is_trusted() {
        let push = |branch: &str| json!({"ref": branch, "repository": {"default_branch": "main"}});
        assert_eq!(
            context("push", &push("refs/heads/main"), &[]).trusted_branch(),
            Some("main")
        );
        assert_eq!(context("push", &push("refs/heads/fix"), &[]).trusted_branch(), None);
        assert_eq!(context("push", &push("refs/tags/main"), &[]).trusted_branch(), None);
        let payload = json!({"repository": {"default_branch": "main"}});
        let on = |reference| context("schedule", &payload, &[("GITHUB_REF", reference)]);
        assert_eq!(on("refs/heads/main").trusted_branch(), Some("main"));
        assert_eq!(on("refs/heads/fix").trusted_branch(), None);
    }

    #[test]
    fn knows_an_enterprise_server() {
        for (server, is_one) in [
            ("https://github.com", false),
            ("https://acme.ghe.com", false),
            ("https://git.acme.example", true),
            ("https://github.com.evil.example", true),
        ] {
            let it = context("schedule", &json!({}), &[("GITHUB_SERVER_URL", server)]);
            assert_eq!(it.is_enterprise_server(), is_one, "{server}");
        }
    }

    #[test]
    fn a_repository_is_two_plain_names() {
        for wrong in ["", "acme", "acme/", "a/b/c", "../x", "acme/..", "a b/c", "acme/x?y"] {
            assert!(wrong.parse::<Repository>().is_err(), "{wrong}");
        }
    }
}
