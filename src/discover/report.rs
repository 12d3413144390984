//! Our own reports, which end up beside fixtures when `--json` names a file there.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// How the name of each of our JSON forms begins.
const FAMILY: &str = "\"mcpvals.";

/// Bytes that are looked at. The name is the first member, so that no large report is read only to be left out.
const HEAD: u64 = 256;

/// Whether a JSON file says that it was written by us: no fixture has a `schema`, so none is left out for it.
pub(super) fn is_one(path: &Path) -> bool {
    let is_json = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("json"));
    is_json && head(path, HEAD).is_ok_and(|head| names_our_schema(&head))
}

/// The first bytes of a file as text.
pub(super) fn head(path: &Path, bytes: u64) -> io::Result<String> {
    let mut head = Vec::new();
    File::open(path)?.take(bytes).read_to_end(&mut head)?;
    Ok(String::from_utf8_lossy(&head).into_owned())
}

fn names_our_schema(head: &str) -> bool {
    ["{", "\"schema\"", ":", FAMILY]
        .iter()
        .try_fold(head, |rest, word| rest.trim_start().strip_prefix(word))
        .is_some()
}
