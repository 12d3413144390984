//! The `initialize` era: 2024-11-05 to 2025-11-25.

use serde_json::{Map, Value, json};

use super::{Era, Greeting};
use crate::{
    mcp::{
        answers,
        findings::Mark,
        jsonrpc::Payload,
        link::{Ask, Limit, Link, Trouble},
        quote::{self, quoted},
        transport::BoxFuture,
    },
    model::{Fault, FaultKind, Finding, Phase, ProtocolError, ServerIdentity},
};

/// The versions of this era, newest first: the first one is offered.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// Bytes that are kept of the server's name, and of its version.
const MAX_WORDS: usize = 512;

/// The era of the `initialize` handshake.
#[derive(Debug)]
pub(in crate::mcp) struct Legacy;

impl Era for Legacy {
    fn open<'a>(&'a self, link: &'a Link, limit: Limit) -> BoxFuture<'a, Result<Greeting, Fault>> {
        Box::pin(async move {
            let hello = initialize(link, limit).await?;
            let greeting = read(&hello, link).map_err(|fault| link.with_evidence(fault, Mark::default()))?;
            link.negotiated(&greeting.identity.protocol);
            link.notify("notifications/initialized", Phase::Initialize, limit)
                .await?;
            link.ready();
            Ok(greeting)
        })
    }
}

/// Offers the newest version. A server that refuses it with a list instead of naming another one (the specification
/// shows both) is asked once more, with one of its list.
async fn initialize(link: &Link, limit: Limit) -> Result<Value, Fault> {
    let error = match offer(link, limit, VERSIONS[0]).await? {
        Ok(hello) => return Ok(hello),
        Err(error) => error,
    };
    let Some(common) = common_version(&error) else {
        return Err(refused(link, &error));
    };
    link.board.findings.note(Finding::new(
        "version-refused",
        format!(
            "the server refused protocol version {} with an error ({}) instead of offering another; asked again with {common}",
            VERSIONS[0],
            quoted(&error.message)
        ),
    ));
    offer(link, limit, common).await?.map_err(|error| refused(link, &error))
}

async fn offer(link: &Link, limit: Limit, version: &str) -> Result<Result<Value, ProtocolError>, Fault> {
    let params = json!({
        "protocolVersion": version,
        "capabilities": answers::capabilities(version),
        "clientInfo": {"name": "mcpvals", "version": env!("CARGO_PKG_VERSION")},
    });
    let ask = Ask {
        phase: Phase::Initialize,
        method: "initialize",
        params: &params,
        limit,
        since: Mark::default(),
    };
    match link.request(ask).await {
        Ok(answered) => match answered.payload {
            Payload::Result(hello) => Ok(Ok(hello)),
            Payload::Error(error) => Ok(Err(error)),
            Payload::Malformed(why) => Err(Fault::server(FaultKind::Garbled, Phase::Initialize, why)),
        },
        Err(Trouble::Fault(fault)) => Err(fault),
        Err(Trouble::SessionLost) => {
            let message = "the server lost the session during the handshake";
            Err(link.with_evidence(
                Fault::server(FaultKind::Closed, Phase::Initialize, message),
                Mark::default(),
            ))
        }
    }
}

/// The newest version that we speak and the error lists as supported.
fn common_version(error: &ProtocolError) -> Option<&'static str> {
    let supported = error.data.as_ref()?.get("supported")?.as_array()?;
    VERSIONS
        .into_iter()
        .find(|version| supported.iter().any(|supported| supported == version))
}

fn refused(link: &Link, error: &ProtocolError) -> Fault {
    let data = error
        .data
        .as_ref()
        .map_or(String::new(), |data| format!(", data {}", quoted(&data.to_string())));
    let message = format!(
        "the server refused `initialize`: {} (code {}{data})",
        quoted(&error.message),
        error.code
    );
    link.with_evidence(
        Fault::server(FaultKind::Refused, Phase::Initialize, message).help(spoken()),
        Mark::default(),
    )
}

fn read(hello: &Value, link: &Link) -> Result<Greeting, Fault> {
    let garbled = |message: String| Fault::server(FaultKind::Garbled, Phase::Initialize, message);
    let version = match hello.get("protocolVersion") {
        Some(Value::String(version)) => version,
        Some(other) => {
            let other = quoted(&other.to_string());
            return Err(garbled(format!(
                "the answer to `initialize` has the `protocolVersion` {other}, not a text"
            )));
        }
        None => {
            return Err(garbled(
                "the answer to `initialize` has no `protocolVersion`".to_owned(),
            ));
        }
    };
    if !VERSIONS.contains(&version.as_str()) {
        let message = format!("the server wants to speak protocol version {}", quoted(version));
        return Err(Fault::server(FaultKind::Refused, Phase::Initialize, message).help(spoken()));
    }
    let said = |key| {
        hello
            .get("serverInfo")
            .and_then(|info| info.get(key))
            .and_then(Value::as_str)
    };
    if said("name").is_none() || said("version").is_none() {
        let message = "the answer to `initialize` lacks `serverInfo.name` or `serverInfo.version`";
        link.board.findings.note(Finding::new("server-info", message));
    }
    let identity = ServerIdentity {
        name: quote::start(said("name").unwrap_or("(unnamed)"), MAX_WORDS).into_owned(),
        version: quote::start(said("version").unwrap_or("(no version)"), MAX_WORDS).into_owned(),
        protocol: version.clone(),
    };
    let sent = |key| hello.get(key).cloned().unwrap_or_default();
    Ok(Greeting {
        identity,
        server: sent("serverInfo"),
        capabilities: match sent("capabilities") {
            Value::Object(capabilities) => capabilities,
            _ => Map::new(),
        },
        instructions: hello.get("instructions").and_then(Value::as_str).map(str::to_owned),
    })
}

fn spoken() -> String {
    format!("this tool speaks {}", VERSIONS.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(data: Value) -> ProtocolError {
        ProtocolError {
            code: -32602,
            message: "Unsupported protocol version".to_owned(),
            data: Some(data),
        }
    }

    #[test]
    fn picks_the_newest_common_version() {
        let list = json!({"supported": ["2024-11-05", "2025-06-18", "1999-01-01"]});
        assert_eq!(common_version(&error(list)), Some("2025-06-18"));
    }

    #[test]
    fn has_nothing_in_common_with_the_modern_era() {
        assert_eq!(common_version(&error(json!({"supported": ["2026-07-28"]}))), None);
        assert_eq!(common_version(&error(json!("2024-11-05"))), None);
        assert_eq!(common_version(&error(json!({"supported": "2024-11-05"}))), None);
    }
}
