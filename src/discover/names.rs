//! Which files below a folder are fixtures, by their names.
//!
//! Every YAML and JSON file is one, but for a few names that belong to other tools: to guess by content would turn a
//! fixture with a typo into a file that nobody runs.

use std::path::Path;

/// Files of other tools that are kept in the folders people point us at.
const OTHERS: &[&str] = &[
    "mcpvals.yaml",
    "mcpvals.yml",
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "jsconfig.json",
];

/// Whether a file found below a folder is taken for a fixture.
pub(super) fn is_fixture(path: &Path) -> bool {
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().to_lowercase()) else {
        return false;
    };
    has_fixture_extension(path) && !OTHERS.contains(&name.as_str()) && !is_of_another_tool(&name)
}

/// Whether a folder is left out with everything in it: installed packages are full of YAML and JSON.
pub(super) fn is_left_out(folder: &str) -> bool {
    folder == "node_modules"
}

fn has_fixture_extension(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        ["yaml", "yml", "json"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

fn is_of_another_tool(name: &str) -> bool {
    name.starts_with("mcp-eval.config.") || (name.starts_with("tsconfig."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_yaml_and_json_of_any_case() {
        for name in [
            "a.yaml",
            "a.yml",
            "a.json",
            "A.YAML",
            "b/c.Json",
            "server.json",
            "package.yaml",
        ] {
            assert!(is_fixture(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn leaves_out_the_files_of_other_tools() {
        for name in [
            "a.yaml.bak",
            "yaml",
            "README.md",
            "mcpvals.yaml",
            "x/mcpvals.yml",
            "mcp-eval.config.json",
            "mcp-eval.config.yaml",
            "package.json",
            "package-lock.json",
            "tsconfig.json",
            "tsconfig.build.json",
            "jsconfig.json",
        ] {
            assert!(!is_fixture(Path::new(name)), "{name}");
        }
    }
}
