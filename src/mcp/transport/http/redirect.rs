//! Which redirects are followed: those that stay on the origin, with method, body and headers unchanged.

use reqwest::{Method, StatusCode, Url};

/// Hops that are followed for one message; browsers allow 20, no MCP server was seen to need more than one.
pub(super) const HOP_LIMIT: usize = 5;

/// What is to be done with a response.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Redirect {
    /// It is no redirect.
    None,
    /// The same message goes to this address.
    Follow(Url),
    /// It is not followed, for this reason.
    Refuse(String),
}

/// Judges a response to `method` at `from`.
pub(super) fn judge(method: &Method, status: StatusCode, location: Option<&str>, from: &Url) -> Redirect {
    let Some(location) = location.filter(|_| matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)) else {
        return Redirect::None;
    };
    let Ok(to) = from.join(location) else {
        return Redirect::Refuse(format!(
            "HTTP {status} with a `Location` that is no address: `{}`",
            location.escape_debug()
        ));
    };
    if to.origin() != from.origin() {
        let origin = to.origin().ascii_serialization();
        return Redirect::Refuse(format!(
            "HTTP {status} leads to another origin, `{origin}`; it was not followed"
        ));
    }
    if status == StatusCode::SEE_OTHER && method != Method::GET {
        return Redirect::Refuse(format!(
            "HTTP {status} asks for a GET of `{}` in place of the answer",
            to.path()
        ));
    }
    Redirect::Follow(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(status: u16, location: &str) -> Redirect {
        let from = Url::parse("http://127.0.0.1:80/a/mcp?k=v").unwrap();
        judge(
            &Method::POST,
            StatusCode::from_u16(status).unwrap(),
            Some(location),
            &from,
        )
    }

    #[test]
    fn the_same_origin_is_followed() {
        for (location, path) in [
            ("/mcp/", "/mcp/"),
            ("mcp/", "/a/mcp/"),
            ("http://127.0.0.1/x", "/x"),
            ("?z", "/a/mcp"),
        ] {
            for status in [301, 302, 307, 308] {
                let Redirect::Follow(url) = post(status, location) else {
                    panic!("{status} {location} was not followed");
                };
                assert_eq!(url.path(), path);
            }
        }
    }

    #[test]
    fn another_scheme_host_or_port_is_refused() {
        for location in [
            "https://127.0.0.1/a/mcp",
            "http://localhost/a/mcp",
            "http://127.0.0.1:8080/",
            "//other.test/",
        ] {
            let Redirect::Refuse(reason) = post(307, location) else {
                panic!("{location} was followed");
            };
            assert!(reason.contains("another origin"), "{reason}");
        }
    }

    #[test]
    fn see_other_is_refused_for_a_post_only() {
        assert!(matches!(post(303, "/x"), Redirect::Refuse(_)));
        let from = Url::parse("http://h/").unwrap();
        let get = judge(&Method::GET, StatusCode::SEE_OTHER, Some("/x"), &from);
        assert!(matches!(get, Redirect::Follow(_)));
    }

    #[test]
    fn other_statuses_are_no_redirects() {
        assert_eq!(post(200, "/x"), Redirect::None);
        assert_eq!(post(304, "/x"), Redirect::None);
        assert_eq!(
            judge(
                &Method::POST,
                StatusCode::FOUND,
                None,
                &Url::parse("http://h/").unwrap()
            ),
            Redirect::None
        );
    }
}
