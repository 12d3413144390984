//! A pattern compiled for the engine that understands it.

use std::{fmt, ops::Range};

use super::translate::{Boundary, translate};

/// Steps back before a match is given up; about a tenth of a second.
const BACKTRACK_LIMIT: usize = 4_000_000;

/// A compiled pattern.
pub(crate) struct Pattern(Engine);

enum Engine {
    Linear(regex::Regex),
    Backtracking(Box<fancy_regex::Regex>),
}

/// Why a pattern cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) struct PatternError {
    /// What is wrong, as a lowercase fragment.
    pub(crate) message: String,
    /// Character of the pattern where it is, counted from 1, if the place is known.
    pub(crate) at: Option<usize>,
}

impl PatternError {
    /// Something wrong at a character, counted from 0.
    pub(super) fn new(message: impl Into<String>, at: usize) -> Self {
        Self {
            message: message.into(),
            at: Some(at + 1),
        }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "{} at character {at}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// The backtracking engine came to its limit: whether the pattern matches is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the pattern takes too many steps on this text")]
pub(crate) struct TooSlow;

impl Pattern {
    /// Compiles a pattern as a JavaScript developer writes it: no slashes, no flags.
    pub(crate) fn compile(source: &str) -> Result<Self, PatternError> {
        let linear = translate(source, Boundary::Native)?;
        let refused = match regex::RegexBuilder::new(&linear).crlf(true).build() {
            Ok(regex) => return Ok(Self(Engine::Linear(regex))),
            Err(refused) => refused,
        };
        let backtracking = translate(source, Boundary::LookAround)?;
        let built = fancy_regex::RegexBuilder::new(&backtracking)
            .crlf(true)
            .backtrack_limit(BACKTRACK_LIMIT)
            .build();
        match built {
            Ok(regex) => Ok(Self(Engine::Backtracking(Box::new(regex)))),
            Err(error) => Err(explain(&refused, &error)),
        }
    }

    /// The first match, as a range of bytes.
    pub(crate) fn find(&self, text: &str) -> Result<Option<Range<usize>>, TooSlow> {
        match &self.0 {
            Engine::Linear(regex) => Ok(regex.find(text).map(|found| found.range())),
            Engine::Backtracking(regex) => match regex.find(text) {
                Ok(found) => Ok(found.map(|found| found.range())),
                Err(_limit) => Err(TooSlow),
            },
        }
    }
}

