//! Reads one file as text, within limits.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use super::path::shown;
use crate::source::{Diagnostic, SourceFile};

/// Bytes of one file. Fixtures are written by hand; a larger file is data that got into the folder by mistake, and the
/// whole text is held while it is parsed.
const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;

/// Reads a file under the name it is shown by; refuses what is too large, not a regular file or not UTF-8.
pub fn read(path: &Path) -> Result<Arc<SourceFile>, Diagnostic> {
    let name = shown(path);
    // Asked before opening: to open a pipe is to wait for its writer.
    let metadata = fs::metadata(path).map_err(|error| missing(path, &error))?;
    if !metadata.is_file() {
        return Err(special(&name));
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(too_large(&name));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    let read = File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| unreadable(&name, &error))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(too_large(&name));
    }
    let text = text(bytes, &name)?;
    Ok(SourceFile::new(name, text))
}

fn text(bytes: Vec<u8>, name: &str) -> Result<String, Diagnostic> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let problem = Diagnostic::error("not-utf8", format!("`{name}` is UTF-16, not UTF-8"));
        return Err(at_file(name, problem.help("save it as UTF-8")));
    }
    String::from_utf8(bytes).map_err(|error| not_utf8(&error, name))
}

fn not_utf8(error: &std::string::FromUtf8Error, name: &str) -> Diagnostic {
    let at = error.utf8_error().valid_up_to();
    // What is valid keeps its place, and what is not is one replacement character there.
    let source = SourceFile::new(name, String::from_utf8_lossy(error.as_bytes()));
    let message = format!("`{name}` is not UTF-8: there are bytes that are no text");
    let place = source.span(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
    Diagnostic::error("not-utf8", message)
        .at(&source, place)
        .help("save it as UTF-8")
}

fn too_large(name: &str) -> Diagnostic {
    let message = format!("`{name}` is larger than {} MiB", MAX_FILE_BYTES >> 20);
    let problem = Diagnostic::error("too-large", message)
        .help("split it, or exclude it with `discovery: {exclude: […]}` if it is no fixture");
    at_file(name, problem)
}

/// A path at which nothing can be reached.
pub(super) fn missing(path: &Path, error: &io::Error) -> Diagnostic {
    let name = shown(path);
    if path.is_symlink() && error.kind() == io::ErrorKind::NotFound {
        let message = format!("the symlink `{name}` leads nowhere: {error}");
        return at_file(&name, Diagnostic::error("unreadable", message));
    }
    unreadable(&name, error)
}

/// A pipe, a device, or a folder where a file is wanted.
pub(super) fn special(name: &str) -> Diagnostic {
    let message = format!("`{name}` is not a regular file");
    at_file(name, Diagnostic::error("unreadable", message))
}

/// Places a problem with a file as a whole, whose text nobody has, at its first line.
pub(super) fn at_file(name: &str, problem: Diagnostic) -> Diagnostic {
    let source = SourceFile::new(name, "");
    let start = source.span(0, 0);
    problem.at(&source, start)
}

/// A file or folder that the operating system refuses.
pub(super) fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    if error.kind() == io::ErrorKind::NotFound {
        return Diagnostic::error("not-found", format!("there is no file or folder `{name}`"));
    }
    let message = format!("cannot read `{name}`: {}", words(error));
    at_file(name, Diagnostic::error("unreadable", message))
}

/// The reason alone: the operating system's words without the number, and without the path that a walk puts before them.
fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::Other | io::ErrorKind::InvalidData => error.to_string(),
        kind => kind.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_bytes(bytes: &[u8]) -> Result<Arc<SourceFile>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        fs::write(&path, bytes).unwrap();
        let folder = folder.path().display().to_string();
        read(&path).map_err(|it| it.message.replace(&folder, ""))
    }

    #[test]
    fn reads_text_without_its_byte_order_mark() {
        assert_eq!(
            read_bytes("\u{feff}name: é\r\n".as_bytes()).unwrap().text(),
            "name: é\r\n"
        );
    }

    #[test]
    fn reads_up_to_the_limit_and_not_beyond() {
        let mut bytes = vec![b'#'; MAX_FILE_BYTES as usize];
        assert_eq!(read_bytes(&bytes).unwrap().text().len() as u64, MAX_FILE_BYTES);
        bytes.push(b'#');
        assert_eq!(read_bytes(&bytes).unwrap_err(), "`/a.yaml` is larger than 4 MiB");
    }

    #[test]
    fn refuses_other_encodings() {
        assert_eq!(
            read_bytes(b"\xff\xfen\0").unwrap_err(),
            "`/a.yaml` is UTF-16, not UTF-8"
        );
        let message = "`/a.yaml` is not UTF-8: there are bytes that are no text";
        assert_eq!(read_bytes(b"name: a\nx: \xe9\n").unwrap_err(), message);
    }

    #[test]
    fn points_at_the_bytes_that_are_no_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        fs::write(&path, b"name: \xc3\xa9\nx: ab\xe9\xe9z\n").unwrap();
        let place = read(&path).unwrap_err().location().expect("it has a place");
        assert!(place.to_string().ends_with("a.yaml:2:6"), "{place}");
        fs::write(&path, b"\xff\xfen\0").unwrap();
        let place = read(&path).unwrap_err().location().expect("it has a place");
        assert!(place.to_string().ends_with("a.yaml:1:1"), "{place}");
    }

    #[test]
    fn says_a_reason_once_and_no_path_twice() {
        let walked = io::Error::new(
            io::ErrorKind::PermissionDenied,
            "IO error for operation on /Evals/Closed: Permission denied (os error 13)",
        );
        let message = unreadable("/Evals/Closed", &walked).message;
        assert_eq!(message, "cannot read `/Evals/Closed`: permission denied");
        let system = io::Error::from_raw_os_error(13);
        assert_eq!(unreadable("a", &system).message, "cannot read `a`: permission denied");
        assert_eq!(
            unreadable("a", &io::Error::other("Odd")).message,
            "cannot read `a`: Odd"
        );
    }

    #[test]
    fn refuses_what_is_not_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let special = read(folder.path()).unwrap_err();
        assert_eq!(special.code, "unreadable");
        assert!(
            special
                .location()
                .is_some_and(|place| place.to_string().ends_with(":1:1"))
        );
        assert_eq!(read(&folder.path().join("none.yaml")).unwrap_err().code, "not-found");
        let link = folder.path().join("link.yaml");
        std::os::unix::fs::symlink("none.yaml", &link).unwrap();
        let message = read(&link).unwrap_err().message;
        assert!(message.contains("link.yaml` leads nowhere"), "{message}");
    }

    #[test]
    fn never_waits_for_a_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe.yaml");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert_eq!(read(&pipe).unwrap_err().code, "unreadable");
    }
}
