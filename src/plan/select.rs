//! Which of all cases are run: filters, tags, a shard, those that did not pass last time.

use std::{
    collections::{BTreeSet, HashSet},
    fmt,
    str::FromStr,
};

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::{Plan, PlannedCase, template::SHOWN};
use crate::{
    model::{CaseId, Selection},
    source::{Diagnostic, did_you_mean},
    text::quote,
};

/// What narrows the choice of cases; all of it must hold.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Filters over `file › name`; one of them must match.
    pub filters: Vec<Filter>,
    /// Tags; the case must have one of them.
    pub tags: Vec<String>,
    /// What is run again.
    pub rerun: Option<Rerun>,
    /// The part of the cases this machine runs.
    pub shard: Option<Shard>,
}

/// What did not pass in an earlier run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rerun {
    /// Ids of cases.
    pub cases: BTreeSet<String>,
    /// Files of which no case could be made, so that nobody knows the ids of theirs.
    pub files: BTreeSet<String>,
}

/// Matches ids: text that they contain, or a pattern written between slashes.
#[derive(Debug, Clone)]
pub enum Filter {
    /// Text that the id contains.
    Text(String),
    /// A regular expression that matches somewhere in the id.
    Pattern(Regex),
}

/// Part `index` of `count` parts, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Choice {
    /// Keeps the chosen cases, in order. Shards deal the cases that the other rules leave, one by one, so that every
    /// case is in just one shard and shards are of equal size.
    pub fn apply(&self, mut cases: Plan) -> (Plan, Selection) {
        let found = cases.len();
        cases.retain(|case| self.takes(case));
        if let Some(shard) = self.shard {
            let mut position = 0;
            cases.retain(|_| {
                position += 1;
                (position - 1) % shard.count == shard.index - 1
            });
        }
        let selection = Selection {
            found,
            selected: cases.len(),
            narrowed_by: self.words(),
        };
        (cases, selection)
    }

    /// A warning for each tag that is asked for and that no case has.
    pub fn unknown_tags(&self, cases: &Plan) -> Vec<Diagnostic> {
        let known: BTreeSet<&str> = cases.iter().flat_map(|case| &case.tags).map(String::as_str).collect();
        let unknown = self.tags.iter().filter(|tag| !known.contains(tag.as_str()));
        unknown
            .map(|tag| {
                let problem = Diagnostic::warning("unknown-tag", format!("no case has the tag {}", quote(tag, SHOWN)));
                problem.help(if known.is_empty() {
                    "no case has any tag: write `tags: [NAME]` in a fixture".to_owned()
                } else {
                    did_you_mean(tag, known.iter().copied())
                })
            })
            .collect()
    }

    /// The ids to run again that no case has any more. Of a file that cannot be used nobody knows its cases.
    pub fn gone(&self, cases: &Plan, unusable: &BTreeSet<String>) -> Vec<String> {
        let Some(rerun) = &self.rerun else {
            return Vec::new();
        };
        let known: HashSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        let ids = rerun.cases.iter();
        ids.filter(|id| !known.contains(id.as_str()) && !unusable.contains(CaseId::file_in(id)))
            .cloned()
            .collect()
    }

    fn takes(&self, case: &PlannedCase) -> bool {
        let id = case.id.as_str();
        (self.filters.is_empty() || self.filters.iter().any(|filter| filter.is_match(id)))
            && (self.tags.is_empty() || self.tags.iter().any(|tag| case.tags.contains(tag)))
            && self.rerun.as_ref().is_none_or(|rerun| rerun.takes(case))
    }

    fn words(&self) -> Vec<String> {
        let filters = self.filters.iter().map(|filter| format!("--filter {filter}"));
        let tags = self.tags.iter().map(|tag| format!("--tag {tag}"));
        let rerun = self.rerun.iter().map(|_| "--rerun-failed".to_owned());
        let shard = self.shard.iter().map(|shard| format!("--shard {shard}"));
        filters.chain(tags).chain(rerun).chain(shard).collect()
    }
}

impl Rerun {
    fn takes(&self, case: &PlannedCase) -> bool {
        self.cases.contains(case.id.as_str()) || self.files.contains(&*case.location.file)
    }
}

impl Filter {
    fn is_match(&self, id: &str) -> bool {
        match self {
            Self::Text(text) => id.contains(text),
            Self::Pattern(pattern) => pattern.is_match(id),
        }
    }
}

