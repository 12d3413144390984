//! What a browser gets.

use super::*;
use crate::report::sample;

fn written(report: &Report) -> String {
    let mut out = Vec::new();
    write(report, Options::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn compared() -> Report {
    let mut report = sample::rich();
    report.comparison = Some(sample::comparison());
    report
}

#[test]
fn the_verdict_comes_first_and_what_changed_is_told() {
    let page = written(&compared());
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words} is not there"));
    assert!(place("2 of 8 cases failed") < place("regressed"));
    for words in [
        "in-required-added",
        "notes are found",
        "first note",
        "Content-Security-Policy",
    ] {
        place(words);
    }
}

#[test]
fn what_servers_and_fixtures_say_is_never_markup() {
    let page = written(&compared());
    assert!(
        !page.contains("<script>alert"),
        "the hostile text stands in the page as it is"
    );
    assert_eq!(page.matches("<script").count(), 1, "only our own script");
    assert!(page.contains("&lt;script&gt;alert(1)"));
}

#[test]
fn nothing_is_fetched() {
    let page = written(&compared());
    for word in ["src=", "url(", "@import", "<link", "http://", "https://"] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn a_thousand_cases_fit_into_a_megabyte() {
    let cases = (0..1000).map(|_| sample::failed()).collect();
    let page = written(&sample::report(cases));
    assert!(page.len() < 1_000_000, "{}", page.len());
}
