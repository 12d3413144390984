//! Tools that return one kind of content each: text as it came, and a picture.

use rmcp::{
    handler::server::wrapper::Parameters,
    model::{CallToolResult, ContentBlock},
    schemars, tool, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::DemoServer;

/// Three bars, 12 by 8 pixels: a PNG small enough to stand in a source file, as base64.
const BARS: &str = "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAMAAAD6Ou7DAAAABlBMVEX///8ibr65rJlSAAAAGklEQVR42mNggAJGRkYGBgwOiEGAA2Pg5wAACJMANP9rtEgAAAAASUVORK5CYII=";

/// What is to be said again.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Words {
    /// Any text.
    text: String,
}

#[tool_router(router = content, vis = "pub(super)")]
impl DemoServer {
    /// Returns the text it is given.
    #[tool(annotations(read_only_hint = true))]
    async fn echo(&self, Parameters(Words { text }): Parameters<Words>) -> String {
        text
    }

    /// Returns a sample bar chart as a tiny PNG, with a caption.
    #[tool(annotations(read_only_hint = true))]
    async fn chart(&self) -> CallToolResult {
        CallToolResult::success(vec![
            ContentBlock::text("three bars: 3, 6, 8"),
            ContentBlock::image(BARS, "image/png"),
        ])
    }
}
