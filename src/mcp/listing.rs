//! A list of the server, such as `tools/list`: all pages, within a bound.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{findings::Findings, jsonrpc::Payload, quote::quoted};
use crate::model::{Fault, FaultKind, Finding, Phase};

/// Most pages that are asked for.
const MAX_PAGES: usize = 1000;
/// Most items that are kept.
const MAX_ITEMS: usize = 10_000;
/// The longest name and the longest cursor, in bytes. Names "SHOULD be between 1 and 128 characters" (2025-11-25,
/// server/tools); cursors are opaque, and a page number, a key or a signed token is far shorter.
const MAX_NAME: usize = 4 * 1024;
const MAX_CURSOR: usize = 64 * 1024;
/// Most bytes of all names and cursors together.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Most bytes of all items together, where they are kept whole: what one message may weigh by default.
const MAX_WHOLE_BYTES: usize = 16 * 1024 * 1024;

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

/// What can be listed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ListKind {
    /// The method that lists it.
    pub(super) method: &'static str,
    /// The member of the answer that holds the list.
    pub(super) member: &'static str,
    /// The member of an item that names it.
    pub(super) key: &'static str,
    /// What one item is called.
    pub(super) item: &'static str,
    /// What is being done when it is asked for.
    pub(super) phase: Phase,
    /// The remarks about an item without a name, and about a name that stands twice.
    unnamed: &'static str,
    duplicate: &'static str,
}

/// `tools/list`.
pub(super) const TOOLS: ListKind = ListKind {
    method: "tools/list",
    member: "tools",
    key: "name",
    item: "tool",
    phase: Phase::ListTools,
    unnamed: "unnamed-tool",
    duplicate: "duplicate-tool",
};

/// `resources/list`.
pub(super) const RESOURCES: ListKind = ListKind {
    method: "resources/list",
    member: "resources",
    key: "uri",
    item: "resource",
    phase: Phase::List,
    unnamed: "unnamed-resource",
    duplicate: "duplicate-resource",
};

/// `resources/templates/list`.
pub(super) const RESOURCE_TEMPLATES: ListKind = ListKind {
    method: "resources/templates/list",
    member: "resourceTemplates",
    key: "uriTemplate",
    item: "resource template",
    phase: Phase::List,
    unnamed: "unnamed-resource-template",
    duplicate: "duplicate-resource-template",
};

/// `prompts/list`.
pub(super) const PROMPTS: ListKind = ListKind {
    method: "prompts/list",
    member: "prompts",
    key: "name",
    item: "prompt",
    phase: Phase::List,
    unnamed: "unnamed-prompt",
    duplicate: "duplicate-prompt",
};

/// How much of an item is kept.
pub(super) trait Keep: Sized {
    /// Most bytes of everything that is kept together, and what they are called.
    const BOUND: (usize, &'static str);

    /// What is kept of an item, if it is of use, and its bytes.
    fn of(item: Value, name: Option<&str>) -> Option<(Self, usize)>;
}

impl Keep for String {
    const BOUND: (usize, &'static str) = (MAX_BYTES, "names and cursors");

    fn of(_: Value, name: Option<&str>) -> Option<(Self, usize)> {
        name.map(|name| (name.to_owned(), name.len()))
    }
}

impl Keep for Value {
    const BOUND: (usize, &'static str) = (MAX_WHOLE_BYTES, "items and cursors");

    fn of(item: Value, _: Option<&str>) -> Option<(Self, usize)> {
        let bytes = item.to_string().len();
        Some((item, bytes))
    }
}

/// The list as far as it has been read.
#[derive(Debug)]
pub(super) struct Listing<T> {
    kind: &'static ListKind,
    kept: Vec<T>,
    cursor: Option<Value>,
    cursors: HashSet<String>,
    names: HashSet<String>,
    repeated: Vec<String>,
    bytes: usize,
}

impl<T: Keep> Listing<T> {
    /// Nothing read yet.
    pub(super) fn of(kind: &'static ListKind) -> Self {
        Self {
            kind,
            kept: Vec::new(),
            cursor: None,
            cursors: HashSet::new(),
            names: HashSet::new(),
            repeated: Vec::new(),
            bytes: 0,
        }
    }

