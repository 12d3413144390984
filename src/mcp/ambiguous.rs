//! Messages that have a key more than once: what comes of them, since each reader takes another value.

use std::time::Instant;

use serde_json::Value;

use super::{inbox::Switchboard, jsonrpc::Payload, quote::quoted};
use crate::model::Finding;

impl Switchboard {
    /// An answer that others may read as another one, perhaps to another request: no request may pass because of it.
    pub(super) fn ambiguous<'i>(&self, key: &str, ids: impl Iterator<Item = &'i Value>, received: Instant) {
        let why = format!("the key {} stands in it more than once", quoted(key));
        ids.for_each(|id| self.response(id, Payload::Malformed(why.clone()), received));
    }

    /// A remark on a message that has a key more than once.
    pub(super) fn repeated(&self, key: &str) {
        let message = format!(
            "a message of the server has the key {} more than once in one object; clients differ in which one they read",
            quoted(key)
        );
        self.findings.note_first(Finding::new("repeated-key", message));
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use serde_json::json;
    use tokio::sync::mpsc;

    use super::{
        super::{pending::Delivery, transport::Inbox as _},
        *,
    };

    fn board() -> Switchboard {
        Switchboard::new(mpsc::channel(1).0, None, "stdout")
    }

    fn codes(board: &Switchboard) -> Vec<Cow<'static, str>> {
        board.findings.list().into_iter().map(|finding| finding.code).collect()
    }

    #[tokio::test]
    async fn an_answer_that_has_a_key_twice_is_malformed() {
        for (text, ids) in [
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{"isError":true,"isError":false}}"#,
                vec![1],
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":1},"result":1,"error":null}"#,
                vec![1],
            ),
            (r#"{"jsonrpc":"2.0","id":1,"id":"2","result":1}"#, vec![1, 2]),
            (r#"[{"jsonrpc":"2.0","id":2,"result":1,"result":2}]"#, vec![2]),
            (r#"{"jsonrpc":"2.0","id":2,"result":1,"result":2} done"#, vec![2]),
        ] {
            let board = board();
            let mut tickets = [(); 2].map(|()| board.pending.open("tools/call").unwrap());
            board.frame(text, Instant::now());
            for id in ids {
                let Delivery::Answer {
                    payload: Payload::Malformed(why),
                    ..
                } = tickets[id - 1].delivery().await
                else {
                    panic!("not malformed: {text}")
                };
                assert!(why.ends_with("stands in it more than once"), "{why}");
            }
            assert!(codes(&board).contains(&"repeated-key".into()), "{text}");
        }
    }

    #[tokio::test]
    async fn a_key_twice_further_inside_is_a_remark_and_none_in_what_is_no_message() {
        let board = board();
        let mut ticket = board.pending.open("tools/call").unwrap();
        board.frame(r#"{"level":30,"level":40}"#, Instant::now());
        assert_eq!(codes(&board), ["stdout-noise"]);
        board.frame(
            r#"{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"a":1,"a":2}}}"#,
            Instant::now(),
        );
        board.frame(r#"{"jsonrpc":"2.0","method":"x","method":"y"}"#, Instant::now());
        let delivery = ticket.delivery().await;
        let expected = json!({"structuredContent": {"a": 2}});
        assert!(
            matches!(&delivery, Delivery::Answer { payload: Payload::Result(value), .. } if *value == expected),
            "{delivery:?}"
        );
        let found = board.findings.list().pop().unwrap();
        assert_eq!(found.code, "repeated-key");
        assert!(found.message.contains("the key `a` more than once"), "{found:?}");
    }
}
