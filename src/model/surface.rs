//! What a server declares: the surface that clients and models build on.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// What a server declared, each part as it was sent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// The protocol version in use.
    pub protocol: String,
    /// `serverInfo` as it was sent.
    pub server: Value,
    /// `capabilities` as they were sent.
    pub capabilities: Map<String, Value>,
    /// The instructions for the model, if there are any.
    pub instructions: Option<String>,
    /// The tools, in the server's order.
    pub tools: Vec<Value>,
    /// The resources, in the server's order.
    pub resources: Vec<Value>,
    /// The resource templates, in the server's order.
    pub resource_templates: Vec<Value>,
    /// The prompts, in the server's order.
    pub prompts: Vec<Value>,
    /// What was announced and could not be listed, with the reason.
    pub missing: Vec<Missing>,
}

/// A list of the surface that was announced and could not be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The method that lists it, such as `prompts/list`.
    pub method: String,
    /// Why it could not.
    pub reason: String,
}

/// One difference between two surfaces.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceChange {
    /// The rule that found it, stable for ever.
    pub rule: Cow<'static, str>,
    /// How bad it is.
    pub class: ChangeClass,
    /// Whether a model sees it, and may behave differently.
    pub is_model_visible: bool,
    /// What it is about: ``tool `search` ``.
    pub subject: String,
    /// The place inside of it, such as `inputSchema.properties.limit`; empty for the whole.
    pub path: String,
    /// What changed, as a lowercase fragment.
    pub message: String,
    /// What was fine before and is not any more.
    pub witness: Option<Witness>,
    /// Names the same change in every run: twelve hexadecimal digits.
    pub fingerprint: String,
    /// Why it is allowed, if it is.
    pub allowed: Option<String>,
}

/// How bad a change of a surface is for those who use it; the order is from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeClass {
    /// Nobody's program can tell.
    Cosmetic,
    /// Everything that worked goes on working.
    Compatible,
    /// Something may break, or it cannot be decided.
    Risky,
    /// Something that worked does not any more.
    Breaking,
}

/// How far the cases of a run cover the tools of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// What the server is called in reports.
    pub server: String,
    /// How many tools it has.
    pub tools: usize,
    /// Tools that are not in the baseline and have no case.
    pub added: Vec<String>,
    /// The other tools without a case.
    pub uncovered: Vec<String>,
}

/// A value that shows a break.
#[derive(Debug, Clone, PartialEq)]
pub struct Witness {
    /// The value: arguments that were accepted, or a result that could not come before.
    pub value: Value,
    /// The case and step whose arguments they are: `file › name › step`; absent where the value was made up.
    pub case: Option<String>,
}

impl ChangeClass {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Cosmetic, Self::Compatible, Self::Risky, Self::Breaking];

    /// The word used in reports, stable for ever.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cosmetic => "cosmetic",
            Self::Compatible => "compatible",
            Self::Risky => "risky",
            Self::Breaking => "breaking",
        }
    }
}
