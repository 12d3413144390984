//! A folder of fixtures and the binary run in it, with nothing of the machine's environment but what it needs.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// The binary under test.
pub const MCPVALS: &str = env!("CARGO_BIN_EXE_mcpvals");

/// A fresh folder to run in.
pub struct Sandbox {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

/// A run that has ended.
#[derive(Debug)]
pub struct Finished {
    /// Exit code.
    pub code: i32,
    /// What went to stdout.
    pub stdout: String,
    /// What went to stderr.
    pub stderr: String,
}

impl Sandbox {
    /// An empty folder.
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder can be made"),
            variables: Vec::new(),
        }
    }

    /// Writes a file below the folder.
    pub fn file(self, path: &str, text: &str) -> Self {
        let path = self.path(path);
        let parent = path.parent().expect("a file stands in a folder");
        std::fs::create_dir_all(parent).expect("the folder is writable");
        std::fs::write(path, text).expect("the folder is writable");
        self
    }

    /// Sets an environment variable for the runs.
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A path below the folder.
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// The text of a file below the folder.
    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The binary with these arguments, ready to be started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(MCPVALS);
        command.args(arguments);
        self.placed(command)
    }

    fn placed(&self, mut command: Command) -> Command {
        command
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").expect("there is a PATH"))
            .env("HOME", self.folder.path())
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }

    /// Runs the binary to its end.
    pub fn run(&self, arguments: &[&str]) -> Finished {
        Finished::from(self.command(arguments).output().expect("the binary starts"))
    }

    /// Runs the binary to its end where no file may grow beyond one block, of 512 or 1,024 bytes.
    pub fn run_with_small_files(&self, arguments: &[&str]) -> Finished {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "ulimit -f 1 && exec \"$@\"", "sh", MCPVALS])
            .args(arguments);
        Finished::from(self.placed(shell).output().expect("there is a shell"))
    }

    /// `mcpvals run` with these arguments, and the report it wrote.
    pub fn report(&self, arguments: &[&str]) -> (Finished, Value) {
        let file = self.path("report.json");
        let file = file.to_str().expect("the path is text");
        let finished = self.run(&[&["run", "--json", file], arguments].concat());
        (finished, read_json(Path::new(file)))
    }
}

impl From<Output> for Finished {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("stdout is text"),
            stderr: String::from_utf8(output.stderr).expect("stderr is text"),
        }
    }
}

/// A JSON file.
pub fn read_json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("the file is JSON")
}

/// A case of the demo server with these steps (YAML, one mapping a line).
pub fn demo(name: &str, steps: &[&str]) -> String {
    let steps: Vec<String> = steps.iter().map(|step| format!("  - {step}\n")).collect();
    format!(
        "name: {name}\nserver: {{ command: mcpvals, args: [demo-server] }}\nsteps:\n{}",
        steps.concat()
    )
}

/// A case without a server.
pub fn simulated(name: &str, output: &str, expected: &str) -> String {
    format!(
        "name: {name}\nsteps:\n  - {{ id: call, tool: t, expected_output: \"{output}\", expect: {{ output_contains: \"{expected}\" }} }}\n"
    )
}

/// The status of each case by its name.
pub fn statuses(report: &Value) -> Vec<(&str, &str)> {
    report["cases"]
        .as_array()
        .expect("there are cases")
        .iter()
        .map(|case| {
            (
                case["name"].as_str().expect("a case has a name"),
                case["status"].as_str().expect("a case has a status"),
            )
        })
        .collect()
}
