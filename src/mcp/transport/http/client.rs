//! The HTTP client of one transport, and the addresses it may be pointed at.

use std::{net::IpAddr, time::Duration};

use reqwest::{Client, Url, redirect::Policy};

use crate::model::{Fault, FaultKind, Phase};

const USER_AGENT: &str = concat!("mcpvals/", env!("CARGO_PKG_VERSION"));

/// Reads an endpoint's address.
pub(super) fn parse_url(text: &str) -> Result<Url, Fault> {
    let wrong = |problem: String| {
        Fault::surroundings(FaultKind::Unreachable, Phase::Start, problem)
            .help("write the whole address, such as `http://127.0.0.1:3000/mcp`")
    };
    if text.contains("{{") {
        return Err(
            wrong(format!("`url` holds a placeholder that nothing fills in: `{text}`"))
                .help("`{{port}}` needs a `start` block: without one no port is chosen"),
        );
    }
    let url = Url::parse(text).map_err(|error| wrong(format!("`url` is no address: {error}: `{text}`")))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        scheme => Err(wrong(format!(
            "`url` must begin with `http://` or `https://`, found `{scheme}:`"
        ))),
    }
}

/// The address as messages show it: without credentials and query, which may hold secrets.
pub(super) fn shown(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

/// Whether the address is this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Builds a client that follows no redirect, repeats nothing and asks no proxy for this machine.
pub(super) fn build(url: &Url, connect_limit: Duration) -> Result<Client, Fault> {
    // A second installation fails and changes nothing; without the first one building a client panics.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(USER_AGENT)
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(connect_limit);
    if is_loopback(url) {
        builder = builder.no_proxy();
    }
    if url.scheme() == "http" {
        // A kept connection to a server without TCP_NODELAY costs 42 ms a call (Nagle against delayed acknowledgement),
        // a fresh one 0.1 ms. No certificates: plain HTTP must work where the system has none.
        builder = builder.pool_max_idle_per_host(0).tls_certs_only([]);
    }
    builder.build().map_err(|error| {
        let cause = super::failure::deepest(&error);
        Fault::surroundings(
            FaultKind::Unreachable,
            Phase::Start,
            format!("TLS cannot be used here: {cause}"),
        )
        .help("install the system's CA certificates (`ca-certificates`) or name a file of them in `SSL_CERT_FILE`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_told_from_others() {
        let loopback = |text: &str| is_loopback(&Url::parse(text).unwrap());
        for url in [
            "http://127.0.0.1:1/",
            "http://localhost/",
            "http://[::1]:3/",
            "http://a.localhost/",
            "http://127.9.9.9",
        ] {
            assert!(loopback(url), "{url}");
        }
        for url in [
            "http://10.0.0.1/",
            "http://localhost.example.com/",
            "http://[::2]/",
            "http://127.example.com/",
        ] {
            assert!(!loopback(url), "{url}");
        }
    }

    #[test]
    fn an_address_is_shown_without_its_secrets() {
        let url = Url::parse("https://user:pass@h.test:8443/mcp?token=t#f").unwrap();
        assert_eq!(shown(&url), "https://h.test:8443/mcp");
    }

    #[test]
    fn only_web_addresses_are_taken() {
        assert!(parse_url("http://127.0.0.1:3000/mcp").is_ok());
        assert!(parse_url("ftp://h/").unwrap_err().message.contains("found `ftp:`"));
        assert!(parse_url("localhost:3000").is_err());
        assert!(parse_url("").is_err());
        assert!(
            parse_url("http://127.0.0.1:{{port}}/")
                .unwrap_err()
                .help
                .unwrap()
                .contains("start")
        );
    }

    #[test]
    fn clients_for_both_schemes_can_be_built() {
        let plain = Url::parse("http://127.0.0.1/").unwrap();
        assert!(build(&plain, Duration::from_secs(1)).is_ok());
    }
}
