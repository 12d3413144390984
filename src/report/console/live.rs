//! What is said while a run goes on: a bar on a terminal, else one line for each case that does not pass.

use std::{
    io::Write,
    sync::{Mutex, PoisonError},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{
    model::{CaseResult, Status},
    report::{
        Detail, Options,
        detail::{self, message},
        style::Style,
    },
    run::{Event, Observer},
    text,
};

const BAR: &str = "{bar:24} {pos}/{len}  {elapsed}  {wide_msg}";

/// Follows a run for a person.
pub struct LiveConsole {
    options: Options,
    screen: Screen,
}

enum Screen {
    Bar(ProgressBar),
    Lines(Mutex<Box<dyn Write + Send>>),
}

impl LiveConsole {
    /// A progress bar on the terminal behind stderr; lines are printed above it.
    pub fn bar(options: Options) -> Self {
        Self::drawing_on(ProgressDrawTarget::stderr(), options)
    }

    /// Plain lines, for a log.
    pub fn lines(out: Box<dyn Write + Send>, options: Options) -> Self {
        Self {
            options,
            screen: Screen::Lines(Mutex::new(out)),
        }
    }

    fn drawing_on(target: ProgressDrawTarget, options: Options) -> Self {
        let style = ProgressStyle::with_template(BAR)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("━╸─");
        Self {
            options,
            screen: Screen::Bar(ProgressBar::with_draw_target(Some(0), target).with_style(style)),
        }
    }

    fn say(&self, line: &str) {
        match &self.screen {
            Screen::Bar(bar) => bar.println(line),
            Screen::Lines(out) => {
                let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
                // A log that cannot be written must not stop the run; the report follows.
                let _ = writeln!(out, "{line}");
            }
        }
    }

    fn started(&self, cases: usize, concurrency: usize) {
        match &self.screen {
            Screen::Bar(bar) => bar.set_length(cases as u64),
            Screen::Lines(_) => {
                let cases = text::count(cases, "case");
                self.say(&format!("running {cases}, up to {concurrency} at a time"));
            }
        }
    }

    fn finished(&self, case: &CaseResult) {
        if let Some(line) = case_line(case, self.options) {
            self.say(&line);
        }
        if let Screen::Bar(bar) = &self.screen {
            bar.inc(1);
        }
    }
}

impl Observer for LiveConsole {
    fn on_event(&self, event: Event<'_>) {
        match (event, &self.screen) {
            (Event::RunStarted { cases, concurrency }, _) => self.started(cases, concurrency),
            (Event::CaseStarted { id }, Screen::Bar(bar)) => bar.set_message(message(id.as_str())),
            (Event::CaseFinished { result }, _) => self.finished(result),
            (Event::RunFinished, Screen::Bar(bar)) => bar.finish_and_clear(),
            (Event::CaseStarted { .. } | Event::RunFinished, Screen::Lines(_)) => {}
        }
    }
}

/// A case that passed or was skipped is not worth a line, unless every case is asked for.
fn case_line(case: &CaseResult, options: Options) -> Option<String> {
    let is_quiet = matches!(case.status, Status::Passed | Status::Skipped | Status::XFailed);
    if is_quiet && options.detail == Detail::Normal {
        return None;
    }
    Some(detail::summary(case, &Style::of(options.colour)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn the_bar_is_drawn_and_counts_cases() {
        assert!(ProgressStyle::with_template(BAR).is_ok());
        let console = LiveConsole::drawing_on(ProgressDrawTarget::hidden(), Options::default());
        let report = sample::rich();
        console.on_event(Event::RunStarted {
            cases: report.cases.len(),
            concurrency: 4,
        });
        for result in &report.cases[..3] {
            console.on_event(Event::CaseStarted { id: &result.id });
            console.on_event(Event::CaseFinished { result });
        }
        let Screen::Bar(bar) = &console.screen else {
            panic!("a bar was asked for")
        };
        assert_eq!((bar.position(), bar.length()), (3, Some(8)));
        console.on_event(Event::RunFinished);
        assert!(bar.is_finished());
    }
}
