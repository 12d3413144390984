//! What a run is held against: the policy, and the baseline that is read and written.

use std::time::SystemTime;

use super::{args::AgainstArguments, environment::expand_home, keeping};
use crate::{
    baseline::{FileStore, Found, Store},
    compare::{self, Surveyed},
    model::{Policy, Report},
    parse::Project,
    pipeline::Against,
    text::Date,
};

/// Reads what the run is compared with. A flag beats the project file.
pub fn against(arguments: &AgainstArguments, project: &Project) -> Against {
    let settings = &project.gate;
    Against {
        policy: Policy {
            fail_on: arguments.fail_on.clone().or_else(|| settings.fail_on.clone()),
            min_pass_rate: arguments.min_pass_rate.or(settings.min_pass_rate),
            max_error_rate: arguments.max_error_rate.or(settings.max_error_rate),
            known_failures: project.known_failures.clone(),
            today: Date::of(SystemTime::now()),
        },
        baseline: arguments.baseline.as_deref().map(|path| {
            let path = expand_home(path);
            FileStore { path }.load()
        }),
    }
}

/// Keeps the results as the baseline of later runs, if that is asked for. What the run left out stays as the file, or
/// else the baseline it was compared with, has it.
pub fn keep(
    arguments: &AgainstArguments,
    report: &Report,
    surveyed: &[Surveyed],
    against: &Against,
) -> Result<(), String> {
    let Some(path) = arguments.write_baseline.as_deref() else {
        return Ok(());
    };
    let store = FileStore {
        path: expand_home(path),
    };
    let kept = store.load();
    let before = match (&kept, &against.baseline) {
        (Found::Usable(baseline, _), _) | (_, Some(Found::Usable(baseline, _))) => Some(baseline.as_ref()),
        _ => None,
    };
    store.save(&compare::baseline(report, surveyed, keeping::commit(), before))
}