impl FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let pattern = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        match pattern {
            Some(pattern) if !pattern.is_empty() => Regex::new(pattern)
                .map(Self::Pattern)
                .map_err(|error| format!("`{pattern}` is not a regular expression: {error}")),
            _ if text.is_empty() => Err("an empty filter would choose every case".to_owned()),
            _ => Ok(Self::Text(text.to_owned())),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Pattern(pattern) => write!(f, "/{pattern}/"),
        }
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text
            .split_once('/')
            .and_then(|(index, count)| Some((index.trim().parse().ok()?, count.trim().parse().ok()?)));
        match parts {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self { index, count }),
            _ => Err(format!("`{text}` is not a shard; write it as 1/3, 2/3, 3/3")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{CaseId, Definition, Mode, ServerScope},
        plan::Target,
        source::{Location, Span},
    };

    fn case(name: &str, tags: &[&str]) -> PlannedCase {
        PlannedCase {
            id: CaseId::new("evals/a.yaml", name),
            name: name.to_owned(),
            description: None,
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            location: Location {
                file: "evals/a.yaml".into(),
                span: Span::default(),
            },
            mode: Mode::Simulated,
            target: Target::Simulated,
            definition: Definition::default(),
            scope: ServerScope::Case,
            skip: None,
            retries: 0,
            vars: std::sync::Arc::default(),
            steps: Vec::new(),
        }
    }

    fn chosen(choice: &Choice, names: &[&str]) -> Vec<String> {
        let cases = names.iter().map(|name| Box::new(case(name, &[]))).collect();
        choice.apply(cases).0.into_iter().map(|case| case.name).collect()
    }

    fn filters(texts: &[&str]) -> Choice {
        Choice {
            filters: texts.iter().map(|text| text.parse().expect("it is a filter")).collect(),
            ..Choice::default()
        }
    }

    #[test]
    fn filters_are_text_or_patterns_over_the_id() {
        let names = ["find (one)", "find all", "drop"];
        assert_eq!(chosen(&filters(&["find (o"]), &names), ["find (one)"]);
        assert_eq!(chosen(&filters(&["a.yaml › drop"]), &names), ["drop"]);
        assert_eq!(chosen(&filters(&["/ (all|drop)$/"]), &names), ["find all", "drop"]);
        assert_eq!(chosen(&filters(&["(one)", "drop"]), &names), ["find (one)", "drop"]);
        assert!("/(/".parse::<Filter>().is_err());
    }

    #[test]
    fn tags_choose_cases_that_have_one_of_them() {
        let choice = Choice {
            tags: vec!["fast".to_owned(), "smoke".to_owned()],
            ..Choice::default()
        };
        let cases = [
            case("a", &["slow"]),
            case("b", &["slow", "smoke"]),
            case("c", &["fast"]),
        ];
        let cases = cases.into_iter().map(Box::new).collect();
        let (cases, selection) = choice.apply(cases);
        assert_eq!(
            cases.iter().map(|case| case.name.as_str()).collect::<Vec<_>>(),
            ["b", "c"]
        );
        assert_eq!((selection.found, selection.selected), (3, 2));
        assert_eq!(selection.narrowed_by, ["--tag fast", "--tag smoke"]);
    }

    #[test]
    fn every_case_is_in_just_one_shard() {
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        let mut all: Vec<String> = ["1/3", "2/3", "3/3"]
            .into_iter()
            .flat_map(|shard| {
                let choice = Choice {
                    shard: Some(shard.parse().expect("it is a shard")),
                    ..Choice::default()
                };
                let part = chosen(&choice, &names);
                assert!((2..=3).contains(&part.len()), "{shard} has {part:?}");
                part
            })
            .collect();
        all.sort();
        assert_eq!(all, names);
    }

    #[test]
    fn a_shard_that_is_none_is_refused() {
        for text in ["0/3", "4/3", "1", "a/b", "1/0", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    fn rerun(cases: &[&str], files: &[&str]) -> Choice {
        let owned = |texts: &[&str]| texts.iter().map(|&it| it.to_owned()).collect();
        Choice {
            rerun: Some(Rerun {
                cases: owned(cases),
                files: owned(files),
            }),
            ..Choice::default()
        }
    }

    #[test]
    fn rerun_keeps_the_named_ids_and_files() {
        assert_eq!(chosen(&rerun(&["evals/a.yaml › b"], &[]), &["a", "b"]), ["b"]);
        assert_eq!(chosen(&rerun(&[], &["evals/a.yaml"]), &["a", "b"]), ["a", "b"]);
        assert_eq!(chosen(&rerun(&[], &["evals/b.yaml"]), &["a", "b"]), [] as [&str; 0]);
    }

    #[test]
    fn ids_that_no_case_has_are_gone_unless_their_file_cannot_be_used() {
        let choice = rerun(&["evals/a.yaml › a", "evals/a.yaml › old", "evals/bad.yaml › x"], &[]);
        let cases = Plan::from([Box::new(case("a", &[]))]);
        let unusable = BTreeSet::from(["evals/bad.yaml".to_owned()]);
        assert_eq!(choice.gone(&cases, &unusable), ["evals/a.yaml › old"]);
        assert_eq!(Choice::default().gone(&cases, &unusable), [] as [&str; 0]);
    }
}
