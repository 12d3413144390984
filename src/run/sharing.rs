//! What a run could have saved by sharing servers.

use std::{collections::HashMap, sync::Arc, time::Duration};

use crate::{
    model::{CaseResult, ServerScope, ServerSpec},
    plan::{Plan, Target},
};

/// Less than this is not worth a word.
const WORTH_SAYING: Duration = Duration::from_secs(1);

/// Which cases of a plan start a server of their own, by what they start.
pub(super) struct Starts(HashMap<Arc<ServerSpec>, Vec<usize>>);

impl Starts {
    /// Looks at a plan before it runs.
    pub(super) fn of(plan: &Plan) -> Self {
        let mut starts: HashMap<_, Vec<_>> = HashMap::new();
        for (index, case) in plan.iter().enumerate() {
            if let (Target::Server { spec, .. }, ServerScope::Case, None) = (&case.target, case.scope, &case.skip) {
                starts.entry(Arc::clone(spec)).or_default().push(index);
            }
        }
        Self(starts)
    }

    /// One line, if sharing would have saved most of the time that all cases took together.
    pub(super) fn advice(&self, cases: &[CaseResult]) -> Option<String> {
        let total: Duration = cases.iter().map(|case| case.duration).sum();
        let mut saved = Duration::ZERO;
        let (mut started, mut enough) = (0, 0);
        for indices in self.0.values().filter(|indices| indices.len() > 1) {
            let startups: Vec<Duration> = indices.iter().filter_map(|index| cases.get(*index)?.startup).collect();
            let longest = startups.iter().max().copied().unwrap_or_default();
            saved += startups.iter().sum::<Duration>().saturating_sub(longest);
            started += startups.len();
            enough += 1;
        }
        (saved > WORTH_SAYING && saved * 2 > total).then(|| {
            format!(
                "starting servers took most of this run: `--server-scope run` would start {enough} instead of {started} \
                 and save about {} % of the time (cases then share the server's state)",
                (saved.as_secs_f64() / total.as_secs_f64() * 100.0).round()
            )
        })
    }
}
