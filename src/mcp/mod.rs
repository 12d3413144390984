//! The instrument: a raw JSON-RPC client that speaks to the server under test and hides nothing of what it says.

mod answers;
mod era;
mod process;
mod recorder;
mod result;
mod session;
mod transport;

pub use recorder::{Direction, Recorder};
pub use session::{Answer, OpenError, Session, SessionOptions};
