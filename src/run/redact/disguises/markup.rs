//! A secret in HTML and XML.

use super::Hex;

/// What writers of markup escape beside `&`, `<` and `>`, and how: nothing (text of XML), quotation marks by name, and
/// both by a number in the ways of JavaScript's, PHP's, Python's and Go's libraries, of Handlebars and of Mustache.
const BESIDE: [&[(char, &str)]; 9] = [
    &[],
    &[('"', "&quot;")],
    &[('"', "&quot;"), ('\'', "&apos;")],
    &[('"', "&quot;"), ('\'', "&#39;")],
    &[('"', "&quot;"), ('\'', "&#039;")],
    &[('"', "&quot;"), ('\'', "&#x27;")],
    &[('"', "&#34;"), ('\'', "&#39;")],
    &[('"', "&quot;"), ('\'', "&#x27;"), ('`', "&#x60;"), ('=', "&#x3D;")],
    &[
        ('"', "&quot;"),
        ('\'', "&#39;"),
        ('`', "&#x60;"),
        ('=', "&#x3D;"),
        ('/', "&#x2F;"),
    ],
];

/// How a character is written by its number.
#[derive(Clone, Copy)]
enum Numbers {
    Decimal,
    Hexadecimal(Hex),
}

const NUMBERS: [Numbers; 3] = [
    Numbers::Decimal,
    Numbers::Hexadecimal(Hex::Lower),
    Numbers::Hexadecimal(Hex::Upper),
];

pub(super) fn forms(secret: &str) -> impl Iterator<Item = String> {
    let named = BESIDE.into_iter().flat_map(move |beside| {
        let by_name = |c| named(c, beside).map(str::to_owned);
        let others_bare = escaped(secret, by_name);
        let others_by_number = NUMBERS.map(|numbers| {
            escaped(secret, |c| {
                by_name(c).or_else(|| (!c.is_ascii()).then(|| numbers.reference(c)))
            })
        });
        others_by_number.into_iter().chain([others_bare])
    });
    let is_mark = |c| "&<>\"'".contains(c);
    let numbered =
        NUMBERS.map(|numbers| escaped(secret, |c| (is_mark(c) || !c.is_ascii()).then(|| numbers.reference(c))));
    named.chain(numbered)
}

fn escaped(text: &str, reference: impl Fn(char) -> Option<String>) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match reference(c) {
            Some(reference) => escaped.push_str(&reference),
            None => escaped.push(c),
        }
    }
    escaped
}

fn named(c: char, beside: &[(char, &'static str)]) -> Option<&'static str> {
    match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        _ => beside
            .iter()
            .find_map(|(escaped, reference)| (*escaped == c).then_some(*reference)),
    }
}

impl Numbers {
    fn reference(self, c: char) -> String {
        match self {
            Self::Decimal => format!("&#{};", u32::from(c)),
            Self::Hexadecimal(hex) => format!("&#x{};", hex.digits(c.into(), 0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::has;

    #[test]
    fn entities_in_the_spelling_of_other_languages() {
        has(
            "a&b<c>d\"e'f=ä",
            &[
                "a&amp;b&lt;c&gt;d\"e'f=ä",
                "a&amp;b&lt;c&gt;d&quot;e'f=ä",
                "a&amp;b&lt;c&gt;d&quot;e&apos;f=ä",
                "a&amp;b&lt;c&gt;d&quot;e&#39;f=ä",
                "a&amp;b&lt;c&gt;d&quot;e&#039;f=ä",
                "a&amp;b&lt;c&gt;d&quot;e&#x27;f=ä",
                "a&amp;b&lt;c&gt;d&#34;e&#39;f=ä",
                "a&amp;b&lt;c&gt;d&quot;e&#x27;f&#x3D;ä",
                "a&amp;b&lt;c&gt;d\"e'f=&#228;",
                "a&amp;b&lt;c&gt;d\"e'f=&#xE4;",
                "a&#38;b&#60;c&#62;d&#34;e&#39;f=&#228;",
                "a&#x26;b&#x3c;c&#x3e;d&#x22;e&#x27;f=&#xe4;",
            ],
        );
    }
}
