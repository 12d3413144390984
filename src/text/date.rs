//! Days of the calendar, as people write them in files.

use std::{
    fmt,
    time::{SystemTime, UNIX_EPOCH},
};

/// A day in UTC; days are ordered as they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u32,
    month: u32,
    day: u32,
}

const SECONDS_A_DAY: u64 = 86_400;

impl Date {
    /// The day that a text names as `YYYY-MM-DD`.
    pub fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts[..] else { return None };
        let is_written_so = [(year, 4), (month, 2), (day, 2)]
            .iter()
            .all(|(part, length)| part.len() == *length && part.bytes().all(|byte| byte.is_ascii_digit()));
        let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
        let date = Self { year, month, day };
        (is_written_so && (1..=12).contains(&month) && (1..=date.length_of_month()).contains(&day)).then_some(date)
    }

    /// The day of a moment.
    pub fn of(moment: SystemTime) -> Self {
        let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut days = since.as_secs() / SECONDS_A_DAY;
        let mut date = Self::default();
        while days >= date.length_of_year() {
            days -= date.length_of_year();
            date.year += 1;
        }
        while days >= u64::from(date.length_of_month()) {
            days -= u64::from(date.length_of_month());
            date.month += 1;
        }
        date.day += days as u32;
        date
    }

    const fn is_leap(self) -> bool {
        self.year.is_multiple_of(4) && !self.year.is_multiple_of(100) || self.year.is_multiple_of(400)
    }

    const fn length_of_year(self) -> u64 {
        if self.is_leap() { 366 } else { 365 }
    }

    const fn length_of_month(self) -> u32 {
        match self.month {
            2 if self.is_leap() => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}

impl Default for Date {
    /// The first day of Unix time.
    fn default() -> Self {
        Self {
            year: 1970,
            month: 1,
            day: 1,
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_days_that_there_are_can_be_named() {
        for good in ["2024-02-29", "2000-02-29", "2026-12-31"] {
            assert_eq!(Date::parse(good).expect("a day").to_string(), good);
        }
        for bad in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-04-31",
            "26-01-01",
            "2026-1-01",
            "2026-01-+1",
            "soon",
        ] {
            assert_eq!(Date::parse(bad), None, "{bad}");
        }
        assert!(Date::parse("2026-09-30") < Date::parse("2026-10-01"));
    }

    #[test]
    fn a_moment_has_its_day() {
        let day = |seconds| Date::of(UNIX_EPOCH + Duration::from_secs(seconds)).to_string();
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(951_782_400), "2000-02-29");
        assert_eq!(day(1_767_225_599), "2025-12-31");
        assert_eq!(day(1_767_225_600), "2026-01-01");
    }
}
