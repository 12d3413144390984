//! What a browser gets.

use std::time::Duration;

use super::*;
use crate::{model::Status, report::sample};

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
fn what_broke_stands_before_what_held() {
    let held = sample::case("evals/a.yaml", "held", Status::Passed);
    let page = written(&sample::report(vec![held, sample::failed()]));
    let place = |status: &str| page.find(&format!("data-status=\"{status}\""));
    assert!(place("failed").is_some());
    assert!(place("failed") < place("passed"));
}

#[test]
fn a_long_list_of_what_broke_is_folded_after_its_first_cases() {
    let case = |number: usize| sample::case(&format!("evals/{number}.yaml"), "bad", Status::Failed);
    let page = written(&sample::report((0..25).map(case).collect()));
    let fold = page.find("<summary>5 more</summary>").expect("the others are folded");
    let link = |number: usize| {
        page.find(&format!("<a href=\"#case-{number}\">"))
            .expect("each is linked")
    };
    assert!(link(19) < fold && fold < link(20));
}

#[test]
fn a_step_that_was_repeated_shows_all_its_times() {
    let mut case = sample::case("evals/a.yaml", "again", Status::Passed);
    case.steps[0].samples = [10, 20, 30].map(Duration::from_millis).to_vec();
    let page = written(&sample::report(vec![case]));
    let picture = "aria-label=\"3 times from 10 ms to 30 ms\"";
    assert_eq!(page.matches(picture).count(), 2, "at the step and at its tool");
    assert!(
        page.contains("<td>3</td><td>20 ms</td>"),
        "the tool was called three times"
    );
}

#[test]
fn a_thousand_cases_fit_into_a_megabyte() {
    let cases = (0..1000).map(|_| sample::failed()).collect();
    let page = written(&sample::report(cases));
    assert!(page.len() < 1_000_000, "{}", page.len());
}
