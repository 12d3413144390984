//! What a child has started: those that left its group, and those that were left behind.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError, RwLock, RwLockReadGuard},
    time::{Duration, Instant},
};

use nix::{
    sys::{
        signal::{Signal, kill, killpg},
        wait::{WaitPidFlag, WaitStatus, waitpid},
    },
    unistd::Pid,
};

/// The children we started and have not reaped yet; the sweep leaves them alone.
static STARTED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
/// Held (shared) from before a spawn until the child is noted, so that the sweep never sees a child in between.
static SPAWNING: RwLock<()> = RwLock::new(());
/// Most processes that one tree is searched for.
const MAX_TREE: usize = 4096;
/// How long the sweep waits for what it killed.
const SWEEP_LIMIT: Duration = Duration::from_secs(1);
/// Pause between two looks at processes that nobody tells us about.
const PAUSE: Duration = Duration::from_millis(5);

/// A process that cannot be mistaken for a later one with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stray {
    pid: Pid,
    /// Start time in clock ticks since boot: with the id it names one process for good (proc(5), field 22).
    started: u64,
}

impl Stray {
    /// Signals the process, if it is still the same one.
    pub(super) fn signal(self, signal: Signal) {
        if self.is_alive() {
            let _ = kill(self.pid, signal);
        }
    }

    /// Whether it still runs; a zombie does not.
    pub(super) fn is_alive(self) -> bool {
        let Some(stat) = stat(self.pid).filter(|stat| stat.started == self.started) else {
            return false;
        };
        if stat.state == 'Z' && stat.parent == Pid::this().as_raw() {
            let _ = waitpid(self.pid, Some(WaitPidFlag::WNOHANG));
        }
        stat.state != 'Z'
    }
}

/// To be held while a child is spawned and noted.
pub(super) fn spawning() -> RwLockReadGuard<'static, ()> {
    SPAWNING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Notes a child of ours, so that the sweep does not take it for an orphan.
pub(super) fn started(pid: Pid) {
    STARTED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(pid.as_raw());
}

/// A child of ours was reaped.
pub(super) fn reaped(pid: Pid) {
    STARTED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .remove(&pid.as_raw());
}

/// The descendants of `root` that are not in its group (setsid, daemons on their way): the group signal misses them.
pub(super) fn strays(root: Pid) -> Vec<Stray> {
    let mut strays = Vec::new();
    let mut queue = children(root);
    let mut seen = 0;
    while let Some(pid) = queue.pop() {
        seen += 1;
        if seen > MAX_TREE {
            break;
        }
        if let Some(stat) = stat(pid).filter(|stat| stat.group != root.as_raw()) {
            strays.push(Stray {
                pid,
                started: stat.started,
            });
        }
        queue.extend(children(pid));
    }
    strays
}

/// Reaps those of the group that were handed to us when their parent died; tells whether the group is empty now.
pub(super) fn group_is_gone(group: Pid) -> bool {
    let of_group = Pid::from_raw(-group.as_raw());
    while let Ok(WaitStatus::Exited(..) | WaitStatus::Signaled(..)) = waitpid(of_group, Some(WaitPidFlag::WNOHANG)) {}
    killpg(group, None).is_err()
}

/// From now on the processes that servers leave behind become our children instead of init's, so that
/// [`sweep_orphans`] can find them. For a program of its own; a library has no business to change its host.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Kills and reaps every child that we did not start ourselves: what servers left behind. Call it when the run is
/// over, after [`adopt_orphans`] at its start.
pub fn sweep_orphans() {
    let limit = Instant::now() + SWEEP_LIMIT;
    loop {
        let orphans = orphans();
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

fn orphans() -> Vec<Stray> {
    let _quiet = SPAWNING.write().unwrap_or_else(PoisonError::into_inner);
    let ours = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    children_by_scan(Pid::this())
        .into_iter()
        .filter(|pid| !ours.contains(&pid.as_raw()))
        .filter_map(|pid| {
            Some(Stray {
                pid,
                started: stat(pid)?.started,
            })
        })
        .collect()
}

/// The children of a process, through the list that each of its threads has (`CONFIG_PROC_CHILDREN`): far cheaper
/// than a look at every process of the system, which is what is left where the list is missing.
fn children(parent: Pid) -> Vec<Pid> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{parent}/task")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for thread in threads.flatten() {
        match std::fs::read_to_string(thread.path().join("children")) {
            Ok(list) => found.extend(
                list.split_whitespace()
                    .filter_map(|pid| pid.parse().ok())
                    .map(Pid::from_raw),
            ),
            Err(_) if thread.path().exists() => return children_by_scan(parent),
            Err(_) => {}
        }
    }
    found
}

fn children_by_scan(parent: Pid) -> Vec<Pid> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| Some(Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)))
        .filter(|pid| stat(*pid).is_some_and(|stat| stat.parent == parent.as_raw()))
        .collect()
}

struct Stat {
    state: char,
    parent: i32,
    group: i32,
    started: u64,
}

fn stat(pid: Pid) -> Option<Stat> {
    parse_stat(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads `/proc/<pid>/stat`. The name in brackets may hold blanks and brackets, so the fields are counted behind it.
fn parse_stat(line: &str) -> Option<Stat> {
    let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    Some(Stat {
        state: fields.first()?.chars().next()?,
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_stat_line_with_a_nasty_name() {
        let line = "42 (a) S (b) Z 7 8 8 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 1";
        let stat = parse_stat(line).unwrap();
        assert_eq!(
            (stat.state, stat.parent, stat.group, stat.started),
            ('Z', 7, 8, 987_654)
        );
        assert!(parse_stat("42 (cut").is_none());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_is_itself_only_with_its_start_time() {
        let us = Pid::this();
        let started = stat(us).unwrap().started;
        assert!(Stray { pid: us, started }.is_alive());
        assert!(
            !Stray {
                pid: us,
                started: started + 1
            }
            .is_alive()
        );
    }
}
