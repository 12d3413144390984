//! The server itself: its tools, prompts and resources put together.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    handler::server::router::{prompt::PromptRouter, tool::ToolRouter},
    model::{
        Implementation, ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams,
        ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
    },
    prompt_handler,
    service::RequestContext,
    tool_handler,
};

use super::{notes::Notebook, resources};

/// A calculator and a notebook in memory. Clones share the notebook.
#[derive(Clone)]
pub(super) struct DemoServer {
    pub(super) notebook: Arc<Notebook>,
    // Behind an `Arc` because HTTP clones the server for every session.
    tools: Arc<ToolRouter<Self>>,
    prompts: Arc<PromptRouter<Self>>,
}

impl DemoServer {
    /// A server with an empty notebook.
    pub fn new() -> Self {
        Self {
            notebook: Arc::default(),
            tools: Arc::new(Self::calculator() + Self::content() + Self::note_tools() + Self::trouble()),
            prompts: Arc::new(Self::prompt_router()),
        }
    }
}

impl Default for DemoServer {
    fn default() -> Self {
        Self::new()
    }
}

#[tool_handler(router = self.tools)]
#[prompt_handler(router = self.prompts)]
impl ServerHandler for DemoServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("mcpvals-demo", env!("CARGO_PKG_VERSION")))
            .with_instructions("A calculator and a notebook to try fixtures on. Notes are kept in memory.")
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(resources::list(&self.notebook))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&self.notebook, &request.uri).map(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use rmcp::ServiceExt;
    use serde_json::{Value, json};
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

    use super::*;

    /// The client's end of a connection, one JSON message a line.
    struct Wire {
        lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
        writer: WriteHalf<DuplexStream>,
    }

    impl Wire {
        async fn open() -> Self {
            let (ours, theirs) = tokio::io::duplex(1 << 16);
            tokio::spawn(async move {
                let service = DemoServer::new().serve(theirs).await.expect("the handshake is ours");
                service.waiting().await
            });
            let (reader, writer) = tokio::io::split(ours);
            let lines = BufReader::new(reader).lines();
            let mut wire = Self { lines, writer };
            let client = json!({ "name": "test", "version": "0" });
            let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
            wire.ask("initialize", hello).await;
            wire.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
                .await;
            wire
        }

        async fn send(&mut self, message: &Value) {
            let line = format!("{message}\n");
            self.writer.write_all(line.as_bytes()).await.expect("the server reads");
        }

        async fn ask(&mut self, method: &str, params: Value) -> Value {
            self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
                .await;
            let line = self.lines.next_line().await.expect("the server writes");
            serde_json::from_str(&line.expect("the server is there")).expect("JSON")
        }

        async fn call(&mut self, tool: &str, arguments: Value) -> Value {
            self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
                .await
        }
    }

    #[tokio::test]
    async fn every_tool_is_described_and_notes_declare_their_output() {
        let listed = Wire::open().await.ask("tools/list", json!({})).await;
        let tools = listed["result"]["tools"].as_array().expect("a list").clone();
        assert_eq!(tools.len(), 14);
        assert!(tools.iter().all(|tool| tool["description"].is_string()));
        let with_output = tools.iter().filter(|tool| tool["outputSchema"].is_object());
        assert_eq!(with_output.count(), 5);
    }

    #[tokio::test]
    async fn errors_come_in_both_shapes() {
        let mut wire = Wire::open().await;
        let divided = wire.call("divide", json!({ "a": 1, "b": 0 })).await;
        assert_eq!(divided["result"]["isError"], true);
        let unknown = wire.call("no_such_tool", json!({})).await;
        assert_eq!(unknown["error"]["code"], -32602);
    }

    #[tokio::test]
    async fn a_note_is_a_tool_result_a_resource_and_a_prompt() {
        let mut wire = Wire::open().await;
        let created = wire
            .call("create_note", json!({ "title": "Milk", "body": "two bottles" }))
            .await;
        assert_eq!(created["result"]["structuredContent"]["id"], "n_1");
        let resources = wire.ask("resources/list", json!({})).await;
        assert_eq!(resources["result"]["resources"][0]["uri"], "notes://n_1");
        let read = wire.ask("resources/read", json!({ "uri": "notes://n_1" })).await;
        assert_eq!(read["result"]["contents"][0]["text"], "# Milk\n\ntwo bottles\n");
        let prompt = json!({ "name": "summarize_note", "arguments": { "id": "n_1" } });
        let prompt = wire.ask("prompts/get", prompt).await;
        let text = &prompt["result"]["messages"][0]["content"]["text"];
        assert!(
            text.as_str()
                .is_some_and(|text| text.ends_with("# Milk\n\ntwo bottles"))
        );
        let gone = wire.ask("resources/read", json!({ "uri": "notes://n_2" })).await;
        assert_eq!(gone["error"]["code"], -32002);
    }
}
