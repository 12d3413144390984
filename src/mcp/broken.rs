//! The id of an answer that is no valid JSON, so that its request can end at once instead of running into its limit.

/// Finds the `id` of the outermost object as far as its text can be followed; not in what looks like a request.
pub(super) fn id_of_answer(text: &str) -> Option<u64> {
    let mut depth = 0_u32;
    let mut key = "";
    let mut id = None;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '[', ']', '"', ':', ',']) {
        let (before, mark) = (rest[..at].trim(), rest.as_bytes()[at]);
        rest = &rest[at + 1..];
        match mark {
            b'"' => {
                let string = &rest[..string_length(rest)?];
                rest = &rest[string.len() + 1..];
                if depth == 1 && rest.trim_start().starts_with(':') {
                    key = string;
                } else if depth == 1 && key == "id" {
                    id = id.or(string.parse().ok());
                }
                if depth == 1 && key == "method" {
                    return None;
                }
            }
            b',' | b'}' if depth == 1 && key == "id" => id = id.or(before.parse().ok()),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    id
}

/// Length of a JSON string up to its closing quote.
fn string_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_id_wherever_it_stands() {
        assert_eq!(
            id_of_answer(r#"{"jsonrpc":"2.0","id":3,"result":{"id":9,"x":NaN}}"#),
            Some(3)
        );
        assert_eq!(
            id_of_answer(r#"{"result":{"id":9,"x":["\"id\":8",NaN]}, "id" : 3}"#),
            Some(3)
        );
        assert_eq!(id_of_answer(r#"{"id":"3","result":{"x":Infinity}}"#), Some(3));
    }

    #[test]
    fn finds_none_where_there_is_none() {
        assert_eq!(id_of_answer(r#"{"id":3,"method":"x","params":NaN}"#), None);
        assert_eq!(id_of_answer(r#"{"result":{"id":9,"x":"cut"#), None);
        assert_eq!(id_of_answer(r#"{"id":null,"result":NaN}"#), None);
        assert_eq!(id_of_answer("plain text, id: 4"), None);
    }
}
