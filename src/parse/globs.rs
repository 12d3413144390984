//! Globs as the project file writes them, with the rules of `.gitignore` that people know.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::reader::Field;
use crate::source::Diagnostic;

/// The globs of a list; what is none is reported.
pub(super) fn read(field: Field<'_>) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for item in field.items() {
        let Some(text) = item.text() else { continue };
        match globs(&text.value) {
            Ok(globs) => globs.into_iter().for_each(|glob| _ = set.add(glob)),
            Err(error) => {
                let message = format!("`{}` is not a glob: {}", text.value, error.kind());
                item.add(Diagnostic::error("invalid-value", message).help("write something like `evals/**/*.yaml`"));
            }
        }
    }
    set.build().unwrap_or_else(|error| {
        field.error(
            "invalid-value",
            format!("`{}` cannot be used: {}", field.name, error.kind()),
        );
        GlobSet::empty()
    })
}

/// A single star stays within one folder, and the name of a folder stands for everything below it.
fn globs(text: &str) -> Result<Vec<globset::Glob>, globset::Error> {
    let glob = |text: &str| GlobBuilder::new(text).literal_separator(true).build();
    let text = text.strip_prefix("./").unwrap_or(text);
    if text.contains(['*', '?', '[', '{', '\\']) {
        return Ok(vec![glob(text)?]);
    }
    let name = text.trim_end_matches('/');
    Ok(vec![glob(name)?, glob(&format!("{name}/**"))?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_match(text: &str, path: &str) -> bool {
        globs(text)
            .expect("it is a glob")
            .iter()
            .any(|glob| glob.compile_matcher().is_match(path))
    }

    #[test]
    fn a_single_star_stays_within_a_folder() {
        assert!(is_match("./evals/*.yaml", "evals/a.yaml"));
        assert!(!is_match("evals/*.yaml", "evals/x/a.yaml"));
        assert!(is_match("evals/**/*.yaml", "evals/x/y/a.yaml"));
    }

    #[test]
    fn the_name_of_a_folder_stands_for_everything_below_it() {
        for name in ["evals/data", "evals/data/", "./evals/data"] {
            assert!(is_match(name, "evals/data/a.yaml"), "{name}");
            assert!(is_match(name, "evals/data/x/a.yaml"), "{name}");
            assert!(!is_match(name, "evals/database.yaml"), "{name}");
        }
        assert!(is_match("evals/a.yaml", "evals/a.yaml"));
    }
}
