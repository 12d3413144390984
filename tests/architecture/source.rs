//! The sources as the rules see them: without comments, without tests.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// One source file.
#[derive(Debug)]
pub struct Module {
    /// Its place below `src`, such as `judge/mod.rs`.
    pub file: String,
    /// Its module path, such as `judge` or `judge/assertions/schema_match`.
    pub path: String,
    /// Whether it is the `mod.rs` of a folder.
    pub is_mod_file: bool,
    /// The whole text.
    pub text: String,
    /// The text without comments and test modules.
    pub code: String,
}

/// Every file below `src` that is not there for tests only, sorted.
pub fn modules() -> &'static [Module] {
    static MODULES: LazyLock<Vec<Module>> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        collect(&root, &mut files);
        let modules: Vec<Module> = files.iter().map(|file| read(&root, file)).collect();
        let test_only: Vec<String> = modules.iter().flat_map(Module::test_modules).collect();
        let is_test = |path: &str| test_only.iter().any(|test| is_below(path, test));
        modules.into_iter().filter(|module| !is_test(&module.path)).collect()
    });
    &MODULES
}

impl Module {
    /// The folder or file directly below `src` it belongs to.
    pub fn top(&self) -> &str {
        self.path.split('/').next().unwrap_or_default()
    }

    /// Whether it is one of these places or below one.
    pub fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| is_below(&self.path, place))
    }

    /// Whether the code has this word, and not just as the end of a longer one.
    pub fn mentions(&self, word: &str) -> bool {
        mentions(&self.code, word)
    }

    /// The top-level modules that are named after `crate::`, alone or in a group.
    pub fn uses_of_crate(&self) -> BTreeSet<String> {
        uses_of_crate(&self.code)
    }

    /// Whether a chain of `super::` leads out of its top-level module.
    pub fn climbs_to_the_root(&self) -> bool {
        let depth = self.path.split('/').count();
        mentions(&self.code, &"super::".repeat(depth))
    }

    /// Names and lengths in lines of the functions with a body.
    pub fn functions(&self) -> Vec<(String, usize)> {
        let starts = self
            .code
            .match_indices("fn ")
            .filter(|(at, _)| !is_inside_a_word(&self.code, *at));
        starts.filter_map(|(at, _)| function(&self.code[at + 3..])).collect()
    }

    /// Paths of the modules that it declares for tests only.
    fn test_modules(&self) -> Vec<String> {
        let names = test_modules(&self.text).into_iter();
        if self.path == "lib" {
            return names.map(str::to_owned).collect();
        }
        names.map(|name| format!("{}/{name}", self.path)).collect()
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("src can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("src can be read").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn read(root: &Path, file: &Path) -> Module {
    let text = fs::read_to_string(file).expect("sources are UTF-8");
    let below = file
        .strip_prefix(root)
        .expect("it was found there")
        .to_string_lossy()
        .replace('\\', "/");
    let stem = below.trim_end_matches(".rs");
    Module {
        path: stem.trim_end_matches("/mod").to_owned(),
        is_mod_file: stem.ends_with("/mod"),
        code: code(&text),
        file: below,
        text,
    }
}

/// Cuts what is written for readers and for tests. A test module is the last thing in its file, by convention.
fn code(text: &str) -> String {
    let product = text.find("#[cfg(test)]\nmod tests {").map_or(text, |at| &text[..at]);
    let lines = product.lines().map(without_comment);
    lines.collect::<Vec<_>>().join("\n")
}

fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with("//") {
        return "";
    }
    line.split(" // ").next().unwrap_or(line)
}

/// Names of the modules in files of their own that are declared for tests only.
fn test_modules(text: &str) -> Vec<&str> {
    let declarations = text.split("#[cfg(test)]").skip(1);
    let names = declarations.filter_map(|after| after.trim_start().strip_prefix("mod ")?.split_once(';'));
    names
        .map(|(name, _)| name)
        .filter(|name| name.chars().all(is_word))
        .collect()
}

fn is_below(path: &str, place: &str) -> bool {
    path.strip_prefix(place)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn mentions(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| !is_inside_a_word(code, at))
}

fn is_inside_a_word(code: &str, at: usize) -> bool {
    code[..at].ends_with(is_word)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn uses_of_crate(code: &str) -> BTreeSet<String> {
    let starts = code
        .match_indices("crate::")
        .filter(|(at, _)| !is_inside_a_word(code, *at));
    starts.flat_map(|(at, word)| roots(&code[at + word.len()..])).collect()
}

/// The first names of a path: one, or in `{a::b, c::{d, e}}` those of each part.
fn roots(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        return vec![first_name(path)];
    };
    let mut depth = 0_usize;
    let mut names = vec![first_name(group)];
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(first_name(&group[at + 1..])),
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn first_name(path: &str) -> String {
    path.trim_start().chars().take_while(|c| is_word(*c)).collect()
}

/// Name and length of the function whose text starts here, unless it has no body.
fn function(text: &str) -> Option<(String, usize)> {
    let open = text.find(['{', ';']).filter(|at| text[*at..].starts_with('{'))?;
    let mut depth = 0_usize;
    for (at, c) in text[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((first_name(text), text[..=open + at].lines().count()));
        }
    }
    None
}

#[test]
fn names_after_crate_are_found_alone_and_in_groups() {
    let found = |code: &str| uses_of_crate(code).into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(found("use crate::model::Report;"), "model");
    assert_eq!(
        found("use crate::{\n    model::{Case, Step},\n    source::Span,\n};"),
        "model source"
    );
    assert_eq!(found("let a = crate::text::plural(1);"), "text");
    assert_eq!(found("pub(crate) fn a() {} use mycrate::run;"), "");
}

#[test]
fn comments_and_tests_are_not_code() {
    let text = "//! See [`a`](crate::run).\nfn a() {} // crate::cli\n#[cfg(test)]\nmod tests {\n use crate::run;\n}\n";
    assert_eq!(code(text), "\nfn a() {}");
}

#[test]
fn test_modules_are_told_from_others() {
    let text = "mod a;\n#[cfg(test)]\nmod sample;\n#[cfg(test)]\nmod tests {\n let a = 1;\n}\n";
    assert_eq!(test_modules(text), ["sample"]);
}

#[test]
fn words_are_whole_words() {
    assert!(mentions("similar::TextDiff", "similar::"));
    assert!(!mentions("dissimilar::chunk", "similar::"));
    assert!(!mentions("eprintln!(\"\")", "println!"));
}

#[test]
fn functions_are_measured_with_their_signature() {
    assert_eq!(
        function("a(\n  b: u8,\n) {\n  if b { c() }\n}\nfn d() {}"),
        Some(("a".to_owned(), 5))
    );
    assert_eq!(function("a(&self) -> bool;\nfn b() {}"), None);
}
