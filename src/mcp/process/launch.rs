//! From a launch to a command: which file is run, and why one cannot be.

use std::{
    io,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::Streams;
use crate::{
    model::{Fault, FaultKind, Launch, Phase},
    text::quote,
};

/// The word that stands for the running binary.
const OURSELVES: &str = "mcpvals";
/// Where a system without `PATH` looks.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Characters of a command that are shown.
const MAX_COMMAND: usize = 200;

/// The command that runs `launch`: in a group of its own, with its environment and nothing else.
pub(super) fn command(launch: &Launch, streams: Streams) -> Result<Command, Fault> {
    if let Some(cwd) = launch.cwd.as_ref().filter(|cwd| !cwd.is_dir()) {
        return Err(cannot_start(format!(
            "the working directory `{}` does not exist",
            cwd.display()
        )));
    }
    let mut command = Command::new(program(launch)?);
    command
        .args(&launch.args)
        .env_clear()
        .envs(&launch.env)
        .process_group(0);
    if launch.command != OURSELVES {
        command.arg0(&launch.command);
    }
    if let Some(cwd) = &launch.cwd {
        command.current_dir(cwd);
    }
    let stdin = if streams == Streams::Protocol {
        Stdio::piped()
    } else {
        Stdio::null()
    };
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command)
}

/// What to check where a server ended before it served: what was run, and in which folder.
pub(crate) fn as_run(launch: &Launch) -> String {
    let words = std::iter::once(&launch.command).chain(&launch.args);
    let command = words.map(String::as_str).collect::<Vec<_>>().join(" ");
    let folder = match (&launch.cwd, std::env::current_dir()) {
        (Some(cwd), Ok(ours)) => ours.join(cwd),
        (Some(cwd), Err(_)) => cwd.clone(),
        (None, Ok(ours)) => ours,
        (None, Err(_)) => PathBuf::from("."),
    };
    format!(
        "check `args`: {} was run in `{}`; `cwd` names another folder",
        quote(&command, MAX_COMMAND),
        folder.display()
    )
}

/// Why the system would not run a file that is there.
pub(super) fn refused(launch: &Launch, program: &Path, error: &io::Error) -> Fault {
    let name = &launch.command;
    let from = launch.cwd.clone().unwrap_or_default();
    match error.kind() {
        io::ErrorKind::NotFound => match interpreter(&from.join(program)) {
            Some(interpreter) => cannot_start(format!("`{name}` needs `{interpreter}`, which is not installed")).help(
                format!("install it, or correct the first line of `{}`", program.display()),
            ),
            None => cannot_start(format!("`{name}` cannot be run: its loader is not installed"))
                .help("it may be built for another system (glibc or musl) or another architecture"),
        },
        io::ErrorKind::PermissionDenied => not_executable(name),
        _ if error.raw_os_error() == Some(nix::Error::ENOEXEC as i32) => {
            cannot_start(format!("`{name}` is not a program this system can run"))
                .help("a script needs a first line such as `#!/usr/bin/env node`; a binary the right architecture")
        }
        _ => cannot_start(format!("`{name}` could not be started: {error}")),
    }
}

/// The file to run. A name without a slash is looked up in the child's own `PATH`, a relative path is taken from the
/// child's working directory, both as the system does it.
fn program(launch: &Launch) -> Result<PathBuf, Fault> {
    let name = launch.command.as_str();
    if name == OURSELVES {
        return std::env::current_exe()
            .map_err(|error| cannot_start(format!("the running binary cannot be found: {error}")));
    }
    let path = launch.env.get("PATH").map_or(DEFAULT_PATH, String::as_str);
    let candidates: Vec<PathBuf> = if name.contains('/') {
        vec![PathBuf::from(name)]
    } else {
        path.split(':')
            .map(|folder| Path::new(if folder.is_empty() { "." } else { folder }).join(name))
            .collect()
    };
    let from = launch.cwd.clone().unwrap_or_default();
    let mut found = None;
    for candidate in candidates {
        match kind(&from.join(&candidate)) {
            Kind::Program => return Ok(candidate),
            Kind::Missing => {}
            other => found = Some(other),
        }
    }
    Err(match found {
        Some(Kind::Folder) => cannot_start(format!("`{name}` is a folder, not a program")),
        Some(_) => not_executable(name),
        None => missing(launch),
    })
}

