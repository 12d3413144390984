//! The comparison of `mcpvals.report/v1` as the model.

use std::collections::HashSet;

use super::{
    CaseComparison, Comparison, LatencyChange, OutputChange, SurfaceComparison,
    comparison::SurfaceChange,
    into_model::{duration, owned},
};
use crate::model::{self, CaseChange, CaseId, CaseResult, ChangeClass, Difference};

impl Comparison<'_> {
    /// The comparison; the cases that are not in it are unchanged.
    pub(super) fn into_model(self, cases: &[CaseResult]) -> Result<model::Comparison, String> {
        let told: HashSet<&str> = self.cases.iter().map(|case| case.id.as_ref()).collect();
        let untold = cases.iter().filter(|case| !told.contains(case.id.as_str()));
        let unchanged: Vec<model::CaseComparison> = untold.map(unchanged).collect();
        let told = self.cases.into_iter().map(model::CaseComparison::try_from);
        let mut cases = told.collect::<Result<Vec<_>, _>>()?;
        cases.extend(unchanged);
        let surfaces = self.surfaces.into_iter().map(model::SurfaceComparison::try_from);
        Ok(model::Comparison {
            baseline: model::BaselineOrigin {
                place: self.baseline.place.into_owned(),
                chosen: self.baseline.chosen.into_owned(),
                commit: self.baseline.commit.map(Into::into),
            },
            cases,
            surfaces: surfaces.collect::<Result<_, _>>()?,
            notices: owned(self.notices),
        })
    }
}

fn unchanged(case: &CaseResult) -> model::CaseComparison {
    model::CaseComparison {
        id: case.id.clone(),
        change: CaseChange::Unchanged,
        was: Some(case.status),
        now: Some(case.status),
        reason: None,
        renamed_from: None,
        outputs: Vec::new(),
        latencies: Vec::new(),
    }
}

impl TryFrom<CaseComparison<'_>> for model::CaseComparison {
    type Error = String;

    fn try_from(case: CaseComparison<'_>) -> Result<Self, String> {
        let change = CaseChange::ALL.into_iter().find(|change| change.word() == case.change);
        let latencies = case.latencies.into_iter().map(model::LatencyChange::try_from);
        Ok(Self {
            id: CaseId::from(case.id.into_owned()),
            change: change.ok_or_else(|| format!("it is damaged: no change is called {:?}", case.change))?,
            was: case.was.map(Into::into),
            now: case.now.map(Into::into),
            reason: case.reason.map(Into::into),
            renamed_from: case.renamed_from.map(|id| CaseId::from(id.into_owned())),
            outputs: case.outputs.into_iter().map(model::OutputChange::from).collect(),
            latencies: latencies.collect::<Result<_, _>>()?,
        })
    }
}

impl From<OutputChange<'_>> for model::OutputChange {
    fn from(output: OutputChange<'_>) -> Self {
        let sides = output.was.zip(output.now);
        Self {
            step: output.step.into_owned(),
            difference: sides.map(|(was, now)| Difference::Text {
                expected: was.into_owned(),
                actual: now.into_owned(),
            }),
        }
    }
}

impl TryFrom<LatencyChange<'_>> for model::LatencyChange {
    type Error = String;

    fn try_from(latency: LatencyChange<'_>) -> Result<Self, String> {
        Ok(Self {
            step: latency.step.into_owned(),
            was: duration(latency.was_ms)?,
            now: duration(latency.now_ms)?,
        })
    }
}

impl TryFrom<SurfaceComparison<'_>> for model::SurfaceComparison {
    type Error = String;

    fn try_from(surface: SurfaceComparison<'_>) -> Result<Self, String> {
        let changes = surface.changes.into_iter().map(model::SurfaceChange::try_from);
        Ok(Self {
            server: surface.server.into_owned(),
            changes: changes.collect::<Result<_, _>>()?,
            notice: surface.notice.map(Into::into),
        })
    }
}

impl TryFrom<SurfaceChange<'_>> for model::SurfaceChange {
    type Error = String;

    fn try_from(change: SurfaceChange<'_>) -> Result<Self, String> {
        let class = ChangeClass::ALL.into_iter().find(|class| class.word() == change.class);
        Ok(Self {
            rule: change.rule.into_owned().into(),
            class: class.ok_or_else(|| format!("it is damaged: no class is called {:?}", change.class))?,
            is_model_visible: change.is_model_visible,
            subject: change.subject.into_owned(),
            path: change.path.into_owned(),
            message: change.message.into_owned(),
            witness: change.witness.map(|witness| model::Witness {
                value: witness.value.into_owned(),
                case: witness.case.map(Into::into),
            }),
            fingerprint: change.fingerprint.into_owned(),
            allowed: change.allowed.map(Into::into),
        })
    }
}
