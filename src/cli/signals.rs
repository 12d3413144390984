//! Ctrl-C and the runner that cancels the job.

use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use crate::run::{Stop, StopReason};

/// Listens for SIGINT, SIGTERM and SIGHUP. The first one stops the run, the second one cancels the returned token:
/// whoever waits for it leaves at once.
pub fn listen(stop: Stop) -> std::io::Result<(CancellationToken, JoinHandle<()>)> {
    let mut signals = Signals {
        interrupt: signal(SignalKind::interrupt())?,
        terminate: signal(SignalKind::terminate())?,
        hangup: signal(SignalKind::hangup())?,
    };
    let leave = CancellationToken::new();
    let token = leave.clone();
    let task = tokio::spawn(async move {
        signals.next().await;
        stop.stop(StopReason::Interrupted);
        signals.next().await;
        token.cancel();
    });
    Ok((leave, task))
}

struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Signals {
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }
}
