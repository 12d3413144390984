//! What a child has started: its group, those that left it, and those that carry on when it has ended.

use std::path::Path;

use nix::{
    sys::{
        signal::killpg,
        wait::{WaitPidFlag, WaitStatus, waitpid},
    },
    unistd::Pid,
};

use super::proc::{self, Stray};

/// Most processes that one tree is searched for.
const MAX_TREE: usize = 4096;

/// The descendants of `root`, and of what carries on in its place, that are not in its group (setsid, daemons on their
/// way): the group signal misses them.
pub(super) fn strays(root: Pid, heir: Option<Stray>) -> Vec<Stray> {
    let mut strays = Vec::new();
    let mut queue = proc::children(root);
    queue.extend(heir.filter(|heir| heir.is_alive()).map(|heir| heir.pid));
    let mut seen = 0;
    while let Some(pid) = queue.pop() {
        seen += 1;
        if seen > MAX_TREE {
            break;
        }
        if proc::stat(pid).is_some_and(|stat| stat.group != root.as_raw()) {
            strays.extend(Stray::of(pid));
        }
        queue.extend(proc::children(pid));
    }
    strays
}

/// A living process of the group that `root` led, or one that writes to the same `output`, whatever its group.
pub(super) fn heir(root: Pid, output: Option<&Path>) -> Option<Stray> {
    let carries_on = |pid: &Pid| {
        let is_of_tree = proc::stat(*pid).is_some_and(|stat| {
            let is_ours = stat.group == root.as_raw() || output.is_some_and(|output| writes_to(*pid, output));
            is_ours && !matches!(stat.state, 'Z' | 'X')
        });
        *pid != root && is_of_tree
    };
    proc::all()
        .filter(|pid| *pid != Pid::this())
        .find(carries_on)
        .and_then(Stray::of)
}

/// Reaps those of the group that were handed to us when their parent died; tells whether the group is empty now.
pub(super) fn group_is_gone(group: Pid) -> bool {
    let of_group = Pid::from_raw(-group.as_raw());
    while let Ok(WaitStatus::Exited(..) | WaitStatus::Signaled(..)) = waitpid(of_group, Some(WaitPidFlag::WNOHANG)) {}
    killpg(group, None).is_err()
}

fn writes_to(pid: Pid, output: &Path) -> bool {
    proc::open_file(pid, 1).is_some_and(|file| file == output)
}
