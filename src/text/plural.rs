//! Numbers with their nouns.

/// A count with its noun: `1 case`, `2 cases`.
pub fn count(number: usize, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{s}")
}

/// The noun that goes with a count, for nouns that take more than an `s`.
pub const fn plural<'a>(number: usize, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!(count(0, "case"), "0 cases");
        assert_eq!(count(1, "case"), "1 case");
        assert_eq!(count(2, "case"), "2 cases");
        assert_eq!(plural(1, "entry", "entries"), "entry");
        assert_eq!(plural(2, "entry", "entries"), "entries");
    }
}
