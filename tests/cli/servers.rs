//! The official MCP servers, installed from the lock files in `tests/servers`.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use super::installation::{self, succeed};

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
        let home = installation::kept("official-servers", FOLDER, &LOCK_FILES, |home| {
            installation::npm_packages(home);
            python_packages(home);
        });
        Servers {
            node: home.join("node_modules/@modelcontextprotocol"),
            python: home.join("venv/bin"),
        }
    })
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
