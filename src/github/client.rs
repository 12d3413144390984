//! The REST and GraphQL API: one request after the other, within GitHub's limits, and errors that say what to do.

use std::time::{Duration, Instant};

use octocrab::Octocrab;
use reqwest::redirect::Policy;
use serde_json::{Value, json};

use super::{
    ApiError, Refusal, Secret,
    pace::{Limits, Next, Pace},
};
use crate::text::quote;

const USER_AGENT: &str = concat!("mcpvals/", env!("CARGO_PKG_VERSION"));
/// How long the API may take to answer one request; GitHub ends its own after 10 s.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// The most entries of one page.
const PAGE: usize = 100;
/// Bytes of a message of GitHub that are shown.
const MAX_MESSAGE: usize = 300;

/// A client of the API at one address, with one token.
#[derive(Debug)]
pub struct Client {
    octocrab: Octocrab,
    http: reqwest::Client,
    graphql: String,
    pace: Pace,
}

/// An answer that is not an error; redirections are among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// Where a redirection leads.
    pub location: Option<String>,
    /// Whether there is a next page.
    pub has_next: bool,
    /// The text.
    pub body: String,
}

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Get,
    Post,
    Patch,
    Put,
    Delete,
}

impl Client {
    /// A client of the REST API at `api` and the GraphQL API at `graphql`. Proxies and certificates are those of the
    /// environment: `HTTPS_PROXY`, `NO_PROXY`, `SSL_CERT_FILE`.
    pub fn new(api: &str, graphql: &str, token: Option<&Secret>) -> Result<Self, ApiError> {
        // A second installation fails and changes nothing; without the first one building a client panics.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            // Answers that lead elsewhere are followed by whoever asked, without the token.
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(CONNECT_LIMIT)
            .timeout(ANSWER_LIMIT)
            .build()
            .map_err(|error| ApiError::Unreachable(deepest(&error)))?;
        let mut builder = Octocrab::builder()
            .base_uri(api)
            .map_err(|error| ApiError::Unreachable(deepest(&error)))?;
        if let Some(token) = token {
            builder = builder.personal_token(token.reveal().to_owned());
        }
        let octocrab = builder
            .build_with_reqwest(http.clone())
            .map_err(|error| ApiError::Unreachable(deepest(&error)))?;
        Ok(Self {
            octocrab,
            http,
            graphql: graphql.to_owned(),
            pace: Pace::default(),
        })
    }

    /// A client for addresses outside of the API, which get no token.
    pub const fn plain(&self) -> &reqwest::Client {
        &self.http
    }

    /// `GET`, as JSON. A path begins with `/`.
    pub async fn get(&self, path: &str) -> Result<Value, ApiError> {
        json_of(&self.ask(Method::Get, path, None).await?)
    }

    /// `GET`, as it came, redirections too.
    pub async fn get_answer(&self, path: &str) -> Result<Answer, ApiError> {
        self.ask(Method::Get, path, None).await
    }

    /// All entries of a list, page by page, at most `most`. `list` names the field that holds them; an answer that is a
    /// list itself has none.
    pub async fn get_all(&self, path: &str, list: Option<&str>, most: usize) -> Result<Vec<Value>, ApiError> {
        let mut entries = Vec::new();
        for page in 1.. {
            let separator = if path.contains('?') { '&' } else { '?' };
            let answer = self
                .ask(
                    Method::Get,
                    &format!("{path}{separator}per_page={PAGE}&page={page}"),
                    None,
                )
                .await?;
            let mut value = json_of(&answer)?;
            let found = match list {
                Some(list) => value.get_mut(list).map(Value::take).unwrap_or_default(),
                None => value,
            };
            let Value::Array(found) = found else {
                return Err(ApiError::Senseless(format!("`{path}` gave no list")));
            };
            let is_full = found.len() >= PAGE;
            entries.extend(found);
            if entries.len() >= most || !(is_full || answer.has_next) {
                break;
            }
        }
        entries.truncate(most);
        Ok(entries)
    }

