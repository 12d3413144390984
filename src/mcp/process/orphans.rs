//! What servers left behind: adopted, reaped when it ends, and swept away when the run is over.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex, PoisonError, RwLock, RwLockReadGuard, TryLockError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use nix::{
    sys::{
        signal::Signal,
        wait::{WaitPidFlag, waitpid},
    },
    unistd::Pid,
};

use super::proc::{self, Stray};

/// The children we started and have not ended yet; whoever looks for orphans leaves them alone.
static STARTED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
/// Held (shared) from before a spawn until the child is noted, so that no child is seen in between.
static SPAWNING: RwLock<()> = RwLock::new(());
/// Whether orphans come to us at all. Without that every child that is not noted is somebody else's business.
static ADOPTING: AtomicBool = AtomicBool::new(false);
/// When dead orphans were last looked for.
static LAST_LOOK: Mutex<Option<Instant>> = Mutex::new(None);
/// Pause between two looks for dead orphans while a run goes on.
const LOOK_PAUSE: Duration = Duration::from_millis(200);
/// How long the sweep waits for what it killed.
const SWEEP_LIMIT: Duration = Duration::from_secs(1);
/// Pause between two looks at processes that nobody tells us about.
const PAUSE: Duration = Duration::from_millis(5);

/// To be held while a child is spawned and noted.
pub(super) fn spawning() -> RwLockReadGuard<'static, ()> {
    SPAWNING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Notes a child of ours, so that it is not taken for an orphan.
pub(super) fn started(pid: Pid) {
    STARTED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(pid.as_raw());
}

/// A child of ours was killed, reaped or not: from now on it is as good as an orphan.
pub(super) fn ended(pid: Pid) {
    STARTED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .remove(&pid.as_raw());
}

/// From now on the processes that servers leave behind become our children instead of init's, so that
/// [`sweep_orphans`] can find them. For a program of its own; a library has no business to change its host.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    let is_adopting = nix::sys::prctl::set_child_subreaper(true).is_ok();
    #[cfg(not(target_os = "linux"))]
    let is_adopting = false;
    ADOPTING.store(is_adopting, Ordering::Relaxed);
}

/// Kills and reaps every child that we did not start ourselves, or did start and could not end: what servers left
/// behind. Call it when the run is over, after [`adopt_orphans`] at its start.
pub fn sweep_orphans() {
    let limit = Instant::now() + SWEEP_LIMIT;
    loop {
        let orphans: Vec<Stray> = orphans(proc::children_by_scan)
            .into_iter()
            .filter_map(Stray::of)
            .collect();
        if orphans.is_empty() || Instant::now() > limit {
            return;
        }
        for orphan in &orphans {
            orphan.signal(Signal::SIGKILL);
        }
        if orphans.iter().any(|orphan| orphan.is_alive()) {
            std::thread::sleep(PAUSE);
        }
    }
}

/// Reaps the orphans that have ended, so that a long run does not fill the process table; cheap enough to be called
/// whenever any child ends.
pub(super) fn reap_now_and_then() {
    let mut last = match LAST_LOOK.try_lock() {
        Ok(last) => last,
        Err(TryLockError::Poisoned(last)) => last.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    if last.is_none_or(|last| last.elapsed() >= LOOK_PAUSE) {
        reap();
        *last = Some(Instant::now());
    }
}

/// Reaps the orphans that have ended.
pub(super) fn reap() {
    if !ADOPTING.load(Ordering::Relaxed) {
        return;
    }
    for orphan in orphans(proc::children) {
        // One that was started and reaped since the look is no child any more, which changes nothing.
        let _ = waitpid(orphan, Some(WaitPidFlag::WNOHANG));
    }
}

fn orphans(children: impl Fn(Pid) -> Vec<Pid>) -> Vec<Pid> {
    let _quiet = SPAWNING.write().unwrap_or_else(PoisonError::into_inner);
    let ours = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut orphans = children(Pid::this());
    orphans.retain(|pid| !ours.contains(&pid.as_raw()));
    orphans
}
