//! "Did you mean": the nearest known word to one that is not known.

/// Bytes of the longest word that can be a slip of another one: comparing takes the product of both lengths, and words
/// come from servers, too.
const LONGEST: usize = 128;

/// Words that are listed where none is near.
const MOST_LISTED: usize = 24;

/// The candidate nearest to `word`, if one is near enough to be a slip of the same word.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let lower = word.to_lowercase();
    let cost_of = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let cost = distance(&lower, &candidate);
        (cost <= allowed(word) || begin_alike(&lower, &candidate)).then_some(cost)
    };
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .filter_map(|candidate| Some((cost_of(candidate)?, candidate)))
        .min_by_key(|(cost, _)| *cost)
        .map(|(_, candidate)| candidate)
}

/// A help text for an unknown word: the nearest candidate, else the list of all.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    match nearest(word, candidates.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if candidates.is_empty() => "nothing is known by that name here".to_owned(),
        None => format!("known here: {}", listed(&candidates)),
    }
}

/// Whether one edit (insert, delete, replace, swap of neighbours) turns one word into the other.
pub fn is_one_edit(a: &str, b: &str) -> bool {
    a.len().max(b.len()) <= LONGEST && distance(a, b) == 1
}

/// Edits within which a word is a slip of another one.
fn allowed(word: &str) -> usize {
    (word.chars().count() / 3).max(1)
}

fn listed(words: &[&str]) -> String {
    let shown = words.iter().copied().filter(|word| word.len() <= LONGEST);
    let shown: Vec<&str> = shown.take(MOST_LISTED).collect();
    match words.len() - shown.len() {
        0 => shown.join(", "),
        _ if shown.is_empty() => "none that is short enough to be shown".to_owned(),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Whether one word begins with the other, or both share more than half of their letters at the beginning.
fn begin_alike(a: &str, b: &str) -> bool {
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let (a, b) = (a.chars().count(), b.chars().count());
    shared >= 3 && (shared == a.min(b) || 2 * shared > a.max(b))
}

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut cost = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_of_the_same_word() {
        let known = ["output_contains", "latency_under", "expect", "steps"];
        assert_eq!(nearest("output_contain", known), Some("output_contains"));
        assert_eq!(nearest("expects", known), Some("expect"));
        assert_eq!(nearest("setps", known), Some("steps"));
        assert_eq!(nearest("latency_below", known), Some("latency_under"));
    }

    #[test]
    fn stays_silent_for_other_words() {
        assert_eq!(nearest("timeout", ["expect", "steps"]), None);
        assert_eq!(nearest("output_near", ["output_not_contains", "latency_under"]), None);
        assert_eq!(nearest("id", ["input"]), None);
    }

    #[test]
    fn long_words_are_near_to_nothing() {
        let long = "expect".repeat(100_000);
        assert_eq!(nearest(&long, ["expect"]), None);
        assert_eq!(nearest("expect", [long.as_str(), "expects"]), Some("expects"));
    }

    #[test]
    fn a_list_of_known_words_is_short() {
        let long = "x".repeat(100_000);
        assert_eq!(did_you_mean("q", ["abc", "def"]), "known here: abc, def");
        assert_eq!(did_you_mean("q", [long.as_str(), "abc"]), "known here: abc and 1 more");
        assert_eq!(
            did_you_mean("q", [long.as_str()]),
            "known here: none that is short enough to be shown"
        );
        let many = vec!["abc"; MOST_LISTED + 2];
        assert!(did_you_mean("q", many).ends_with("abc and 2 more"));
    }
}
