//! One running child: its streams, how it ended, and its end.

use std::{
    fmt,
    os::fd::AsRawFd,
    path::{Path, PathBuf},
    process::Child,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use nix::{
    sys::signal::{Signal, kill, killpg},
    unistd::{Pid, getpgid},
};
use tokio::{
    process::{ChildStderr, ChildStdin, ChildStdout},
    signal::unix::{SignalKind, signal},
    task::JoinHandle,
    time::{sleep, timeout},
};

use super::{
    launch, orphans,
    proc::{self, Stray},
    status, tail,
    tail::Tail,
    tree,
};
use crate::{
    mcp::Recorder,
    model::{Fault, FaultKind, Launch, Phase},
};

/// How long a child may take to end after its stdin was closed, and again after SIGTERM. Node servers need some 30 ms,
/// Python servers up to 500 ms.
const GRACE: Duration = Duration::from_millis(600);
/// How long the system may take to end what was killed.
const KILL_LIMIT: Duration = Duration::from_secs(1);
/// How long exit status and last words may take to arrive after the other end of a pipe was closed.
const SETTLE_LIMIT: Duration = Duration::from_millis(200);
/// How long last words may take once the child has ended: a helper may hold the pipe open for ever.
const LAST_WORDS_LIMIT: Duration = Duration::from_millis(50);
/// Pause between two looks at what carries on after the child: its output ends with it, so nobody waits for this.
const HEIR_PAUSE: Duration = Duration::from_millis(100);
/// Pause between two looks at something the system does not tell us about.
const PAUSE: Duration = Duration::from_millis(5);

/// A running child, the group it leads, and the last lines of its log.
pub(crate) struct Process {
    pid: Pid,
    streams: Streams,
    life: Mutex<Life>,
    /// What carries on in its place, see [`Process::over`].
    heir: Mutex<Option<Stray>>,
    /// The name of the pipe that its stdout is.
    output: OnceLock<PathBuf>,
    pipes: Mutex<Option<(ChildStdin, ChildStdout)>>,
    tail: Arc<Tail>,
    drains: Mutex<Vec<JoinHandle<()>>>,
    ending: tokio::sync::Mutex<()>,
}

/// Which of the child's streams are ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Streams {
    /// Stdin and stdout carry the protocol; stderr is kept.
    Protocol,
    /// Stdin is empty; stdout and stderr are both kept as the log.
    Log,
}

/// What is known of the child's life. It stays unreaped until its group is killed, see [`status::peek`].
struct Life {
    child: Option<Child>,
    status: Option<String>,
}

impl Process {
    /// Starts a command, where `mcpvals` means the running binary, and shows what it logs to `recorder`.
    pub(crate) fn spawn(
        launch: &Launch,
        streams: Streams,
        recorder: Option<&Arc<dyn Recorder>>,
    ) -> Result<Arc<Self>, Fault> {
        let mut command = launch::command(launch, streams)?;
        let spawning = orphans::spawning();
        let mut child = command
            .spawn()
            .map_err(|error| launch::refused(launch, Path::new(command.get_program()), &error))?;
        let pid = Pid::from_raw(child.id().cast_signed());
        orphans::started(pid);
        drop(spawning);
        let taken = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on dropping the process ends the child.
        let process = Arc::new(Self {
            pid,
            streams,
            life: Mutex::new(Life {
                child: Some(child),
                status: None,
            }),
            heir: Mutex::default(),
            output: OnceLock::new(),
            pipes: Mutex::new(None),
            tail: Arc::default(),
            drains: Mutex::default(),
            ending: tokio::sync::Mutex::default(),
        });
        process.adopt(taken, recorder).map_err(|error| {
            let message = format!("the pipes of `{}` could not be set up: {error}", launch.command);
            Fault::surroundings(FaultKind::CannotStart, Phase::Start, message)
        })?;
        Ok(process)
    }

    /// The child's stdin and stdout; once, and only of [`Streams::Protocol`].
    pub(crate) fn take_pipes(&self) -> Option<(ChildStdin, ChildStdout)> {
        lock(&self.pipes).take()
    }

    /// What is known of it, one fact a line: exit status if it ended, then the last lines it wrote to stderr.
    pub(crate) fn evidence(&self) -> Vec<String> {
        let source = if self.streams == Streams::Protocol {
            "stderr"
        } else {
            "log"
        };
        let last_words = self.tail.lines().into_iter().map(|line| format!("{source}: {line}"));
        let heir = if lock(&self.heir).is_some_and(Stray::is_alive) {
            ", but what it started still holds its stdout"
        } else {
            ""
        };
        let status = self.exited().map(|status| format!("{status}{heir}"));
        status.into_iter().chain(last_words).collect()
    }

    /// The exit status in words (`exit status 1`, `killed by signal 9`), once it has ended.
    pub(crate) fn exited(&self) -> Option<String> {
        let mut life = lock(&self.life);
        if life.status.is_none() {
            life.status = match status::peek(life.child.as_mut()?) {
                Ok(status) => status,
                // Somebody else reaped it (SIGCHLD ignored, a host program that waits for every child).
                Err(_) => Some(status::UNKNOWN.to_owned()),
            };
        }
        life.status.clone()
    }

    /// The exit status in words, once it has ended otherwise than with success.
    pub(crate) fn crash(&self) -> Option<String> {
        let is_crash = |status: &String| ![status::SUCCESS, status::UNKNOWN].contains(&status.as_str());
        self.exited().filter(is_crash)
    }

    /// Waits until it has ended.
    pub(crate) async fn wait(&self) -> String {
        let mut deaths = signal(SignalKind::child()).ok();
        loop {
            if let Some(status) = self.exited() {
                return status;
            }
            match &mut deaths {
                Some(deaths) => {
                    deaths.recv().await;
                    orphans::reap_now_and_then();
                }
                None => sleep(PAUSE).await,
            }
        }
    }

