//! What is said while a run goes on: a bar on a terminal, else a sign of life now and then.

use std::{
    io::Write,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
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

/// How long a log is silent at least between two signs of life: in CI it ends up beside the report, which says the same.
const SILENCE: Duration = Duration::from_secs(10);

/// Follows a run for a person.
pub struct LiveConsole {
    options: Options,
    screen: Screen,
}

enum Screen {
    Bar(ProgressBar),
    Lines(Mutex<Log>),
}

/// A log, and how far the run has come.
struct Log {
    out: Box<dyn Write + Send>,
    clock: Box<dyn Fn() -> Duration + Send>,
    said: Duration,
    cases: usize,
    done: usize,
    failed: usize,
    errored: usize,
}

impl LiveConsole {
    /// A progress bar on the terminal behind stderr; lines are printed above it.
    pub fn bar(options: Options) -> Self {
        Self::drawing_on(ProgressDrawTarget::stderr(), options)
    }

    /// Plain lines, for a log; `clock` tells the time since any moment.
    pub fn lines(out: Box<dyn Write + Send>, clock: Box<dyn Fn() -> Duration + Send>, options: Options) -> Self {
        let log = Log {
            said: clock(),
            out,
            clock,
            cases: 0,
            done: 0,
            failed: 0,
            errored: 0,
        };
        Self {
            options,
            screen: Screen::Lines(Mutex::new(log)),
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
        match &self.screen {
            Screen::Bar(bar) => {
                if let Some(line) = self.case_line(case) {
                    bar.println(line);
                }
                bar.inc(1);
            }
            Screen::Lines(log) if self.options.detail == Detail::Verbose => {
                lock(log).say(&detail::summary(case, &Style::of(self.options.colour)));
            }
            Screen::Lines(log) => lock(log).count(case.status),
        }
    }

    /// A case that passed or was skipped is not worth a line, unless every case is asked for.
    fn case_line(&self, case: &CaseResult) -> Option<String> {
        let is_quiet = matches!(case.status, Status::Passed | Status::Skipped | Status::XFailed);
        if is_quiet && self.options.detail == Detail::Normal {
            return None;
        }
        Some(detail::summary(case, &Style::of(self.options.colour)))
    }
}

impl Log {
    fn say(&mut self, line: &str) {
        // A log that cannot be written must not stop the run; the report follows.
        let _ = writeln!(self.out, "{line}");
        self.said = (self.clock)();
    }

    /// Counts a finished case, and says how far the run is where it was silent for long.
    fn count(&mut self, status: Status) {
        self.done += 1;
        match status {
            Status::Failed | Status::XPassed => self.failed += 1,
            Status::Errored => self.errored += 1,
            _ => {}
        }
        if self.done < self.cases && (self.clock)().saturating_sub(self.said) >= SILENCE {
            let far = format!("{} of {} done", self.done, text::count(self.cases, "case"));
            let bad = [(self.failed, "failed"), (self.errored, "errored")];
            let bad = bad.into_iter().filter(|(count, _)| *count > 0);
            let bad = bad.map(|(count, word)| format!(", {count} {word}"));
            self.say(&bad.fold(far, |line, part| line + &part));
        }
    }
}

fn lock(log: &Mutex<Log>) -> MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
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
