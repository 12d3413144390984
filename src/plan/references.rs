//! What the placeholders of a step refer to, checked before anything runs.

use serde_json::Value;

use super::{
    Environment,
    compile::StepCompiler,
    locate::Locator,
    template::{Mention, Names, SHOWN, Scope, fill, mentions, mentions_in_text, unescaped},
};
use crate::{
    model::{Argument, Step},
    source::{Diagnostic, Located, Places},
    text::quote,
};

/// Why a placeholder is refused in a text of a step.
const HELP: &str = "placeholders are filled in `input` and `expect`; a literal brace is written `\\{{`";

/// What an argument is once placeholders are filled as far as they can be.
pub(super) enum Filled {
    /// Now: nothing in it waits for a step.
    Ready(Value),
    /// Once earlier steps have run, or never, where the step is skipped.
    Waiting(Value),
    /// It refers to something that is not there.
    Bad,
}

/// A problem with a placeholder where none is filled in; `place` is where it stands, in words.
pub(super) fn refuse(written: &str, place: &str) -> Diagnostic {
    let message = format!(
        "the placeholder {} stands in {place}, where none is filled in",
        quote(written, SHOWN)
    );
    Diagnostic::error("misplaced-placeholder", message)
}

impl StepCompiler<'_, '_> {
    /// A step that this one refers to and that is skipped, with the reason for that.
    pub(super) fn needs_skipped(&self, index: usize, step: &Step) -> Option<(usize, String)> {
        if self.skipped.is_empty() {
            return None;
        }
        let arguments = [&step.input]
            .into_iter()
            .chain(step.expect.iter().map(|it| &it.argument));
        let mut needed = arguments
            .flat_map(|argument| mentions(&argument.value, &argument.places))
            .filter_map(|mention| mention.step(self.ids))
            .filter(|needed| *needed < index);
        needed.find_map(|needed| Some((needed, self.skipped.get(&needed)?.clone())))
    }

    /// Checks the placeholders of an argument and fills those that need no step.
    pub(super) fn filled(&mut self, index: usize, argument: Value, places: &Places, is_skipped: bool) -> Filled {
        let found = mentions(&argument, places);
        if !self.check(index, &found, is_skipped) {
            return Filled::Bad;
        }
        if !found.iter().any(Mention::is_replaced) {
            return Filled::Ready(argument);
        }
        let waits = found.iter().any(|mention| mention.step(self.ids).is_some());
        if waits || is_skipped || self.is_skipped || !self.has_vars {
            return Filled::Waiting(argument);
        }
        let scope = Scope {
            steps: &[],
            vars: self.vars,
            environment: self.compiler.environment,
        };
        match fill(&argument, &scope) {
            Ok(filled) => Filled::Ready(filled),
            // All of it was checked; should something be missing nonetheless, the run says so.
            Err(_) => Filled::Waiting(argument),
        }
    }

    /// Checks the placeholders of the input.
    pub(super) fn check_input(&mut self, index: usize, input: &Argument, is_skipped: bool) {
        self.check(index, &mentions(&input.value, &input.places), is_skipped);
    }

    /// Says what is wrong with placeholders; whether nothing is.
    fn check(&mut self, index: usize, found: &[Mention<'_>], is_skipped: bool) -> bool {
        if found.is_empty() {
            return true;
        }
        self.referenced
            .extend(found.iter().filter_map(|mention| mention.step(self.ids)));
        let environment = (!self.is_skipped && !is_skipped).then_some(self.compiler.environment);
        self.note_secrets(found, environment);
        let names = Names {
            steps: self.ids,
            current: index,
            vars: self.vars,
            environment,
        };
        let known = self.diagnostics.len();
        let mut locator = Locator::new(self.source);
        for (mention, bad) in found.iter().filter_map(|it| Some((it, it.check(&names).err()?))) {
            let message = format!("step `{}`: {}", self.ids.id(index), bad.message);
            let diagnostic = Diagnostic::error("unknown-reference", message).help(bad.help);
            self.diagnostics.push(diagnostic.at(self.source, locator.find(mention)));
        }
        self.diagnostics.len() == known
    }

    fn note_secrets(&mut self, found: &[Mention<'_>], environment: Option<&Environment>) {
        let Some(environment) = environment else { return };
        for name in found.iter().filter_map(|mention| mention.variable(self.ids)) {
            if let Some(value) = environment.value(name) {
                self.compiler.secrets.add_named(name, value);
            }
        }
    }

    /// A text of the step in which no placeholder is filled; `key` is what it stands behind.
    pub(super) fn plain_text(&mut self, text: &Located<String>, key: &str) -> String {
        let mut locator = Locator::new(self.source);
        for mention in mentions_in_text(&text.value, text.span).filter(Mention::is_misplaced) {
            let diagnostic = refuse(mention.written, &format!("`{key}`")).help(HELP);
            self.diagnostics
                .push(diagnostic.at(self.source, locator.find(&mention)));
        }
        unescaped(&text.value)
    }
}
