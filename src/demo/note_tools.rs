//! The notebook's tools: structured results with a declared output schema.

use rmcp::{Json, handler::server::wrapper::Parameters, schemars, tool, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DemoServer, notes::Note};

/// A note to write.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Draft {
    /// First line.
    title: String,
    /// Everything else.
    #[serde(default)]
    body: String,
}

/// Which note is meant.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct NoteId {
    /// Id of the note, such as `n_1`.
    id: String,
}

/// What is looked for.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Query {
    /// Words that stand in title or body.
    query: String,
}

/// Some notes.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Notes {
    /// How many there are.
    count: usize,
    /// The notes, oldest first.
    notes: Vec<Note>,
}

impl From<Vec<Note>> for Notes {
    fn from(notes: Vec<Note>) -> Self {
        let count = notes.len();
        Self { count, notes }
    }
}

#[tool_router(router = note_tools, vis = "pub(super)")]
impl DemoServer {
    /// Writes a note and returns it with its id.
    #[tool(annotations(destructive_hint = false))]
    async fn create_note(&self, Parameters(draft): Parameters<Draft>) -> Result<Json<Note>, String> {
        self.notebook.create(draft.title, draft.body).map(Json)
    }

    /// Returns one note.
    #[tool(annotations(read_only_hint = true))]
    async fn get_note(&self, Parameters(NoteId { id }): Parameters<NoteId>) -> Result<Json<Note>, String> {
        self.notebook.find(&id).map(Json)
    }

    /// Returns all notes, oldest first.
    #[tool(annotations(read_only_hint = true))]
    async fn list_notes(&self) -> Json<Notes> {
        Json(self.notebook.search("").into())
    }

    /// Returns the notes with these words in title or body, whatever the case.
    #[tool(annotations(read_only_hint = true))]
    async fn search_notes(&self, Parameters(Query { query }): Parameters<Query>) -> Json<Notes> {
        Json(self.notebook.search(&query).into())
    }

    /// Deletes a note and returns it a last time.
    #[tool(annotations(destructive_hint = true))]
    async fn delete_note(&self, Parameters(NoteId { id }): Parameters<NoteId>) -> Result<Json<Note>, String> {
        self.notebook.delete(&id).map(Json)
    }
}
