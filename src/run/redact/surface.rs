//! Surfaces without secrets: a server may tell its models what it was told.

use super::Redactor;
use crate::model::Surface;

impl Redactor {
    /// A surface without secrets.
    pub fn surface(&self, mut surface: Surface) -> Surface {
        let lists = [
            &mut surface.tools,
            &mut surface.resources,
            &mut surface.resource_templates,
            &mut surface.prompts,
        ];
        for value in lists.into_iter().flatten().chain([&mut surface.server]) {
            self.value(value);
        }
        for value in surface.capabilities.values_mut() {
            self.value(value);
        }
        for text in surface.instructions.iter_mut().chain([&mut surface.protocol]) {
            self.clean(text);
        }
        for missing in &mut surface.missing {
            self.clean_composed(&mut missing.reason);
        }
        surface
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::plan::Secrets;

    #[test]
    fn secrets_are_taken_out_of_every_part() {
        let mut secrets = Secrets::default();
        secrets.add_declared("hunter2hunter2");
        let surface = Surface {
            instructions: Some("use hunter2hunter2".to_owned()),
            tools: vec![json!({"name": "a", "description": "calls with hunter2hunter2"})],
            server: json!({"name": "hunter2hunter2"}),
            ..Surface::default()
        };
        let clean = Redactor::new(&secrets).surface(surface);
        assert!(!format!("{clean:?}").contains("hunter2"), "{clean:?}");
        assert_eq!(clean.tools[0]["description"], "calls with ***");
    }
}
