//! The official MCP servers, installed once from the lock files in `tests/servers` and kept below `target`.

use std::{
    fs::{self, File},
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// Where the lock files, the project file and the fixtures stand.
pub const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/servers");

/// What decides whether an installation is still the right one.
const LOCK_FILES: [&str; 3] = ["package.json", "package-lock.json", "requirements.txt"];

/// Installed servers.
#[derive(Debug)]
pub struct Servers {
    /// The folder that holds `server-everything` and its siblings.
    pub node: PathBuf,
    /// The folder that holds the commands `mcp-server-time` and `mcp-server-git`.
    pub python: PathBuf,
}

/// The servers, installed if they are not yet.
pub fn installed() -> &'static Servers {
    static SERVERS: OnceLock<Servers> = OnceLock::new();
    SERVERS.get_or_init(|| {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("official-servers");
        install(&home);
        Servers {
            node: home.join("node_modules/@modelcontextprotocol"),
            python: home.join("venv/bin"),
        }
    })
}

/// Several test binaries may come here at once (nextest runs one process a test): the first installs, the others wait.
fn install(home: &Path) {
    fs::create_dir_all(home).expect("the target folder is writable");
    let lock = File::create(home.join("lock")).expect("the target folder is writable");
    lock.lock().expect("the lock file can be locked");

    let stamp = home.join("stamp");
    let wanted = LOCK_FILES.map(|name| read(&Path::new(FOLDER).join(name))).concat();
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return;
    }
    for name in LOCK_FILES {
        fs::copy(Path::new(FOLDER).join(name), home.join(name)).expect("the target folder is writable");
    }
    npm_packages(home);
    python_packages(home);
    // Written last: an installation that broke off is made again.
    fs::write(stamp, wanted).expect("the target folder is writable");
}

fn npm_packages(home: &Path) {
    let node = "install Node.js 20 or later with npm";
    succeed(Command::new("node").arg("--version"), node);
    let flags = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    succeed(Command::new("npm").args(flags).current_dir(home), node);
}

fn python_packages(home: &Path) {
    let venv = home.join("venv");
    let python = "install Python 3.10 or later with its venv module";
    succeed(
        Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv),
        python,
    );
    let flags = ["install", "--quiet", "--disable-pip-version-check", "--requirement"];
    let pip = venv.join("bin/pip");
    succeed(
        Command::new(pip).args(flags).arg("requirements.txt").current_dir(home),
        python,
    );
}

/// Runs a command to its end; a test that cannot have its servers fails and says what it needs.
fn succeed(command: &mut Command, need: &str) {
    let output = match command.output() {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!(
                "the tests against official servers need `{}`: {need}",
                command.get_program().display()
            )
        }
        Err(error) => panic!("failed to run {command:?}: {error}"),
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?} ended with {}: {need}\n{stderr}",
        output.status
    );
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("failed to read {}: {error}", path.display()))
}
