//! What a server block can say that no server could ever be started or reached with.

use url::Url;

use super::template::{Pair, SHOWN, is_rooted, pairs};
use crate::{
    model::Text,
    source::{Diagnostic, nearest},
    text::quote,
};

/// The ways to write the port that are filled in.
const PORTS: [&str; 2] = ["{{port}}", "{{ port }}"];

/// A text of a server block, and what `{{port}}` means there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// An address beside `start`.
    StartedUrl,
    /// An address without `start`.
    Url,
    /// A part of the command that starts an HTTP server.
    Start,
    /// A part of the command of a stdio server.
    Command,
    /// A header.
    Header,
}

impl Place {
    const fn has_port(self) -> bool {
        matches!(self, Self::StartedUrl | Self::Start)
    }

    const fn is_url(self) -> bool {
        matches!(self, Self::StartedUrl | Self::Url)
    }

    const fn without_port(self) -> &'static str {
        match self {
            Self::Header => "`{{port}}` is filled in `url`, `ready` and `start` only",
            Self::Command => "`{{port}}` belongs to an HTTP server: `url` and, to start it, `start: {command: …}`",
            _ => "`{{port}}` needs a `start` block: without one no port is chosen",
        }
    }
}

/// Double braces that nothing will fill in, in a text as it is written.
pub(super) fn unfilled(written: &str, place: Place) -> impl Iterator<Item = Diagnostic> {
    pairs(written)
        .filter(|pair| !pair.is_escaped())
        .filter_map(move |pair| unfilled_pair(&written[pair.start..pair.end], &pair, place))
}

fn unfilled_pair(shown: &str, pair: &Pair<'_>, place: Place) -> Option<Diagnostic> {
    let problem = |help: &str| {
        let message = format!("{} is not filled in here", quote(shown, SHOWN));
        Some(Diagnostic::error("misplaced-placeholder", message).help(help))
    };
    let inside = pair.inside;
    let is_word = inside.chars().all(char::is_alphanumeric);
    if !pair.is_closed {
        let is_meant = place.is_url() || place.has_port() && inside.starts_with("port");
        return if is_meant { problem("write `{{port}}`") } else { None };
    }
    match inside {
        "port" if !place.has_port() => problem(place.without_port()),
        "port" if PORTS.contains(&shown) => None,
        "port" => problem("write `{{port}}`"),
        _ if is_rooted(inside) => problem(
            "placeholders are filled in `input` and `expect` of steps; a server block takes environment variables as `${NAME}`",
        ),
        _ if place.has_port() && is_word && nearest(inside, ["port"]).is_some() => problem("did you mean `{{port}}`?"),
        _ if place.is_url() => problem("an address can hold `{{port}}` and environment variables as `${NAME}`"),
        _ => None,
    }
}

/// Whether a text holds the port that is chosen for `start`.
pub(super) fn has_port(text: &Text) -> bool {
    PORTS.iter().any(|port| text.value.contains(port))
}

/// Why an address cannot be reached; `written` is what messages may show of it.
pub(super) fn url_problem(expanded: &str, written: &str) -> Option<Diagnostic> {
    let shown = quote(written, SHOWN);
    let when = if written.contains("${") {
        " once its variables are expanded"
    } else {
        ""
    };
    let problem = |message: String| {
        let help = "write the whole address, such as `http://127.0.0.1:3000/mcp`";
        Some(Diagnostic::error("invalid-url", message).help(help))
    };
    let is_http = ["http://", "https://"].iter().any(|scheme| {
        let start = expanded.trim_start().get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    if !is_http {
        return problem(format!("{shown} is not an http:// or https:// address{when}"));
    }
    let with_port = PORTS
        .iter()
        .fold(expanded.to_owned(), |url, port| url.replace(port, "1"));
    let error = Url::parse(&with_port).err()?;
    problem(format!("{shown} is no address{when}: {error}"))
}

/// Why a header cannot be sent by this name.
pub(super) fn header_name_problem(name: &str) -> Option<Diagnostic> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_token) {
        return None;
    }
    let message = format!("{} is not a header name", quote(name, SHOWN));
    Some(Diagnostic::error("invalid-header", message).help("a header name is made of letters, digits and `-`"))
}

/// Why a header cannot have this value, which is not shown: it may be a secret.
pub(super) fn header_value_problem(name: &str, value: &str) -> Option<Diagnostic> {
    if !value.trim().chars().any(|c| c.is_ascii_control() && c != '\t') {
        return None;
    }
    let message = format!("the header {} has a value that HTTP cannot carry", quote(name, SHOWN));
    Some(Diagnostic::error("invalid-header", message).help("a header value is one line of printable characters"))
}

/// Why the system cannot hand a text to a program.
pub(super) fn nul_problem(text: &str) -> Option<Diagnostic> {
    let problem = Diagnostic::error("nul-character", "a NUL character cannot be handed to a program");
    text.contains('\0').then(|| problem.help("remove the `\\0`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_unfilled(text: &str, place: Place) -> bool {
        unfilled(text, place).next().is_some()
    }

    #[test]
    fn a_port_is_filled_in_only_beside_start() {
        for place in [Place::StartedUrl, Place::Start] {
            assert!(!is_unfilled("x{{port}}/{{ port }}", place));
            for slip in ["{{prot}}", "{{Port}}", "{{port }}", "{{port}", "{{port"] {
                assert!(is_unfilled(slip, place), "{slip}");
            }
        }
        for place in [Place::Url, Place::Command, Place::Header] {
            assert!(is_unfilled("{{port}}", place));
        }
    }

    #[test]
    fn braces_of_other_programs_are_theirs() {
        for text in ["{{.Names}}", "{{json .}}", "{{name}}", "{{", "\\{{vars.x}}"] {
            for place in [Place::Start, Place::Command, Place::Header] {
                assert!(!is_unfilled(text, place), "{text}");
            }
        }
        assert!(is_unfilled("http://{{host}}/", Place::Url));
    }

    #[test]
    fn placeholders_of_steps_are_not_filled_in() {
        for place in [Place::Start, Place::Command, Place::Header, Place::Url] {
            assert!(is_unfilled("{{env.HOME}}", place));
            assert!(is_unfilled("{{vars.x}}", place));
        }
    }

    #[test]
    fn addresses_are_checked() {
        for good in [
            "http://127.0.0.1:{{port}}/mcp",
            "HTTP://localhost",
            "https://[::1]:3/",
            "https://ex\u{e4}mple.test/",
            " http://a/ ",
        ] {
            assert!(url_problem(good, good).is_none(), "{good}");
        }
        for bad in [
            "",
            "http://",
            "http://a b",
            "http://a:99999/",
            "ws://x",
            "localhost:3000",
            "http:/a",
        ] {
            assert!(url_problem(bad, bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn an_address_is_shown_as_it_is_written() {
        let problem = url_problem("ws://x/?t=s3cr3t", "ws://x/?t=${PLAIN}").expect("it is bad");
        assert_eq!(
            problem.message,
            "`ws://x/?t=${PLAIN}` is not an http:// or https:// address once its variables are expanded"
        );
    }

    #[test]
    fn headers_are_checked_without_showing_values() {
        assert!(header_name_problem("X-Api_Key").is_none());
        for name in ["", "bad header", "a:b", "é"] {
            assert!(header_name_problem(name).is_some(), "{name}");
        }
        assert!(header_value_problem("A", " Bearer \t é\n").is_none());
        let problem = header_value_problem("A", "hid\nden").expect("it is bad");
        assert!(!problem.message.contains("hid"));
        assert!(header_value_problem("A", "a\0b").is_some());
    }
}