    /// The cursor of the next page; none before the first.
    pub(super) fn cursor(&self) -> Option<&Value> {
        self.cursor.as_ref()
    }

    /// Takes one page; tells whether there is another.
    pub(super) fn take(&mut self, payload: Payload, findings: &Findings) -> Result<bool, Fault> {
        let (method, member) = (self.kind.method, self.kind.member);
        let mut page = match payload {
            Payload::Result(page) => page,
            Payload::Error(error) => {
                let message = format!(
                    "the server refused `{method}`: {} (code {})",
                    quoted(&error.message),
                    error.code
                );
                return Err(Fault::server(FaultKind::Refused, self.kind.phase, message));
            }
            Payload::Malformed(why) => return Err(self.garbled(why)),
        };
        let Some(Value::Array(items)) = page.get_mut(member).map(Value::take) else {
            return Err(self.garbled(format!(
                "the answer to `{method}` has no list `{member}`: {}",
                quoted(&page.to_string())
            )));
        };
        for item in items {
            self.keep(item, findings)?;
            if self.kept.len() > MAX_ITEMS {
                return Err(self.too_many(&format!("more than {MAX_ITEMS} {}s", self.kind.item)));
            }
        }
        self.turn(page.get("nextCursor"), findings)
    }

    /// What was kept, in the server's order; an item that is listed twice stays so, with a remark.
    pub(super) fn finish(self, findings: &Findings) -> Vec<T> {
        let ListKind {
            item, key, duplicate, ..
        } = self.kind;
        for name in &self.repeated {
            let message = format!("the {item} {key} {} is listed more than once (duplicate)", quoted(name));
            findings.note(Finding::new(duplicate, message));
        }
        self.kept
    }

    fn keep(&mut self, item: Value, findings: &Findings) -> Result<(), Fault> {
        let kind = self.kind;
        let name = item.get(kind.key).and_then(Value::as_str).map(str::to_owned);
        if let Some(name) = &name {
            self.refuse_longer(name.len(), MAX_NAME, &format!("{} {}", kind.item, kind.key))?;
            if !self.names.insert(name.clone()) && !self.repeated.contains(name) {
                self.repeated.push(name.clone());
            }
        } else {
            let ListKind {
                method,
                key,
                item: word,
                ..
            } = kind;
            let message = format!("`{method}` has a {word} without a {key}: {}", quoted(&item.to_string()));
            findings.note_first(Finding::new(kind.unnamed, message));
        }
        if let Some((kept, bytes)) = T::of(item, name.as_deref()) {
            self.make_room(bytes)?;
            self.kept.push(kept);
        }
        Ok(())
    }

    fn turn(&mut self, next: Option<&Value>, findings: &Findings) -> Result<bool, Fault> {
        let method = self.kind.method;
        // An empty text is a cursor like any other (2025-11-25, server/utilities/pagination).
        let Some(next) = next.filter(|next| !next.is_null()) else {
            return Ok(false);
        };
        if !next.is_string() {
            let message = format!(
                "`nextCursor` of `{method}` is not a text: {}",
                quoted(&next.to_string())
            );
            findings.note(Finding::new("cursor-type", message));
        }
        let text = next.to_string();
        self.refuse_longer(text.len(), MAX_CURSOR, "cursor")?;
        self.make_room(text.len())?;
        if self.cursors.contains(&text) {
            let message = format!("`{method}` gave the cursor {} twice; stopped there", quoted(&text));
            findings.note(Finding::new("cursor-loop", message));
            return Ok(false);
        }
        self.cursors.insert(text);
        if self.cursors.len() >= MAX_PAGES {
            return Err(self.too_many(&format!("more than {MAX_PAGES} pages")));
        }
        self.cursor = Some(next.clone());
        Ok(true)
    }

