//! Words for people: plurals, durations, diffs, and untrusted text made harmless.
