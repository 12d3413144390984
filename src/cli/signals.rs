//! Ctrl-C, the runner that cancels the job, and files that may not grow any more.

use nix::sys::signal::Signal::SIGXFSZ;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use crate::run::{Stop, StopReason};

/// Listens for SIGINT, SIGTERM, SIGHUP and SIGQUIT. The first one stops the run, the second one cancels the returned token:
/// whoever waits for it leaves at once.
pub fn listen(stop: Stop) -> std::io::Result<(CancellationToken, JoinHandle<()>)> {
    let mut signals = Signals {
        interrupt: signal(SignalKind::interrupt())?,
        terminate: signal(SignalKind::terminate())?,
        hangup: signal(SignalKind::hangup())?,
        quit: signal(SignalKind::quit())?,
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

/// From now on a write beyond the size that the system allows to a file (`ulimit -f`) is an error like that of a full
/// disk, and not the end of this process. A handler does that, and unlike an ignored signal no server inherits it.
pub fn bear_limits_of_files() {
    // Where no handler can be set, the system does as it always did.
    let _ = signal(SignalKind::from_raw(SIGXFSZ as i32));
}

struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
    quit: Signal,
}

impl Signals {
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
            _ = self.quit.recv() => {}
        }
    }
}
