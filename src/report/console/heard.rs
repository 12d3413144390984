//! What servers said on their own account, for who wants every detail.

use super::folded;
use crate::{
    model::{Report, StepResult},
    report::{detail::message, style::Style},
    text::sanitize,
};

/// Steps whose server is quoted.
const MAX_STEPS: usize = 50;

/// Requests and notifications of the servers, by the step during which they came.
pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Vec<String>> {
    let steps = report.cases.iter().flat_map(|case| &case.steps);
    let talked: Vec<&StepResult> = steps.filter(|step| step.heard.is_some()).collect();
    let mut blocks: Vec<Vec<String>> = talked.iter().take(MAX_STEPS).map(|step| block(step, style)).collect();
    blocks.push(folded::rest(talked.len(), MAX_STEPS, "step").into_iter().collect());
    blocks
}

fn block(step: &StepResult, style: &Style) -> Vec<String> {
    let place = sanitize::line(&step.location.to_string());
    let mut lines = vec![style.faint(format_args!("during {place} › {} the server", message(&step.id)))];
    let requests = step.heard.iter().flat_map(|it| &it.requests);
    lines.extend(requests.map(|method| format!("    asked for {}", message(method))));
    let told = step.heard.iter().flat_map(|it| &it.notifications);
    lines.extend(told.map(|told| {
        let params = told.params.as_deref().map(|params| format!(" {}", message(params)));
        format!("    told {}{}", message(&told.method), params.unwrap_or_default())
    }));
    lines
}
