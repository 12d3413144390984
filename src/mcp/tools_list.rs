//! `tools/list`, all pages, within a bound.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{findings::Findings, jsonrpc::Payload, quote::quoted};
use crate::model::{Fault, FaultKind, Finding, Phase};

/// Most pages that are asked for.
const MAX_PAGES: usize = 1000;
/// Most tools that are kept.
const MAX_TOOLS: usize = 10_000;
/// The longest name and the longest cursor, in bytes. Names "SHOULD be between 1 and 128 characters" (2025-11-25,
/// server/tools); cursors are opaque, and a page number, a key or a signed token is far shorter.
const MAX_NAME: usize = 4 * 1024;
const MAX_CURSOR: usize = 64 * 1024;
/// Most bytes of all names and cursors together.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The parameters of one page's request.
#[derive(Debug, Serialize)]
pub(super) struct PageParams<'a> {
    /// The cursor of the page before, exactly as it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cursor: Option<&'a Value>,
    /// What every request of the era carries.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(super) meta: Option<&'a Map<String, Value>>,
}

/// The list as far as it has been read.
#[derive(Debug, Default)]
pub(super) struct ToolList {
    names: Vec<String>,
    cursor: Option<Value>,
    cursors: HashSet<String>,
    bytes: usize,
}

impl ToolList {
    /// The cursor of the next page; none before the first.
    pub(super) fn cursor(&self) -> Option<&Value> {
        self.cursor.as_ref()
    }

    /// Takes one page; tells whether there is another.
    pub(super) fn take(&mut self, payload: Payload, findings: &Findings) -> Result<bool, Fault> {
        let page = match payload {
            Payload::Result(page) => page,
            Payload::Error(error) => {
                let message = format!(
                    "the server refused `tools/list`: {} (code {})",
                    quoted(&error.message),
                    error.code
                );
                return Err(Fault::server(FaultKind::Refused, Phase::ListTools, message));
            }
            Payload::Malformed(why) => return Err(garbled(why)),
        };
        let Some(Value::Array(tools)) = page.get("tools") else {
            return Err(garbled(format!(
                "the answer to `tools/list` has no list `tools`: {}",
                quoted(&page.to_string())
            )));
        };
        for tool in tools {
            match tool.get("name").and_then(Value::as_str) {
                Some(name) => {
                    self.make_room(name.len(), MAX_NAME, "tool name")?;
                    self.names.push(name.to_owned());
                }
                None => findings.note_first(Finding::new(
                    "unnamed-tool",
                    format!("`tools/list` has a tool without a name: {}", quoted(&tool.to_string())),
                )),
            }
        }
        if self.names.len() > MAX_TOOLS {
            return Err(too_many(&format!("more than {MAX_TOOLS} tools")));
        }
        self.turn(page.get("nextCursor"), findings)
    }

    /// The names, in the server's order; a name that is listed twice stays so, with a remark.
    pub(super) fn finish(self, findings: &Findings) -> Vec<String> {
        let mut seen = HashSet::new();
        let mut told = HashSet::new();
        for name in &self.names {
            if !seen.insert(name) && told.insert(name) {
                let message = format!("the tool name {} is listed more than once (duplicate)", quoted(name));
                findings.note(Finding::new("duplicate-tool", message));
            }
        }
        self.names
    }

    fn turn(&mut self, next: Option<&Value>, findings: &Findings) -> Result<bool, Fault> {
        // An empty text is a cursor like any other (2025-11-25, server/utilities/pagination).
        let Some(next) = next.filter(|next| !next.is_null()) else {
            return Ok(false);
        };
        if !next.is_string() {
            let message = format!(
                "`nextCursor` of `tools/list` is not a text: {}",
                quoted(&next.to_string())
            );
            findings.note(Finding::new("cursor-type", message));
        }
        let text = next.to_string();
        self.make_room(text.len(), MAX_CURSOR, "cursor")?;
        if self.cursors.contains(&text) {
            let message = format!("`tools/list` gave the cursor {} twice; stopped there", quoted(&text));
            findings.note(Finding::new("cursor-loop", message));
            return Ok(false);
        }
        self.cursors.insert(text);
        if self.cursors.len() >= MAX_PAGES {
            return Err(too_many(&format!("more than {MAX_PAGES} pages")));
        }
        self.cursor = Some(next.clone());
        Ok(true)
    }

    fn make_room(&mut self, bytes: usize, limit: usize, what: &str) -> Result<(), Fault> {
        if bytes > limit {
            return Err(too_many(&format!("a {what} of {bytes} bytes")));
        }
        self.bytes += bytes;
        if self.bytes > MAX_BYTES {
            return Err(too_many(&format!("more than {MAX_BYTES} bytes of names and cursors")));
        }
        Ok(())
    }
}

