//! Failures that are known: put up with until their day, and never forgotten.

use crate::model::{CaseResult, KnownFailure, Policy, Status};

/// Marks the cases of known failures, and gives what is stale about the list, one a line. A known failure that passes
/// is stale, and so is one whose day is over: both close the gate, so that the list stays true.
pub fn known_failures(cases: &mut [CaseResult], policy: &Policy) -> Vec<String> {
    let mut stale = Vec::new();
    for known in &policy.known_failures {
        if known.is_expired(&policy.today) {
            let day = known.expires.as_deref().unwrap_or_default();
            stale.push(format!("the known failure of `{}` expired on {day}", known.case));
            continue;
        }
        for case in cases
            .iter_mut()
            .filter(|case| known.is_about(case.id.as_str(), &case.name))
        {
            case.status = match case.status {
                Status::Failed | Status::Errored => Status::XFailed,
                Status::Passed | Status::Flaky => {
                    stale.push(format!("`{}` is a known failure and passes now", known.case));
                    Status::XPassed
                }
                other => other,
            };
            if matches!(case.status, Status::XFailed | Status::XPassed) {
                case.reason = Some(words(known));
            }
        }
    }
    stale
}

fn words(known: &KnownFailure) -> String {
    match &known.issue {
        Some(issue) => format!("known failure: {} ({issue})", known.reason),
        None => format!("known failure: {}", known.reason),
    }
}
