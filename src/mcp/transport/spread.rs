//! A message that stands on several lines, put together again.

/// Most lines that are taken for one message.
const MAX_LINES: usize = 100_000;

/// A JSON object or array of which the end has not come yet.
#[derive(Debug)]
pub(super) struct Spread {
    text: String,
    lines: usize,
    depth: usize,
}

/// What a line makes of it.
#[derive(Debug)]
pub(super) enum Step {
    /// More lines must come.
    More(Spread),
    /// The outermost bracket is closed.
    Complete(String),
}

impl Spread {
    /// Begins with `line`, if it can be the first line of JSON: a brace with a name or nothing behind it, or a bracket
    /// alone.
    pub(super) fn start(line: &str) -> Option<Step> {
        let trimmed = line.trim();
        let rest = trimmed.strip_prefix('{').map(str::trim_start);
        if !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('"')) && trimmed != "[" {
            return None;
        }
        Self {
            text: String::new(),
            lines: 0,
            depth: 0,
        }
        .add(line)
        .ok()
    }

    /// Adds a line; gives the text back if no JSON can come of it.
    pub(super) fn add(mut self, line: &str) -> Result<Step, String> {
        if self.lines > 0 {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.lines += 1;
        match depth_after(line, self.depth) {
            Some(0) => Ok(Step::Complete(self.text)),
            Some(depth) if self.lines < MAX_LINES => Ok(Step::More(Self { depth, ..self })),
            _ => Err(self.text),
        }
    }

    /// What has come so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// What has come so far, as noise.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// How many brackets are open after a line; none if a string is still open, which JSON does not allow. Stops at the
/// bracket that closes the outermost one: what stands behind it is for the reader of the message.
fn depth_after(line: &str, mut depth: usize) -> Option<usize> {
    let (mut is_string, mut is_escaped) = (false, false);
    for byte in line.bytes() {
        if is_string {
            is_string = byte != b'"' || is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            continue;
        }
        match byte {
            b'"' => is_string = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return Some(0),
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    (!is_string).then_some(depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_brackets_outside_strings() {
        assert_eq!(depth_after(r#"{"a": [{"#, 0), Some(3));
        assert_eq!(depth_after(r#""} \" ]", "\\"]"#, 3), Some(2));
        assert_eq!(depth_after("}", 1), Some(0));
        assert_eq!(depth_after(r#""open"#, 1), None);
    }

    #[test]
    fn starts_only_with_what_can_be_json() {
        for line in ["{", " {  ", "{\"a\": 1,", "["] {
            assert!(matches!(Spread::start(line), Some(Step::More(_))), "{line}");
        }
        for line in ["{starting", "[INFO] x", "[1,", "{\"cut", "text"] {
            assert!(Spread::start(line).is_none(), "{line}");
        }
    }
}
