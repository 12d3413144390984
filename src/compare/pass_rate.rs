//! The pass rate over several runs: how many of the cases that ran were good.

use crate::model::Totals;

/// How many cases were good, of those that ran.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassRate {
    /// Cases that ran: all but the skipped ones and the known failures.
    pub ran: usize,
    /// Those of them that neither failed nor errored.
    pub good: usize,
}

impl PassRate {
    /// The rate of one run.
    pub const fn of(totals: &Totals) -> Self {
        let ran = totals
            .cases
            .saturating_sub(totals.skipped + totals.xfailed + totals.xpassed);
        Self {
            ran,
            good: ran.saturating_sub(totals.failed + totals.errored),
        }
    }

    /// The rate from 0 to 1; nothing can be said where nothing ran.
    pub fn value(self) -> Option<f64> {
        (self.ran > 0).then(|| self.good as f64 / self.ran as f64)
    }
}

/// Every case counts alike, whichever run it is of.
impl FromIterator<Self> for PassRate {
    fn from_iter<T: IntoIterator<Item = Self>>(rates: T) -> Self {
        rates.into_iter().fold(Self::default(), |sum, rate| Self {
            ran: sum.ran + rate.ran,
            good: sum.good + rate.good,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(cases: usize, failed: usize, errored: usize, skipped: usize) -> Totals {
        Totals {
            cases,
            failed,
            errored,
            skipped,
            ..Totals::default()
        }
    }

    #[test]
    fn skipped_cases_do_not_count_and_errors_are_not_good() {
        let rate = PassRate::of(&totals(10, 1, 2, 4));
        assert_eq!((rate.good, rate.ran), (3, 6));
        assert_eq!(rate.value(), Some(0.5));
    }

    #[test]
    fn nothing_ran_is_no_rate() {
        assert_eq!(PassRate::of(&totals(3, 0, 0, 3)).value(), None);
        assert_eq!([].into_iter().collect::<PassRate>().value(), None);
    }

    #[test]
    fn runs_weigh_as_much_as_they_have_cases() {
        let rates = [totals(8, 0, 0, 0), totals(2, 2, 0, 0)];
        let rate: PassRate = rates.iter().map(PassRate::of).collect();
        assert_eq!(rate.value(), Some(0.8));
    }
}