    /// `POST`. It is made once: whether one without an answer was carried out, nobody knows.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, ApiError> {
        json_of(&self.ask(Method::Post, path, Some(body)).await?)
    }

    /// `PATCH`.
    pub async fn patch(&self, path: &str, body: &Value) -> Result<Value, ApiError> {
        json_of(&self.ask(Method::Patch, path, Some(body)).await?)
    }

    /// `PUT`.
    pub async fn put(&self, path: &str, body: &Value) -> Result<Value, ApiError> {
        json_of(&self.ask(Method::Put, path, Some(body)).await?)
    }

    /// `DELETE`.
    pub async fn delete(&self, path: &str) -> Result<(), ApiError> {
        self.ask(Method::Delete, path, None).await.map(drop)
    }

    /// A GraphQL query; its `data`.
    pub async fn graphql(&self, query: &str, variables: &Value) -> Result<Value, ApiError> {
        let body = json!({ "query": query, "variables": variables });
        let mut value = json_of(&self.ask(Method::Post, &self.graphql, Some(&body)).await?)?;
        if let Some(error) = value.pointer("/errors/0/message").and_then(Value::as_str) {
            return Err(ApiError::Unprocessable(quote(error, MAX_MESSAGE)));
        }
        Ok(value.get_mut("data").map(Value::take).unwrap_or_default())
    }

    async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Answer, ApiError> {
        let is_safe = method != Method::Post;
        for attempt in 0.. {
            if method != Method::Get && path != self.graphql {
                tokio::time::sleep(self.pace.before_write(Instant::now())).await;
            }
            let (next, result) = match self.try_once(method, path, body).await {
                Ok((answer, limits, needed)) => {
                    let next = self.pace.after(answer.status, limits, attempt, is_safe);
                    (next, judged(path, answer, needed))
                }
                Err(why) => (
                    self.pace.after_silence(attempt, is_safe),
                    Err(ApiError::Unreachable(why)),
                ),
            };
            match next {
                Next::Take => return result,
                Next::Again(pause) => {
                    tracing::debug!(path, ?pause, "asking GitHub again");
                    tokio::time::sleep(pause).await;
                }
                Next::GiveUp(pause) => return Err(ApiError::RateLimited(pause)),
            }
        }
        unreachable!("attempts are bounded by the pace")
    }

    async fn try_once(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(Answer, Limits, Option<String>), String> {
        let asked = match method {
            Method::Get => self.octocrab._get(path).await,
            Method::Post => self.octocrab._post(path, body).await,
            Method::Patch => self.octocrab._patch(path, body).await,
            Method::Put => self.octocrab._put(path, body).await,
            Method::Delete => self.octocrab._delete(path, body).await,
        };
        let response = asked.map_err(|error| deepest(&error))?;
        let header = |name: &str| {
            let value = response.headers().get(name)?;
            value.to_str().ok().map(str::to_owned)
        };
        let number = |name: &str| header(name).and_then(|text| text.parse().ok());
        let mut limits = Limits {
            retry_after: number("retry-after"),
            remaining: number("x-ratelimit-remaining"),
            reset: number("x-ratelimit-reset"),
            is_told: false,
        };
        let needed = header("x-accepted-github-permissions").filter(|text| !text.is_empty());
        let mut answer = Answer {
            status: response.status().as_u16(),
            location: header("location"),
            has_next: header("link").is_some_and(|link| link.contains("rel=\"next\"")),
            body: String::new(),
        };
        answer.body = self
            .octocrab
            .body_to_string(response)
            .await
            .map_err(|error| deepest(&error))?;
        limits.is_told = answer.body.contains("rate limit") || answer.body.contains("abuse detection");
        Ok((answer, limits, needed))
    }
}

fn judged(path: &str, answer: Answer, needed: Option<String>) -> Result<Answer, ApiError> {
    let message = || {
        let said: Option<Value> = serde_json::from_str(&answer.body).ok();
        let said = said.as_ref().and_then(|it| it.get("message")).and_then(Value::as_str);
        crate::text::sanitize::line(&crate::text::cut(said.unwrap_or("no reason given"), MAX_MESSAGE))
    };
    match answer.status {
        200..=399 => Ok(answer),
        401 | 403 => Err(ApiError::Refused(Refusal {
            status: answer.status,
            message: message(),
            needed,
        })),
        404 | 410 => Err(ApiError::NotFound(path.to_owned())),
        409 => Err(ApiError::Conflict(message())),
        422 => Err(ApiError::Unprocessable(message())),
        status => Err(ApiError::Failed {
            status,
            message: message(),
        }),
    }
}

fn json_of(answer: &Answer) -> Result<Value, ApiError> {
    if answer.body.trim().is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_str(&answer.body).map_err(|error| ApiError::Senseless(error.to_string()))
}

/// The last cause of an error, which says most.
fn deepest(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