enum Kind {
    Program,
    NotExecutable,
    Folder,
    Missing,
}

fn kind(path: &Path) -> Kind {
    match path.metadata() {
        Ok(found) if found.is_dir() => Kind::Folder,
        Ok(found) if found.permissions().mode() & 0o111 == 0 => Kind::NotExecutable,
        Ok(_) => Kind::Program,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Kind::NotExecutable,
        Err(_) => Kind::Missing,
    }
}

fn missing(launch: &Launch) -> Fault {
    let name = &launch.command;
    let fault = if name.contains('/') {
        let from = launch
            .cwd
            .as_ref()
            .map_or(String::new(), |cwd| format!(" (looked in `{}`)", cwd.display()));
        let from = if name.starts_with('/') { String::new() } else { from };
        cannot_start(format!("`{name}` was not found{from}"))
    } else {
        cannot_start(format!("`{name}` was not found on PATH"))
    };
    let words: Vec<&str> = name.split_whitespace().collect();
    match words.as_slice() {
        [first, rest @ ..] if !rest.is_empty() && launch.args.is_empty() => fault.help(format!(
            "put the arguments in args: `command: {first}`, `args: [{}]`",
            rest.join(", ")
        )),
        _ if name.contains('/') => fault.help("a relative path is taken from the server's working directory (`cwd`)"),
        _ => fault.help("install it, or give its path in `command`"),
    }
}

fn not_executable(name: &str) -> Fault {
    cannot_start(format!("`{name}` may not be executed")).help(format!(
        "make it executable (`chmod +x`), or run it through its interpreter: `command: python3`, `args: [{name}]`"
    ))
}

/// The interpreter that the first line of a script names.
fn interpreter(script: &Path) -> Option<String> {
    use std::io::Read;

    let mut head = Vec::new();
    std::fs::File::open(script)
        .ok()?
        .take(256)
        .read_to_end(&mut head)
        .ok()?;
    let head = String::from_utf8_lossy(&head);
    let line = head.strip_prefix("#!")?.lines().next()?;
    Some(line.split_whitespace().next()?.to_owned())
}

fn cannot_start(message: String) -> Fault {
    Fault::surroundings(FaultKind::CannotStart, Phase::Start, message)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn launch(command: &str, cwd: Option<&Path>) -> Launch {
        Launch {
            command: command.to_owned(),
            args: Vec::new(),
            env: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
            cwd: cwd.map(Path::to_owned),
        }
    }

    fn fault(launch: &Launch) -> Fault {
        program(launch).expect_err("there is no such program")
    }

    #[test]
    fn finds_a_name_on_the_childs_own_path() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("only-here");
        std::fs::write(&file, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).unwrap();
        let mut launch = launch("only-here", None);
        assert_eq!(fault(&launch).message, "`only-here` was not found on PATH");
        launch
            .env
            .insert("PATH".to_owned(), format!("/nowhere:{}", folder.path().display()));
        assert_eq!(program(&launch).unwrap(), file);
    }

    #[test]
    fn takes_a_relative_path_from_the_working_directory() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("server");
        std::fs::write(&file, "").unwrap();
        let relative = launch("./server", Some(folder.path()));
        assert_eq!(fault(&relative).message, "`./server` may not be executed");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).unwrap();
        assert_eq!(program(&relative).unwrap(), Path::new("./server"));
        assert!(
            fault(&launch("./server", None))
                .message
                .starts_with("`./server` was not found")
        );
    }

    #[test]
    fn explains_a_command_with_its_arguments_in_it() {
        let help = fault(&launch("python3 server.py --x", None)).help.unwrap();
        assert!(help.contains("`command: python3`, `args: [server.py, --x]`"), "{help}");
    }

    #[test]
    fn says_that_the_working_directory_is_missing() {
        let fault = command(&launch("sh", Some(Path::new("/no/such/folder"))), Streams::Log).unwrap_err();
        assert_eq!(fault.message, "the working directory `/no/such/folder` does not exist");
    }
}
