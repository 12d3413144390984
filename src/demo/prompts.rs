//! The one prompt: a note, and the request to sum it up.

use rmcp::{
    ErrorData,
    handler::server::wrapper::Parameters,
    model::{PromptMessage, Role},
    prompt, prompt_router, schemars,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::DemoServer;

/// Which note is to be summed up.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Subject {
    /// Id of the note, such as `n_1`.
    id: String,
}

#[prompt_router(vis = "pub(super)")]
impl DemoServer {
    /// Asks for a summary of one note.
    #[prompt]
    async fn summarize_note(
        &self,
        Parameters(Subject { id }): Parameters<Subject>,
    ) -> Result<Vec<PromptMessage>, ErrorData> {
        let note = self
            .notebook
            .find(&id)
            .map_err(|message| ErrorData::invalid_params(message, None))?;
        let text = format!("Sum this note up in one sentence.\n\n# {}\n\n{}", note.title, note.body);
        Ok(vec![PromptMessage::new_text(Role::User, text)])
    }
}
