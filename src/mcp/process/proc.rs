//! What `/proc` tells about processes.

use std::path::PathBuf;

use nix::{
    sys::{
        signal::{Signal, kill},
        wait::{WaitPidFlag, waitpid},
    },
    unistd::Pid,
};

/// A process that cannot be mistaken for a later one with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stray {
    pub(super) pid: Pid,
    /// Start time in clock ticks since boot: with the id it names one process for good (proc(5), field 22).
    started: u64,
}

impl Stray {
    /// The process that has this id now.
    pub(super) fn of(pid: Pid) -> Option<Self> {
        let started = stat(pid)?.started;
        Some(Self { pid, started })
    }

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

/// The little of `/proc/<pid>/stat` that is used.
pub(super) struct Stat {
    pub(super) state: char,
    pub(super) parent: i32,
    pub(super) group: i32,
    started: u64,
}

/// Every process there is.
pub(super) fn all() -> impl Iterator<Item = Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Some(Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)))
}

/// The children of a process, through the list that each of its threads has (`CONFIG_PROC_CHILDREN`): far cheaper
/// than a look at every process of the system, which is what is left where the list is missing.
pub(super) fn children(parent: Pid) -> Vec<Pid> {
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

/// The children of a process, by a look at every process of the system.
pub(super) fn children_by_scan(parent: Pid) -> Vec<Pid> {
    all()
        .filter(|pid| stat(*pid).is_some_and(|stat| stat.parent == parent.as_raw()))
        .collect()
}

/// What a file descriptor of a process leads to; of a pipe it is a name that both its ends share.
pub(super) fn open_file(pid: Pid, descriptor: i32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/fd/{descriptor}")).ok()
}

/// What is known of the process that has this id now.
pub(super) fn stat(pid: Pid) -> Option<Stat> {
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
        let us = Stray::of(Pid::this()).unwrap();
        assert!(us.is_alive());
        let started = us.started + 1;
        assert!(!Stray { started, ..us }.is_alive());
    }
}
