//! Diagnostics without secrets: a file may hold some on the very line that is wrong.

use std::{collections::BTreeMap, sync::Arc};

use super::{Redactor, redactor::merged};
use crate::{
    plan::{Secrets, written_secrets},
    source::{Diagnostic, SourceFile},
};

/// Secrets of a file that are looked for in messages: more than anybody writes, few enough to look for.
const MOST_QUOTED: usize = 1000;

/// These diagnostics without the secrets of a run, and without what is written behind telling names in the files that
/// they show: such a file may be too broken for anything in it to have become known.
pub fn without_secrets(mut diagnostics: Vec<Diagnostic>, secrets: &Secrets) -> Vec<Diagnostic> {
    let mut secrets = secrets.clone();
    let mut written = BTreeMap::new();
    for source in diagnostics.iter().filter_map(|it| it.source.as_ref()) {
        written.entry(Arc::clone(source.path())).or_insert_with(|| {
            let places = written_secrets(source.text());
            for place in places.iter().take(MOST_QUOTED) {
                add_written(&mut secrets, &source.text()[place.clone()]);
            }
            places
        });
    }
    let redactor = Redactor::new(&secrets);
    let mut files: BTreeMap<Arc<str>, Arc<SourceFile>> = BTreeMap::new();
    for diagnostic in &mut diagnostics {
        for text in diagnostic.help.iter_mut().chain([&mut diagnostic.message]) {
            redactor.clean_composed(text);
        }
        if let Some(source) = &mut diagnostic.source {
            let hiding = files.entry(Arc::clone(source.path())).or_insert_with(|| {
                let mut hidden = written.remove(source.path()).unwrap_or_default();
                hidden.extend(redactor.find(source.text()));
                source.hiding(merged(hidden))
            });
            *source = Arc::clone(hiding);
        }
    }
    diagnostics
}

/// What messages may quote of a value, with and without its escapes. A plain word is left alone: `token: string` in a
/// schema would take every `string` out of them.
fn add_written(secrets: &mut Secrets, written: &str) {
    if written.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
        return;
    }
    secrets.add(written);
    secrets.add(&written.replace("''", "'"));
    if let Ok(meant) = serde_json::from_str::<String>(&format!("\"{written}\"")) {
        secrets.add(&meant);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Style, render};

    /// What is said of a word in a file.
    fn said(text: &str, word: &str, message: &str, secrets: &Secrets) -> String {
        let source = SourceFile::new("a.yaml", text);
        let at = text.find(word).expect("the word is in the text");
        let diagnostic = Diagnostic::error("x", message)
            .at(&source, source.span(at, at + word.len()))
            .help(format!("instead of {message}"));
        let clean = without_secrets(vec![diagnostic], secrets);
        render(&clean[0], Style::Plain)
    }

    #[test]
    fn a_literal_secret_is_masked_in_the_snippet_and_in_the_words() {
        let text = "server: {comand: x, env: {API_KEY: 'it''s-7'}, headers: {Authorization: Bearer abc-1234}}\n";
        let said = said(text, "comand", "bad `it's-7` and `abc-1…`", &Secrets::default());
        insta::assert_snapshot!(said, @r"
        error[x]: bad `***` and `***…`
         --> a.yaml:1:10
          |
        1 | server: {comand: x, env: {API_KEY: '***'}, headers: {Authorization: Bearer ***}}
          |          ^^^^^^
          |
          = help: instead of bad `***` and `***…`
        ");
    }

    #[test]
    fn secrets_of_the_run_and_what_looks_like_one_are_masked_too() {
        let mut secrets = Secrets::default();
        secrets.add("hunter22");
        let text = "a: hunter22 sk-live-0123456789abcdefghij b\n";
        let said = said(text, "b\n", "no hunter22", &secrets);
        assert!(!said.contains("hunter22") && !said.contains("sk-live"), "{said}");
    }

    #[test]
    fn a_plain_word_behind_a_telling_name_is_hidden_there_but_not_everywhere() {
        let said = said("token: string, x\n", "x", "`string` is no type", &Secrets::default());
        assert!(said.starts_with("error[x]: `string` is no type"), "{said}");
        assert!(!said.contains("token: string"), "{said}");
    }
}
