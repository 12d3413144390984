//! One request and the head of its response: patience with a server that is not up yet, and redirects.

use std::{sync::atomic::Ordering, time::Duration};

use reqwest::{Response, Url, header::LOCATION};
use tokio::time::{Instant, sleep, timeout};

use super::{
    client,
    endpoint::{Call, Endpoint},
    failure,
    redirect::{self, Redirect},
};
use crate::model::{Fault, FaultKind, Phase};

/// First pause between two attempts to reach a server that does not listen yet; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// Longest pause between two such attempts.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);
/// How long it may take until the end of a process is known after its connection broke.
pub(super) const EXIT_GRACE: Duration = Duration::from_millis(200);

impl Endpoint {
    /// Sends a request and follows redirects on the same origin; the response may have any status but theirs.
    pub(super) async fn exchange(&self, call: &Call, phase: Phase) -> Result<Response, Fault> {
        let mut url = self.url.clone();
        for _ in 0..=redirect::HOP_LIMIT {
            let response = self.attempt(call, &url, phase).await?;
            let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            match redirect::judge(&call.method(), response.status(), location, &url) {
                Redirect::None => return Ok(response),
                Redirect::Refuse(reason) => {
                    return Err(Fault::server(FaultKind::HttpStatus, phase, reason)
                        .help("write the address that answers into `url`"));
                }
                Redirect::Follow(next) => {
                    self.remark_redirect(response.status().as_u16(), &next);
                    url = next;
                }
            }
        }
        let message = format!(
            "more than {} redirects in a row, the last one to `{}`",
            redirect::HOP_LIMIT,
            client::shown(&url)
        );
        Err(Fault::server(FaultKind::HttpStatus, phase, message).help("write the address that answers into `url`"))
    }

    async fn attempt(&self, call: &Call, url: &Url, phase: Phase) -> Result<Response, Fault> {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.request(call, url).send().await {
                Ok(response) => {
                    self.reached.store(true, Ordering::Relaxed);
                    return Ok(response);
                }
                Err(error) => match self.patience_left(&error) {
                    Some(left) => sleep(pause.min(left)).await,
                    None => return Err(self.explain(&error, phase).await),
                },
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// How long a server that does not listen may still come up; none where waiting is pointless.
    fn patience_left(&self, error: &reqwest::Error) -> Option<Duration> {
        let hopeless = !failure::is_refused(error)
            || self.reached.load(Ordering::Relaxed)
            || self.process.as_ref().is_some_and(|process| process.exited().is_some());
        let left = self
            .patience
            .checked_duration_since(Instant::now())
            .filter(|left| !left.is_zero());
        left.filter(|_| !hopeless)
    }

    async fn explain(&self, error: &reqwest::Error, phase: Phase) -> Fault {
        if let Some(status) = self.exit_status().await {
            return failure::exited(&status, phase);
        }
        let address = self.address();
        match error.is_connect() {
            true if self.reached.load(Ordering::Relaxed) => failure::gone(error, &address, phase),
            true => {
                let fault = failure::no_connection(error, &address);
                if self.process.is_some() {
                    failure::of_our_server(fault)
                } else {
                    fault
                }
            }
            false => failure::no_response(error, &address, phase),
        }
    }

    /// How the server process ended, where it is ours and did.
    pub(super) async fn exit_status(&self) -> Option<String> {
        timeout(EXIT_GRACE, self.process.as_ref()?.wait()).await.ok()
    }

    fn remark_redirect(&self, status: u16, to: &Url) {
        let to = client::shown(to);
        let message = match status {
            301 | 302 => format!(
                "HTTP {status} to `{to}` was followed with the message unchanged, though many clients turn it into a GET: name that address in `url`"
            ),
            _ => format!("every message is redirected to `{to}` (HTTP {status}): name that address in `url`"),
        };
        self.remark(&format!("HTTP {status} location: {to}"), "http-redirect", message);
    }
}