fn garbled(message: String) -> Fault {
    Fault::server(FaultKind::Garbled, Phase::ListTools, message)
}

fn too_many(what: &str) -> Fault {
    Fault::server(
        FaultKind::TooLarge,
        Phase::ListTools,
        format!("`tools/list` has {what}, which is over our limit"),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn take(list: &mut ToolList, findings: &Findings, page: Value) -> Result<bool, Fault> {
        list.take(Payload::Result(page), findings)
    }

    #[test]
    fn follows_cursors_unchanged_also_an_empty_one() {
        let (mut list, findings) = (ToolList::default(), Findings::default());
        assert!(
            take(
                &mut list,
                &findings,
                json!({"tools": [{"name": "a"}], "nextCursor": ""})
            )
            .unwrap()
        );
        assert_eq!(list.cursor(), Some(&json!("")));
        assert!(
            take(
                &mut list,
                &findings,
                json!({"tools": [{"name": "b"}], "nextCursor": "x\u{0}="})
            )
            .unwrap()
        );
        assert_eq!(list.cursor(), Some(&json!("x\u{0}=")));
        assert!(
            !take(
                &mut list,
                &findings,
                json!({"tools": [{"name": "c"}], "nextCursor": null})
            )
            .unwrap()
        );
        assert_eq!(list.finish(&findings), ["a", "b", "c"]);
        assert!(findings.list().is_empty());
    }

    #[test]
    fn stops_at_a_cursor_that_comes_again() {
        let (mut list, findings) = (ToolList::default(), Findings::default());
        let page = json!({"tools": [{"name": "a"}], "nextCursor": "1"});
        assert!(take(&mut list, &findings, page.clone()).unwrap());
        assert!(!take(&mut list, &findings, page).unwrap());
        assert_eq!(findings.list()[0].code, "cursor-loop");
    }

    #[test]
    fn pages_are_bounded() {
        let (mut list, findings) = (ToolList::default(), Findings::default());
        let mut page = |n: usize| take(&mut list, &findings, json!({"tools": [], "nextCursor": n.to_string()}));
        let refusal = (0..=MAX_PAGES).map(&mut page).find(Result::is_err);
        assert_eq!(refusal.unwrap().unwrap_err().kind, FaultKind::TooLarge);
    }

    #[test]
    fn names_and_cursors_are_bounded_each_and_together() {
        let refusal = |page: Value| {
            let taken = take(&mut ToolList::default(), &Findings::default(), page);
            taken.err().map(|fault| (fault.kind, fault.message))
        };
        let named = |bytes: usize| json!({"tools": [{"name": "N".repeat(bytes)}]});
        let turned = |bytes: usize| json!({"tools": [], "nextCursor": "C".repeat(bytes)});
        assert_eq!(refusal(named(MAX_NAME)), None);
        let (kind, message) = refusal(named(MAX_NAME + 1)).unwrap();
        assert_eq!(kind, FaultKind::TooLarge);
        assert_eq!(
            message,
            "`tools/list` has a tool name of 4097 bytes, which is over our limit"
        );
        assert_eq!(refusal(turned(MAX_CURSOR - 2)), None);
        assert!(
            refusal(turned(MAX_CURSOR))
                .unwrap()
                .1
                .contains("a cursor of 65538 bytes")
        );
        let many = json!({"tools": vec![json!({"name": "N".repeat(MAX_NAME)}); 1025]});
        assert!(refusal(many).unwrap().1.contains("more than 4194304 bytes"));
    }

    #[test]
    fn says_that_a_name_stands_twice() {
        let (mut list, findings) = (ToolList::default(), Findings::default());
        let tools = json!({"tools": [{"name": "echo"}, {"name": "echo"}, {"name": "echo"}, {"name": "Echo"}, {}]});
        take(&mut list, &findings, tools).unwrap();
        assert_eq!(list.finish(&findings).len(), 4);
        let codes: Vec<_> = findings.list().iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["unnamed-tool", "duplicate-tool"]);
    }

    #[test]
    fn a_page_that_is_none_is_garbled() {
        let (mut list, findings) = (ToolList::default(), Findings::default());
        assert_eq!(
            take(&mut list, &findings, json!({})).unwrap_err().kind,
            FaultKind::Garbled
        );
        assert_eq!(
            take(&mut list, &findings, json!(null)).unwrap_err().kind,
            FaultKind::Garbled
        );
    }
}