    fn refuse_longer(&self, bytes: usize, limit: usize, what: &str) -> Result<(), Fault> {
        if bytes > limit {
            return Err(self.too_many(&format!("a {what} of {bytes} bytes")));
        }
        Ok(())
    }

    fn make_room(&mut self, bytes: usize) -> Result<(), Fault> {
        let (most, what) = T::BOUND;
        self.bytes += bytes;
        if self.bytes > most {
            return Err(self.too_many(&format!("more than {most} bytes of {what}")));
        }
        Ok(())
    }

    fn garbled(&self, message: String) -> Fault {
        Fault::server(FaultKind::Garbled, self.kind.phase, message)
    }

    fn too_many(&self, what: &str) -> Fault {
        let message = format!("`{}` has {what}, which is over our limit", self.kind.method);
        Fault::server(FaultKind::TooLarge, self.kind.phase, message)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tools() -> Listing<String> {
        Listing::of(&TOOLS)
    }

    fn take(list: &mut Listing<String>, findings: &Findings, page: Value) -> Result<bool, Fault> {
        list.take(Payload::Result(page), findings)
    }

    #[test]
    fn follows_cursors_unchanged_also_an_empty_one() {
        let (mut list, findings) = (tools(), Findings::default());
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
        let (mut list, findings) = (tools(), Findings::default());
        let page = json!({"tools": [{"name": "a"}], "nextCursor": "1"});
        assert!(take(&mut list, &findings, page.clone()).unwrap());
        assert!(!take(&mut list, &findings, page).unwrap());
        assert_eq!(findings.list()[0].code, "cursor-loop");
    }

    #[test]
    fn pages_are_bounded() {
        let (mut list, findings) = (tools(), Findings::default());
        let mut page = |n: usize| take(&mut list, &findings, json!({"tools": [], "nextCursor": n.to_string()}));
        let refusal = (0..=MAX_PAGES).map(&mut page).find(Result::is_err);
        assert_eq!(refusal.unwrap().unwrap_err().kind, FaultKind::TooLarge);
    }

    #[test]
    fn names_and_cursors_are_bounded_each_and_together() {
        let refusal = |page: Value| {
            let taken = take(&mut tools(), &Findings::default(), page);
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
        let (mut list, findings) = (tools(), Findings::default());
        let tools = json!({"tools": [{"name": "echo"}, {"name": "echo"}, {"name": "echo"}, {"name": "Echo"}, {}]});
        take(&mut list, &findings, tools).unwrap();
        assert_eq!(list.finish(&findings).len(), 4);
        let codes: Vec<_> = findings.list().into_iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["unnamed-tool", "duplicate-tool"]);
    }

    #[test]
    fn a_page_that_is_none_is_garbled() {
        let (mut list, findings) = (tools(), Findings::default());
        assert_eq!(
            take(&mut list, &findings, json!({})).unwrap_err().kind,
            FaultKind::Garbled
        );
        assert_eq!(
            take(&mut list, &findings, json!(null)).unwrap_err().kind,
            FaultKind::Garbled
        );
    }

    #[test]
    fn whole_items_are_kept_as_they_came_and_bounded_together() {
        let (mut list, findings) = (Listing::<Value>::of(&RESOURCES), Findings::default());
        let items = json!([{"uri": "a://", "x": {"b": 1, "a": [null]}}, {"name": "no uri"}]);
        let page = Payload::Result(json!({"resources": items.clone()}));
        assert!(!list.take(page, &findings).unwrap());
        assert_eq!(Value::from(list.finish(&findings)), items);
        assert_eq!(findings.list()[0].code, "unnamed-resource");
        let mut list = Listing::<Value>::of(&PROMPTS);
        let page = Payload::Result(json!({"prompts": [{"name": "a", "description": "d".repeat(MAX_WHOLE_BYTES)}]}));
        let fault = list.take(page, &Findings::default()).unwrap_err();
        assert_eq!(fault.kind, FaultKind::TooLarge);
        assert!(
            fault.message.starts_with("`prompts/list` has more than"),
            "{}",
            fault.message
        );
    }
}
