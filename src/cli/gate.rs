//! `mcpvals gate`.

use std::io::{self, Write};

use super::{
    args::{GateArguments, Rate},
    changes::moment,
    database,
    failure::Failure,
    output,
};
use crate::{
    compare::PassRate,
    history::Suite,
    model::{ExitCode, Totals},
    schema::v1::history::Run,
    text::{count, sanitize},
};

/// Says whether enough of what a suite did lately passed.
pub fn gate(arguments: &GateArguments) -> Result<ExitCode, Failure> {
    let history = database::open(&arguments.file)?;
    let suite = database::suite(&history, &arguments.suite)?;
    let runs = history.runs_of(&suite, arguments.lookback.get())?;
    let rate: PassRate = runs.iter().map(rate_of).collect();
    let Some(value) = rate.value() else {
        return Err(Failure::Surroundings(format!(
            "the gate cannot tell: nothing ran in {} of `{}`",
            count(runs.len(), "run"),
            suite.name
        )));
    };
    let Rate(least) = arguments.min_pass_rate;
    let exit = if value >= least {
        ExitCode::Open
    } else {
        ExitCode::Closed
    };
    output::to_stdout(|out| {
        let word = if exit == ExitCode::Open {
            "✓ gate: passed"
        } else {
            "✗ gate: failed"
        };
        let (value, least) = (percent(value), percent(least));
        writeln!(out, "{word}, {value} of the cases passed, {least} are asked for")?;
        details(&suite, &runs, rate, out)
    })?;
    Ok(exit)
}

fn details(suite: &Suite, runs: &[Run], rate: PassRate, out: &mut dyn Write) -> io::Result<()> {
    let sum = |of: fn(&Run) -> usize| runs.iter().map(of).sum::<usize>();
    let notes = [
        (sum(|run| run.totals.simulated), "in simulation"),
        (sum(|run| run.totals.skipped), "skipped and not counted"),
    ];
    let counted = notes.into_iter().filter(|(number, _)| *number > 0);
    let notes: Vec<String> = counted.map(|(number, word)| format!(", {number} {word}")).collect();
    let notes = notes.concat();
    let (good, ran) = (rate.good, count(rate.ran, "case"));
    let (runs_counted, name) = (count(runs.len(), "run"), sanitize::line(&suite.name));
    writeln!(out, "{good} of {ran} in {runs_counted} of {name}{notes}")?;
    for run in runs {
        let rate = rate_of(run);
        let value = rate.value().map_or_else(|| "nothing ran".to_owned(), percent);
        let (id, moment) = (run.id, sanitize::line(&moment(&run.started_at)));
        writeln!(out, "  run {id}  {moment}  {} of {}  {value}", rate.good, rate.ran)?;
    }
    Ok(())
}

fn rate_of(run: &Run) -> PassRate {
    PassRate::of(&Totals::from(run.totals))
}

/// Rounded down, so that a rate that is too low never looks like the one that is asked for.
fn percent(rate: f64) -> String {
    // A tenth of a percent that is only missing for want of digits is not missing.
    format!("{:.1}%", (rate * 1000.0 + 1e-9).floor() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_rounded_down() {
        assert_eq!(percent(1.0), "100.0%");
        assert_eq!(percent(0.8996), "89.9%");
        assert_eq!(percent(0.29), "29.0%");
    }
}
