//! Whether a step became slower or faster beyond doubt.

use std::time::Duration;

use crate::model::{Baseline, CaseResult};

/// Fewer samples than this on either side prove nothing.
const FEWEST_SAMPLES: usize = 5;

/// A change must be larger than this part of the median before.
const RELATIVE: f64 = 0.3;

/// A change must be larger than this, too.
const ABSOLUTE: Duration = Duration::from_millis(50);

/// A change that comes by chance less often than once in a hundred times (two-sided).
const CRITICAL: f64 = 2.576;

/// The medians of two samples that differ beyond doubt: by more than both bounds, and by the rank test of Mann and
/// Whitney, which asks nothing of the distribution.
pub fn change(was: &[Duration], now: &[Duration]) -> Option<(Duration, Duration)> {
    if was.len() < FEWEST_SAMPLES || now.len() < FEWEST_SAMPLES {
        return None;
    }
    let (before, after) = (median(was), median(now));
    let moved = before.abs_diff(after);
    let is_large = moved > ABSOLUTE && moved.as_secs_f64() > before.as_secs_f64() * RELATIVE;
    (is_large && is_significant(was, now)).then_some((before, after))
}

/// What keeps latencies from being compared, where somebody took samples: nobody did, on most runs.
pub fn notice(run: &[CaseResult], baseline: &Baseline) -> Option<String> {
    let most = |counts: &mut dyn Iterator<Item = usize>| counts.max().unwrap_or_default();
    let now = most(&mut run.iter().flat_map(|case| &case.steps).map(|step| step.samples.len()));
    let was = most(
        &mut baseline
            .cases
            .iter()
            .flat_map(|case| &case.steps)
            .map(|step| step.latencies.len()),
    );
    let is_asked_for = now > 0 || was > 0;
    (is_asked_for && now.min(was) < FEWEST_SAMPLES).then(|| {
        format!(
            "latencies were not compared: it takes {FEWEST_SAMPLES} samples of each side, and there are at most {was} in the \
             baseline and {now} in this run (`--repeat {FEWEST_SAMPLES}`)"
        )
    })
}

fn median(samples: &[Duration]) -> Duration {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// The rank test in its normal approximation, with the correction for continuity; ties count half.
fn is_significant(was: &[Duration], now: &[Duration]) -> bool {
    let wins: f64 = was
        .iter()
        .flat_map(|before| now.iter().map(move |after| before.cmp(after)))
        .map(|order| match order {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        })
        .sum();
    let (n, m) = (was.len() as f64, now.len() as f64);
    let mean = n * m / 2.0;
    let deviation = (n * m * (n + m + 1.0) / 12.0).sqrt();
    ((wins - mean).abs() - 0.5) / deviation > CRITICAL
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(milliseconds: &[u64]) -> Vec<Duration> {
        milliseconds.iter().copied().map(Duration::from_millis).collect()
    }

    #[test]
    fn a_large_and_certain_change_counts_both_ways() {
        let (fast, slow) = (
            samples(&[100, 110, 105, 120, 90, 101]),
            samples(&[300, 310, 290, 305, 320, 299]),
        );
        let (before, after) = change(&fast, &slow).expect("it is slower");
        assert!(before < after);
        assert_eq!(change(&slow, &fast), Some((after, before)));
    }

    #[test]
    fn what_is_small_rare_or_uncertain_does_not() {
        let fast = samples(&[100, 110, 105, 120, 90, 101]);
        assert_eq!(
            change(&fast, &samples(&[120, 121, 122, 123, 124, 125])),
            None,
            "less than both bounds"
        );
        assert_eq!(
            change(&samples(&[1; 6]), &samples(&[3; 6])),
            None,
            "less than the absolute bound"
        );
        assert_eq!(change(&fast, &samples(&[300, 310])), None, "too few samples");
        assert_eq!(
            change(&fast, &samples(&[90, 100, 110, 900, 910, 105])),
            None,
            "it may be chance"
        );
        assert_eq!(change(&fast, &fast), None);
    }
}
