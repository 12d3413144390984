//! Notes as resources: one a note, and the template they follow.

use rmcp::{
    ErrorData,
    model::{
        ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
        ResourceTemplate,
    },
};

use super::notes::{Note, Notebook};

const SCHEME: &str = "notes://";
const MIME_TYPE: &str = "text/markdown";

/// Every note as a resource.
pub(super) fn list(notebook: &Notebook) -> ListResourcesResult {
    ListResourcesResult::with_all_items(notebook.search("").iter().map(resource).collect())
}

/// The one template there is.
pub(super) fn templates() -> ListResourceTemplatesResult {
    let template = ResourceTemplate::new(format!("{SCHEME}{{id}}"), "note")
        .with_description("One note, by its id.")
        .with_mime_type(MIME_TYPE);
    ListResourceTemplatesResult::with_all_items(vec![template])
}

/// The note behind a URI, as Markdown.
pub(super) fn read(notebook: &Notebook, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let missing = || ErrorData::resource_not_found(format!("no resource at `{uri}`"), None);
    let id = uri.strip_prefix(SCHEME).ok_or_else(missing)?;
    let note = notebook
        .find(id)
        .map_err(|message| ErrorData::resource_not_found(message, None))?;
    let text = format!("# {}\n\n{}\n", note.title, note.body);
    let contents = ResourceContents::text(text, uri).with_mime_type(MIME_TYPE);
    Ok(ReadResourceResult::new(vec![contents]))
}

fn resource(note: &Note) -> Resource {
    Resource::new(format!("{SCHEME}{}", note.id), note.title.as_str()).with_mime_type(MIME_TYPE)
}
