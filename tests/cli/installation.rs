//! What tests need from package registries, installed once from the lock files in `tests` and kept below `target`.

use std::{
    fs::{self, File},
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
};

/// The folder of this name below `target`, with what `install` puts there for these files of `source`.
///
/// Several test binaries may come here at once (nextest runs one process a test): the first installs, the others wait.
pub fn kept(name: &str, source: &str, lock_files: &[&str], install: impl FnOnce(&Path)) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&home).expect("the target folder is writable");
    let lock = File::create(home.join("lock")).expect("the target folder is writable");
    lock.lock().expect("the lock file can be locked");

    let stamp = home.join("stamp");
    let read = |name: &&str| {
        let path = Path::new(source).join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("failed to read {}: {error}", path.display()))
    };
    let wanted: String = lock_files.iter().map(read).collect();
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return home;
    }
    for name in lock_files {
        fs::copy(Path::new(source).join(name), home.join(name)).expect("the target folder is writable");
    }
    install(&home);
    // Written last: an installation that broke off is made again.
    fs::write(stamp, wanted).expect("the target folder is writable");
    home
}

/// The packages of `package-lock.json`.
pub fn npm_packages(home: &Path) {
    let node = "install Node.js 20 or later with npm";
    succeed(Command::new("node").arg("--version"), node);
    let flags = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    succeed(Command::new("npm").args(flags).current_dir(home), node);
}

/// Runs a command to its end; a test that cannot have what it needs fails and says so.
pub fn succeed(command: &mut Command, need: &str) {
    let output = match command.output() {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!("the tests need `{}`: {need}", command.get_program().display())
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