    /// Waits until it has ended and nobody serves in its place: a launcher ends with success and leaves the server
    /// behind on its pipes. What ended otherwise has failed, and whatever it left is no server.
    pub(crate) async fn over(&self) {
        if self.wait().await != status::SUCCESS {
            return;
        }
        while self.has_heir() {
            sleep(HEIR_PAUSE).await;
        }
    }

    /// Waits, not for long, until exit status and last words are in: a closed pipe arrives before both.
    pub(crate) async fn settle(&self) {
        if timeout(SETTLE_LIMIT, self.wait()).await.is_ok() {
            let drained = async {
                while lock(&self.drains).iter().any(|drain| !drain.is_finished()) {
                    sleep(Duration::from_millis(1)).await;
                }
            };
            let _ = timeout(LAST_WORDS_LIMIT, drained).await;
        }
    }

    /// Ends the whole tree: SIGTERM, a short wait, SIGKILL; returns when nothing of it is left. A child that speaks
    /// the protocol is first given the time to end by itself: its stdin is closed before this is called.
    pub(crate) async fn end(&self) {
        let _one_at_a_time = self.ending.lock().await;
        if lock(&self.life).child.is_none() {
            return;
        }
        drop(self.take_pipes());
        let mut strays = self.strays();
        let mut is_gone = self.streams == Streams::Protocol && timeout(GRACE, self.ended()).await.is_ok();
        if !is_gone {
            merge(&mut strays, self.strays());
            self.signal_tree(Signal::SIGTERM, &strays);
            is_gone = timeout(GRACE, self.ended()).await.is_ok();
        }
        if !is_gone {
            merge(&mut strays, self.strays());
        }
        self.signal_tree(Signal::SIGKILL, &strays);
        if timeout(KILL_LIMIT, self.gone(&strays)).await.is_err() {
            orphans::ended(self.pid);
        }
        orphans::reap();
        lock(&self.drains).iter().for_each(JoinHandle::abort);
    }

    /// Kills the whole tree at once and waits for nothing.
    pub(crate) fn kill(&self) {
        if lock(&self.life).child.is_none() {
            return;
        }
        self.signal_tree(Signal::SIGKILL, &self.strays());
        lock(&self.drains).iter().for_each(JoinHandle::abort);
        orphans::ended(self.pid);
        let Some(mut child) = lock(&self.life).child.take() else {
            return;
        };
        if matches!(child.try_wait(), Ok(None)) {
            let pid = self.pid;
            std::thread::spawn(move || {
                let _ = child.wait();
                tree::group_is_gone(pid);
            });
        }
    }

    fn adopt(
        &self,
        (stdin, stdout, stderr): (
            Option<std::process::ChildStdin>,
            Option<std::process::ChildStdout>,
            Option<std::process::ChildStderr>,
        ),
        recorder: Option<&Arc<dyn Recorder>>,
    ) -> std::io::Result<()> {
        let mut drains = lock(&self.drains);
        if let Some(stderr) = stderr {
            let stream = ChildStderr::from_std(stderr)?;
            drains.push(tokio::spawn(tail::drain(
                stream,
                Arc::clone(&self.tail),
                recorder.cloned(),
            )));
        }
        let Some(stdout) = stdout.map(ChildStdout::from_std).transpose()? else {
            return Ok(());
        };
        if let Some(output) = proc::open_file(Pid::this(), stdout.as_raw_fd()) {
            let _ = self.output.set(output);
        }
        match stdin.map(ChildStdin::from_std).transpose()? {
            Some(stdin) => *lock(&self.pipes) = Some((stdin, stdout)),
            None => drains.push(tokio::spawn(tail::drain(
                stdout,
                Arc::clone(&self.tail),
                recorder.cloned(),
            ))),
        }
        Ok(())
    }

    /// The child is not reaped yet, so its group is still its own.
    fn signal_tree(&self, signal: Signal, strays: &[Stray]) {
        let _ = killpg(self.pid, signal);
        // A child may move to another group, even to ours; its id is its own as long as it is not reaped.
        let has_left = || getpgid(Some(self.pid)).is_ok_and(|group| group != self.pid);
        if self.exited().is_none() && has_left() {
            let _ = kill(self.pid, signal);
        }
        for stray in strays {
            stray.signal(signal);
        }
    }

    fn strays(&self) -> Vec<Stray> {
        tree::strays(self.pid, *lock(&self.heir))
    }

    fn has_heir(&self) -> bool {
        let mut heir = lock(&self.heir);
        if !heir.is_some_and(Stray::is_alive) {
            *heir = tree::heir(self.pid, self.output.get().map(PathBuf::as_path));
        }
        heir.is_some()
    }

    /// Waits until it has ended, and so has what was seen to carry on in its place.
    async fn ended(&self) {
        self.wait().await;
        while lock(&self.heir).is_some_and(Stray::is_alive) {
            sleep(PAUSE).await;
        }
    }

    /// Waits until the child is reaped and nothing of its group and its strays lives.
    async fn gone(&self, strays: &[Stray]) {
        self.wait().await;
        if let Some(mut child) = lock(&self.life).child.take() {
            let _ = child.try_wait();
            orphans::ended(self.pid);
        }
        while !tree::group_is_gone(self.pid) || strays.iter().any(|stray| stray.is_alive()) {
            sleep(PAUSE).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process")
            .field("pid", &self.pid)
            .finish_non_exhaustive()
    }
}

fn merge(strays: &mut Vec<Stray>, more: Vec<Stray>) {
    for stray in more {
        if !strays.contains(&stray) {
            strays.push(stray);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
