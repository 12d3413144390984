//! What a failed exchange means: nobody there, no such name, no trust, a broken connection, not HTTP at all.

use std::{error::Error, io};

use super::body::BodyError;
use crate::{
    mcp::weight,
    model::{Fault, FaultKind, Origin, Phase},
};

/// Whether nothing listens at the address: the one failure that waiting may cure.
pub(super) fn is_refused(error: &reqwest::Error) -> bool {
    error.is_connect() && io_kind(error) == Some(io::ErrorKind::ConnectionRefused)
}

/// Explains why no connection came about.
pub(super) fn no_connection(error: &reqwest::Error, address: &str) -> Fault {
    let fault = |message| Fault::surroundings(FaultKind::Unreachable, Phase::Start, message);
    if is_refused(error) {
        return fault(format!("`{address}` cannot be reached: connection refused"))
            .help("start the server before the run, or let mcpvals start it with `server.start`");
    }
    if let Some(tls) = find_tls(error) {
        return fault(format!("TLS with `{address}` failed: {tls}")).help(match tls {
            rustls::Error::InvalidMessage(_) => {
                "what listens there does not speak TLS: write `http://` if that is meant"
            }
            _ => "a certificate authority of your own is named by the environment variable `SSL_CERT_FILE`",
        });
    }
    if error.is_dns() {
        return fault(format!(
            "the host name of `{address}` cannot be resolved: {}",
            deepest(error)
        ))
        .help("check the host name in `url`");
    }
    let cause = if error.is_timeout() {
        "no answer to the connection attempt".to_owned()
    } else {
        deepest(error)
    };
    fault(format!("`{address}` cannot be reached: {cause}"))
        .help("check `url`, and that the server can be reached from this machine")
}

/// A connection that did not come about with a server that we started: it is the one that should be there.
pub(super) fn of_our_server(fault: Fault) -> Fault {
    Fault {
        origin: Origin::Server,
        ..fault
    }
    .help("`server.start` was run; check that `url` names what it listens on")
}

/// Explains why a server that was reached gave no response.
pub(super) fn no_response(error: &reqwest::Error, address: &str, phase: Phase) -> Fault {
    if find::<hyper::Error>(error).is_some_and(hyper::Error::is_parse) {
        let message = format!("what answers at `{address}` does not speak HTTP: {}", deepest(error));
        return Fault::server(FaultKind::Garbled, phase, message)
            .help("check host and port in `url`, and whether it is `http` or `https`");
    }
    let message = format!(
        "the server took the request and closed the connection without a response: {}",
        deepest(error)
    );
    Fault::server(FaultKind::Closed, phase, message)
}

/// Explains why a server that answered before takes no connections any more.
pub(super) fn gone(error: &reqwest::Error, address: &str, phase: Phase) -> Fault {
    let message = format!(
        "the server at `{address}` takes no connections any more: {}",
        deepest(error)
    );
    Fault::server(FaultKind::Closed, phase, message)
}

/// The server process ended.
pub(super) fn exited(status: &str, phase: Phase) -> Fault {
    let message = format!("the server exited ({status}) before it answered `{}`", phase.word());
    Fault::server(FaultKind::Exited, phase, message)
}

/// Explains why the body of a response could not be read.
pub(super) fn bad_body(error: &BodyError, limit: usize, phase: Phase) -> Fault {
    match error {
        BodyError::TooLarge => too_large(limit, phase),
        BodyError::Broken(error) => broken(error, phase),
    }
}

/// An answer that is larger than what we keep.
pub(super) fn too_large(limit: usize, phase: Phase) -> Fault {
    let message = format!("the answer is larger than the limit of {limit} bytes");
    Fault::server(FaultKind::TooLarge, phase, message)
}

/// An answer that holds more than what we read.
pub(super) fn too_heavy(bytes: usize, phase: Phase) -> Fault {
    let message = format!("the answer {}: {bytes} bytes", weight::problem());
    Fault::server(FaultKind::TooLarge, phase, message)
}

/// A body that broke off or was no body.
pub(super) fn broken(error: &reqwest::Error, phase: Phase) -> Fault {
    let garbled = matches!(
        io_kind(error),
        Some(io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput)
    );
    let kind = if garbled { FaultKind::Garbled } else { FaultKind::Closed };
    Fault::server(
        kind,
        phase,
        format!("the connection broke in the middle of the answer: {}", deepest(error)),
    )
}

/// The cause at the end of the chain: the one that tells something.
pub(super) fn deepest(error: &reqwest::Error) -> String {
    chain(error)
        .last()
        .map_or_else(|| error.to_string(), ToString::to_string)
}

fn io_kind(error: &reqwest::Error) -> Option<io::ErrorKind> {
    find::<io::Error>(error).map(io::Error::kind)
}

fn find<E: Error + 'static>(error: &reqwest::Error) -> Option<&E> {
    chain(error).filter_map(|cause| cause.downcast_ref()).last()
}

fn find_tls(error: &reqwest::Error) -> Option<&rustls::Error> {
    // An I/O error hands on the source of what it wraps, not what it wraps; and here one wraps another.
    let mut wrapped = find::<io::Error>(error)?.get_ref()?;
    while let Some(inner) = wrapped.downcast_ref::<io::Error>() {
        wrapped = inner.get_ref()?;
    }
    wrapped.downcast_ref()
}

fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause: &&(dyn Error + 'static)| (*cause).source())
}
