//! What is said while a run goes on: a bar on a terminal, else now and then a line.

use std::{
    io::Write,
    sync::{Mutex, MutexGuard, PoisonError},
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
    Lines(Mutex<Log>),
}

/// A log in plain lines, and how far the run is.
struct Log {
    out: Box<dyn Write + Send>,
    cases: usize,
    done: usize,
    bad: usize,
}

/// Runs of fewer cases need no sign of life.
const LONG_RUN: usize = 20;

impl LiveConsole {
    /// A progress bar on the terminal behind stderr; lines are printed above it.
    pub fn bar(options: Options) -> Self {
        Self::drawing_on(ProgressDrawTarget::stderr(), options)
    }

    /// Plain lines, for a log.
    pub fn lines(out: Box<dyn Write + Send>, options: Options) -> Self {
        Self {
            options,
            screen: Screen::Lines(Mutex::new(Log {
                out,
                cases: 0,
                done: 0,
                bad: 0,
            })),
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
            Screen::Lines(log) => lock(log).say(line),
        }
    }

    fn started(&self, cases: usize, concurrency: usize) {
        match &self.screen {
            Screen::Bar(bar) => bar.set_length(cases as u64),
            Screen::Lines(log) => {
                let mut log = lock(log);
                log.cases = cases;
                let cases = text::count(cases, "case");
                log.say(&format!("running {cases}, up to {concurrency} at a time"));
            }
        }
    }

    fn finished(&self, case: &CaseResult) {
        if let Some(line) = self.case_line(case) {
            self.say(&line);
        }
        match &self.screen {
            Screen::Bar(bar) => bar.inc(1),
            Screen::Lines(log) => lock(log).count(case),
        }
    }

    /// The report says of every case that did not pass why. So a log has a line for it only where each case is asked for;
    /// above a bar it stands until the report replaces it.
    fn case_line(&self, case: &CaseResult) -> Option<String> {
        let is_quiet = matches!(case.status, Status::Passed | Status::Skipped | Status::XFailed);
        let is_wanted = match &self.screen {
            Screen::Bar(_) => !is_quiet,
            Screen::Lines(_) => false,
        };
        let is_wanted = is_wanted || self.options.detail == Detail::Verbose;
        is_wanted.then(|| detail::summary(case, &Style::of(self.options.colour)))
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

impl Log {
    fn say(&mut self, line: &str) {
        // A log that cannot be written must not stop the run; the report follows.
        let _ = writeln!(self.out, "{line}");
    }

    /// Counts a case; says how far the run is, ten times.
    fn count(&mut self, case: &CaseResult) {
        self.done += 1;
        self.bad += usize::from(!case.status.is_good());
        let tenth = |done: usize| done * 10 / self.cases.max(1);
        if self.cases >= LONG_RUN && self.done < self.cases && tenth(self.done) > tenth(self.done - 1) {
            let line = format!("{} of {} cases done, {} not passed", self.done, self.cases, self.bad);
            self.say(&line);
        }
    }
}

fn lock(log: &Mutex<Log>) -> MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
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
