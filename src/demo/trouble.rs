//! Tools that misbehave on purpose, so that the way a run reports trouble can be seen: slow, failing, crashing.

use std::{
    io::{self, Write},
    time::Duration,
};

use rmcp::{
    RoleServer,
    handler::server::wrapper::Parameters,
    model::{ProgressNotificationParam, ProgressToken},
    schemars,
    service::RequestContext,
    tool, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time;

use super::DemoServer;

/// Exit status of the `crash` tool.
const CRASH_STATUS: i32 = 3;

/// Milliseconds that `slow` takes at most.
const LONGEST_DELAY: u64 = 60_000;

/// Progress is reported this many times in the course of a slow call.
const PROGRESS_STEPS: u32 = 4;

/// How long to take.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Delay {
    /// Milliseconds until the answer, one minute at most.
    #[schemars(range(max = LONGEST_DELAY))]
    ms: u64,
}

/// What to complain about.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Complaint {
    /// Text of the error.
    #[serde(default = "default_complaint")]
    message: String,
}

fn default_complaint() -> String {
    "this tool always fails".to_owned()
}

#[tool_router(router = trouble, vis = "pub(super)")]
impl DemoServer {
    /// Answers after the given time and reports progress on the way.
    #[tool(annotations(read_only_hint = true))]
    async fn slow(
        &self,
        Parameters(Delay { ms }): Parameters<Delay>,
        context: RequestContext<RoleServer>,
    ) -> Result<String, String> {
        if ms > LONGEST_DELAY {
            return Err(format!("{ms} ms is too long: at most {LONGEST_DELAY}"));
        }
        let token = context.meta.get_progress_token();
        let part = Duration::from_millis(ms) / PROGRESS_STEPS;
        for step in 1..=PROGRESS_STEPS {
            tokio::select! {
                () = time::sleep(part) => {}
                () = context.ct.cancelled() => return Err("cancelled".to_owned()),
            }
            if let Some(token) = &token {
                report_progress(&context, token.clone(), step).await;
            }
        }
        Ok(format!("waited {ms} ms"))
    }

    /// Fails with the given message.
    #[tool(annotations(read_only_hint = true))]
    async fn fail(&self, Parameters(Complaint { message }): Parameters<Complaint>) -> Result<String, String> {
        Err(message)
    }

    /// Ends the server process without an answer.
    #[tool]
    async fn crash(&self) -> String {
        let _ = writeln!(io::stderr(), "mcpvals-demo: crashing, as asked");
        std::process::exit(CRASH_STATUS)
    }
}

/// A client that no longer listens for progress may still want the answer.
async fn report_progress(context: &RequestContext<RoleServer>, token: ProgressToken, step: u32) {
    let progress = ProgressNotificationParam::new(token, step.into()).with_total(PROGRESS_STEPS.into());
    let _ = context.peer.notify_progress(progress).await;
}