/// The words of the engine that understood more: the linear one knows syntax best, but not what it does not support.
fn explain(linear: &regex::Error, backtracking: &fancy_regex::Error) -> PatternError {
    let linear = linear.to_string();
    let last_line = linear.lines().last().unwrap_or_default();
    let reason = last_line.strip_prefix("error: ").unwrap_or(last_line);
    let message = if reason.contains("not supported") {
        backtracking.to_string()
    } else {
        reason.to_owned()
    };
    PatternError { message, at: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        let compiled = Pattern::compile(pattern).unwrap_or_else(|error| panic!("`{pattern}`: {error}"));
        compiled
            .find(text)
            .unwrap_or_else(|_| panic!("`{pattern}` is too slow"))
            .is_some()
    }

    #[test]
    fn patterns_of_javascript_mean_what_they_mean_there() {
        let table = [
            // pattern, a text it matches, a text it does not match
            (r"^(?!.*error).*$", "all good", "an error"),
            (r"(?<=\$)\d+", "costs $15", "costs 15"),
            (r"(?<!\d,?)\d{3}$", "x 123", "1,123"),
            (r"(\w)\1", "book", "bok"),
            (r"(?<q>['\x22]).*?\k<q>", "say 'x'", "say 'x\""),
            (r"a[^]b", "a\nb", "ab"),
            (r"\cJ", "a\nb", "aJb"),
            (r"[[a]x", "[x", "bx"),
            (r"a\/b\-c\_\%\<", "a/b-c_%<", "a/b-c_%"),
            (r"\u00e9\u{1F600}\uD83D\uDE00", "é😀😀", "é😀"),
            (r"^\d\w$", "1_", "١é"),
            (r"^\s$", "\u{feff}", "\u{85}"),
            (r"\bcaf\b", "café", "cafe"),
            (r"x\By", "xy", "x y"),
            (r"^a.c$", "abc", "a\nc"),
            (r"^a.c$", "a c", "a\rc"),
            (r"end$", "the end", "the end\n"),
            (r#"{"id": \d+}"#, r#"{"id": 7}"#, r#"{"id": x}"#),
            (r"^x{2,3}{$", "xx{", "x{"),
            (r"^[\w-]+]$", "a-b]", "a b]"),
            (r"^[.-\d]$", "-", "/"),
            (r"^[a&&b]+$", "&ab", "c"),
            (r"^[+--]$", ",", "."),
            (r"^[^\D5]$", "4", "5"),
            (r"^[\b]$", "\u{8}", "b"),
            (r"^\0[\0-\x1f]$", "\u{0}\u{1f}", "0 "),
            (r"^(?:a|b)+?c(?=d)", "abcd", "abc"),
            (r"(?i)HeLLo", "hello", "hallo"),
            (r"^(?s:.)$", "\n", "ab"),
            (r"^\p{Lu}$", "É", "é"),
            (r"(?=\bfoo\b)", "a foo", "afoo"),
        ];
        for (pattern, hit, miss) in table {
            assert!(matches(pattern, hit), "`{pattern}` on {hit:?}");
            assert!(!matches(pattern, miss), "`{pattern}` on {miss:?}");
        }
        assert!(
            !matches("^[]$", "") && !matches("^[]$", "x"),
            "an empty class matches nothing"
        );
    }

    #[test]
    fn a_catastrophe_is_linear_where_possible_and_bounded_elsewhere() {
        let text = format!("{}!", "a".repeat(28));
        assert!(!matches("^(a+)+$", &text));
        let bomb = Pattern::compile(r"^(a|aa|a+)+\1!x").unwrap();
        assert_eq!(bomb.find(&text), Err(TooSlow));
    }

    #[test]
    fn what_cannot_be_compiled_is_explained() {
        let error = |pattern: &str| Pattern::compile(pattern).err().expect("a problem").to_string();
        assert_eq!(error("a(b"), "the group is not closed, opened at character 2");
        assert_eq!(error("aé)"), "no group is open for `)` at character 3");
        assert_eq!(
            error("x[a-z"),
            "the character class is not closed, opened at character 2"
        );
        assert_eq!(error("*a"), "there is nothing to repeat for `*` at character 1");
        assert_eq!(error("a|+"), "there is nothing to repeat for `+` at character 3");
        assert_eq!(error(r"a\"), "the backslash has nothing to escape at character 2");
        assert!(error("[z-a]").contains("range"), "{}", error("[z-a]"));
        assert!(error(r"(a)\2").contains("back"), "{}", error(r"(a)\2"));
        assert_eq!(error(r"x\h"), r"unknown escape `\h` at character 2");
        assert_eq!(error(r"x\x+1"), r"incomplete escape `\x` at character 2");
        assert_eq!(error("a(?R)"), "unknown group `(?R` at character 2");
    }

    #[test]
    fn a_back_reference_to_what_took_no_part_matches_nothing() {
        for (pattern, hit, miss) in [
            (r"^(a)?b\1$", "b", "ba"),
            (r"^(?:(a)|b)\1$", "b", "a"),
            (r"^(?:(a)|b)\1c$", "aac", "ac"),
            (r"^(?!(a))\1b", "b", "ab"),
            (r"^\1(a)$", "a", "aa"),
            (r"^(a\1)$", "a", "aa"),
            (r"^\k<n>(?<n>a)\1$", "aa", "a"),
            (r"^(?:(\w)\1)+$", "aabb", "aab"),
            (r"^(\w)+\1$", "abb", "aba"),
            (r"^(a)(?<=\1)b$", "ab", "cb"),
            (r"^(?i)(a)\1$", "aA", "ab"),
        ] {
            assert!(matches(pattern, hit), "`{pattern}` on {hit:?}");
            assert!(!matches(pattern, miss), "`{pattern}` on {miss:?}");
        }
    }

    #[test]
    fn what_an_engine_would_remember_in_another_way_is_refused() {
        for pattern in [
            r"^(?:(a)|(b))*\1$",
            r"(?:(a)?b)+\1",
            r"(?:x(?:(a)|b))+\1",
            r"(?<=(\d+)(\d+))\1",
        ] {
            let error = Pattern::compile(pattern).err().expect(pattern).to_string();
            assert!(error.contains("not supported at character"), "{error}");
        }
    }

    #[test]
    fn what_means_something_in_other_languages_only_is_refused() {
        for pattern in [
            r"\d{2,1}",
            "a**",
            "a++",
            "a*+",
            "a{1,2}{3}",
            "a???",
            "^*",
            r"\b+",
            "(?R)",
            "(?(1)a|b)",
            "(?>a)",
            "(?|a)",
            "(?#c)a",
            "(?x) a",
            "(?P<n>a)",
            "(?<n>a)(?<n>b)",
            r"\h",
            r"\R",
            r"\Z",
            r"\a",
            r"\e",
            r"\A",
            r"\G",
            r"\K",
            r"\Q",
            r"\X",
            r"\g1",
            r"[\h]",
            r"[\B]",
            r"\07",
            r"\x4",
            r"\c",
            r"\k<n>",
            "(*FAIL)",
        ] {
            assert!(Pattern::compile(pattern).is_err(), "{pattern}");
        }
        for pattern in [
            "a+?",
            "a{2}?",
            "(?i-s:a)",
            "(?-i)a",
            r"[\b-]",
            r"\_\-",
            "(?<$é>a)",
            "a{,2}",
            "a{2",
        ] {
            assert!(Pattern::compile(pattern).is_ok(), "{pattern}");
        }
    }

    #[test]
    fn pathological_sizes_are_refused() {
        assert!(Pattern::compile("((a{100}){100}){100}").is_err());
        assert!(Pattern::compile(&"(".repeat(100_000)).is_err());
        assert!(Pattern::compile(&format!("{}a{}", "(".repeat(5000), ")".repeat(5000))).is_err());
    }
}
