//! How a child ended, in words, and how to see it without giving its process id free.

use std::io;

use nix::sys::signal::Signal;

/// How a child ends that has done what it was to do.
pub(super) const SUCCESS: &str = "exit status 0";

/// How a child ended of which nobody can say it any more.
pub(super) const UNKNOWN: &str = "unknown exit status";

/// How `child` ended, if it did. Where the system can tell without reaping, the child stays a zombie, so that its
/// id (and the id of its group) cannot be given to another process before the whole group is killed.
#[cfg(target_os = "linux")]
pub(super) fn peek(child: &mut std::process::Child) -> io::Result<Option<String>> {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};

    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
    Ok(match waitid(Id::Pid(pid), flags)? {
        WaitStatus::Exited(_, code) => Some(format!("exit status {code}")),
        WaitStatus::Signaled(_, signal, _) => Some(killed_by(signal as i32)),
        _ => None,
    })
}

/// How `child` ended, if it did.
#[cfg(not(target_os = "linux"))]
pub(super) fn peek(child: &mut std::process::Child) -> io::Result<Option<String>> {
    Ok(child.try_wait()?.map(words))
}

#[cfg(not(target_os = "linux"))]
fn words(status: std::process::ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;

    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => killed_by(signal),
        (None, None) => UNKNOWN.to_owned(),
    }
}

fn killed_by(signal: i32) -> String {
    match Signal::try_from(signal) {
        Ok(name) => format!("killed by signal {signal} ({name})"),
        Err(_) => format!("killed by signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_signal() {
        assert_eq!(killed_by(9), "killed by signal 9 (SIGKILL)");
        assert_eq!(killed_by(9999), "killed by signal 9999");
    }
}
