//! The instrument: a raw JSON-RPC client that speaks to the server under test and hides nothing of what it says.

mod ambiguous;
mod answers;
mod broken;
mod era;
mod findings;
mod inbox;
mod jsonrpc;
mod link;
mod listing;
mod message;
mod pending;
mod process;
mod quote;
mod recorder;
mod result;
mod session;
mod surface;
mod transport;
mod unreadable;
mod weight;

pub use link::Limit;
pub use process::{adopt_orphans, sweep_orphans};
pub use recorder::{Direction, Recorder};
pub use session::{Answer, DEFAULT_MESSAGE_LIMIT, OpenError, Session, SessionOptions};
