//! What the placeholders of a step refer to, checked before anything runs.

use serde_json::Value;

use super::{
    Environment,
    compile::StepCompiler,
    locate::Locator,
    template::{Mention, Names, Scope, fill, mentions, misplaced, unescaped},
};
use crate::{
    model::Step,
    source::{Diagnostic, Location, Span},
    text::quote,
};

/// Why a placeholder is refused in a text of a step.
const HELP: &str = "placeholders are filled in `input` and `expect`; a literal brace is written `\\{{`";

/// Characters of a placeholder that are shown in a message.
const SHOWN: usize = 120;

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
        let input = step.input.values();
        let values = input.chain(step.expect.iter().map(|expectation| &expectation.argument.value));
        let mut needed = values
            .flat_map(mentions)
            .filter_map(|mention| mention.step(self.ids))
            .filter(|needed| *needed < index);
        needed.find_map(|needed| Some((needed, self.skipped.get(&needed)?.clone())))
    }

    /// Checks the placeholders of an argument and fills those that need no step.
    pub(super) fn filled(&mut self, index: usize, argument: Value, place: &Location, is_skipped: bool) -> Filled {
        let found = mentions(&argument);
        if !self.check(index, &found, place.span, is_skipped) {
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
    pub(super) fn check_input(&mut self, index: usize, input: &Value, place: &Location, is_skipped: bool) {
        self.check(index, &mentions(input), place.span, is_skipped);
    }

    /// Says what is wrong with placeholders; whether nothing is.
    fn check(&mut self, index: usize, found: &[Mention<'_>], span: Span, is_skipped: bool) -> bool {
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
        let mut locator = Locator::within(self.source, span);
        for (mention, bad) in found.iter().filter_map(|it| Some((it, it.check(&names).err()?))) {
            let place = locator.find(mention.written).unwrap_or(span);
            let message = format!("step `{}`: {}", self.ids.id(index), bad.message);
            let diagnostic = Diagnostic::error("unknown-reference", message).help(bad.help);
            self.diagnostics.push(diagnostic.at(self.source, place));
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

    /// A text of the step in which no placeholder is filled. `key` is where it stands, between the ids of this step and
    /// the next one.
    pub(super) fn plain_text(&mut self, text: String, key: &str, own: &Location, end: usize) -> String {
        if !text.contains("{{") {
            return text;
        }
        let mut locator = Locator::behind_key(self.source, key, own.span.start as usize..end);
        for written in misplaced(&text) {
            let place = locator.find(written).unwrap_or(own.span);
            let diagnostic = refuse(written, &format!("`{key}`")).at(self.source, place);
            self.diagnostics.push(diagnostic.help(HELP));
        }
        unescaped(&text)
    }
}
