//! What servers are called in reports.

use std::{collections::HashSet, sync::Arc};

use crate::model::{LaunchDeclaration, ServerDeclaration, TransportDeclaration};

/// Characters of a label.
const LENGTH: usize = 80;

/// The labels that are taken.
#[derive(Debug, Default)]
pub(super) struct Labels(HashSet<Arc<str>>);

impl Labels {
    /// A label that no other server has.
    pub(super) fn unique(&mut self, words: &str) -> Arc<str> {
        let numbered = (2..).map(|number| format!("{words} ({number})"));
        let free = std::iter::once(words.to_owned())
            .chain(numbered)
            .find(|label| !self.0.contains(label.as_str()));
        let label: Arc<str> = free.unwrap_or_default().into();
        self.0.insert(Arc::clone(&label));
        label
    }
}

/// The words for a server that nobody named: its command or its address, as written, so that they are the same on every
/// machine.
pub(super) fn words(declaration: &ServerDeclaration) -> String {
    let words = match &declaration.transport {
        TransportDeclaration::Stdio(launch)
        | TransportDeclaration::Http {
            start: Some(launch), ..
        } => command(launch),
        TransportDeclaration::Http { url, start: None, .. } => url.value.clone(),
    };
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn command(launch: &LaunchDeclaration) -> String {
    let words = std::iter::once(&launch.command).chain(&launch.args);
    let words: Vec<&str> = words.map(|word| word.value.as_str()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_words_are_told_apart_by_a_number() {
        let mut labels = Labels::default();
        let given = ["a", "b", "a", "a"].map(|words| labels.unique(words).to_string());
        assert_eq!(given, ["a", "b", "a (2)", "a (3)"]);
    }
}
