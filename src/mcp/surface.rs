//! The surface of the server: what it declares, as it really sent it.

use serde_json::Value;

use super::{
    Limit, Session,
    listing::{ListKind, PROMPTS, RESOURCE_TEMPLATES, RESOURCES, TOOLS},
};
use crate::model::{Fault, Missing, Surface};

impl Session {
    /// Everything the server declares: what it said in the handshake, and its lists with all pages. Tools are always
    /// asked for, the rest where the capabilities announce it; a list that cannot be had is [`Missing`]. Fails where the
    /// connection is gone afterwards, since then nothing of it can be relied on.
    pub async fn surface(&self, limit: impl Into<Limit>) -> Result<Surface, Fault> {
        let limit = limit.into();
        let greeting = self.greeting();
        let mut surface = Surface {
            protocol: greeting.identity.protocol.clone(),
            server: greeting.server.clone(),
            capabilities: greeting.capabilities.clone(),
            instructions: greeting.instructions.clone(),
            ..Surface::default()
        };
        let announces_resources = greeting.has("resources");
        let lists: [(&'static ListKind, bool, &mut Vec<Value>); 4] = [
            (&TOOLS, true, &mut surface.tools),
            (&RESOURCES, announces_resources, &mut surface.resources),
            (
                &RESOURCE_TEMPLATES,
                announces_resources,
                &mut surface.resource_templates,
            ),
            (&PROMPTS, greeting.has("prompts"), &mut surface.prompts),
        ];
        for (kind, is_wanted, items) in lists {
            if !is_wanted {
                continue;
            }
            match self.list(kind, limit).await {
                Ok(all) => *items = all,
                Err(fault) if !self.is_open() => return Err(fault),
                // Nobody promised tools.
                Err(_) if *kind == TOOLS && !greeting.has("tools") => {}
                Err(fault) => surface.missing.push(Missing {
                    method: kind.method.to_owned(),
                    reason: fault.message,
                }),
            }
        }
        Ok(surface)
    }
}
