//! A run against what a store has.

use super::{Surveyed, allow, cases, incomparable, latency, servers};
use crate::{
    baseline::Found,
    model::{Baseline, BaselineOrigin, CaseResult, Comparison},
    parse::Allowance,
    text::Date,
};

/// What there is of a run to compare.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// How the cases ended.
    pub cases: &'a [CaseResult],
    /// What the servers declare.
    pub servers: &'a [Surveyed],
    /// Whether nothing narrowed the choice of cases.
    pub is_whole: bool,
    /// What is accepted of changed surfaces.
    pub allowances: &'a [Allowance],
    /// The day of the run.
    pub today: Date,
}

/// The comparison, or where a baseline would be if there were one. Where it cannot be used, nothing can be compared, and
/// the comparison says why.
pub fn comparison(run: &Run<'_>, found: &Found) -> Result<Comparison, String> {
    match found {
        Found::Usable(baseline, origin) => Ok(with_baseline(run, baseline, origin)),
        Found::Unusable(origin, why) => Ok(Comparison {
            baseline: origin.clone(),
            cases: incomparable(run.cases, "the baseline cannot be used"),
            surfaces: Vec::new(),
            notices: vec![format!("the baseline {} cannot be used: {why}", origin.place)],
        }),
        Found::Nothing(place) => Err(place.clone()),
    }
}

fn with_baseline(run: &Run<'_>, baseline: &Baseline, origin: &BaselineOrigin) -> Comparison {
    let mut notices: Vec<String> = latency::notice(run.cases, baseline).into_iter().collect();
    let (mut surfaces, of_servers) = servers(run.servers, &baseline.servers, run.is_whole);
    notices.extend(of_servers);
    notices.extend(allow(&mut surfaces, run.allowances, run.today));
    Comparison {
        baseline: origin.clone(),
        cases: cases(run.cases, baseline, run.is_whole),
        surfaces,
        notices,
    }
}
