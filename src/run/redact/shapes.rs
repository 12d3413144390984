//! What is a secret by its shape, whoever made it: tokens of GitHub and Slack, API keys of LLM providers, AWS key ids,
//! JSON web tokens, private keys.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

/// Whole ones. GitHub's installation tokens have no fixed length (github-actions.md §1.3).
static WHOLE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"gh[oprsu]_[A-Za-z0-9_.\-]{20,} | github_pat_[A-Za-z0-9_]{20,} | xox[abeoprs]-[A-Za-z0-9\-]{10,}
        | \bsk-[A-Za-z0-9_\-]{20,} | \bAKIA[0-9A-Z]{16}\b
        | \beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*
        | -----BEGIN\ [A-Z\ ]*PRIVATE\ KEY-----(?su:.)*?(?:-----END\ [A-Z\ ]*PRIVATE\ KEY-----|\z)",
    )
});

/// The beginnings of such, where a message was cut.
static BEGUN: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?: gh[oprsu]_[A-Za-z0-9_.\-]{4,} | github_pat_[A-Za-z0-9_]{4,} | xox[abeoprs]-[A-Za-z0-9\-]{4,}
        | \bsk-[A-Za-z0-9_\-]{4,} | \bAKIA[0-9A-Z]{4,}
        | \beyJ[A-Za-z0-9_\-]{8,}(?:\.[A-Za-z0-9_\-]*)* )(?:…)",
    )
});

fn compiled(pattern: &str) -> Regex {
    Regex::new(&format!("(?x-u){pattern}")).expect("the pattern is constant and compiles")
}

/// Whether a text holds one.
pub(super) fn is_in(text: &str) -> bool {
    WHOLE.is_match(text)
}

/// Where they are in a text, in bytes.
pub(super) fn find(text: &str) -> impl Iterator<Item = Range<usize>> {
    WHOLE.find_iter(text).map(|found| found.range())
}

/// Where a message that was cut holds the beginning of one, in bytes.
pub(super) fn find_begun(message: &str) -> impl Iterator<Item = Range<usize>> {
    BEGUN
        .find_iter(message)
        .map(|found| found.start()..found.end() - '…'.len_utf8())
}
