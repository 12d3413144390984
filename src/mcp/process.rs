//! A child process with everything it starts: spawned in its own group, its stderr kept, its whole tree ended.

use std::sync::Arc;

use crate::model::{Fault, Launch};

/// A running child, the group it leads, and the last lines of its stderr.
#[derive(Debug)]
pub(crate) struct Process {}

/// Which of the child's streams are ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Streams {
    /// Stdin and stdout carry the protocol; stderr is kept.
    Protocol,
    /// Stdin is empty; stdout and stderr are both kept as the log.
    Log,
}

impl Process {
    /// Starts a command; `mcpvals` means the running binary.
    pub(crate) fn spawn(launch: &Launch, streams: Streams) -> Result<Arc<Self>, Fault> {
        let _ = (launch, streams);
        unimplemented!()
    }

    /// What is known of it, one fact a line: exit status if it ended, then the last lines it wrote to stderr.
    pub(crate) fn evidence(&self) -> Vec<String> {
        unimplemented!()
    }

    /// The exit status in words (`exit status 1`, `killed by signal 9`), once it has ended.
    pub(crate) fn exited(&self) -> Option<String> {
        unimplemented!()
    }

    /// Waits until it has ended.
    pub(crate) async fn wait(&self) -> String {
        unimplemented!()
    }

    /// Ends the whole tree: SIGTERM, a short wait, SIGKILL; returns when nothing of it is left.
    pub(crate) async fn end(&self) {
        unimplemented!()
    }
}
