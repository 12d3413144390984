//! "Did you mean": the nearest known word to one that is not known.

/// The candidate nearest to `word`, if one is near enough to be a slip of the same word.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let allowed = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(cost, candidate)| *cost <= allowed || begin_alike(&lower, &candidate.to_lowercase()))
        .min_by_key(|(cost, _)| *cost)
        .map(|(_, candidate)| candidate)
}

/// A help text for an unknown word: the nearest candidate, else the list of all.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    match nearest(word, candidates.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if candidates.is_empty() => "nothing is known by that name here".to_owned(),
        None => format!("known here: {}", candidates.join(", ")),
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
}
