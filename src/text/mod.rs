//! Words for people: plurals, durations, diffs, and untrusted text made harmless.

/// placeholder until judge branch merges
pub fn cut(text: &str, _n: usize) -> String {
    text.to_owned()
}
