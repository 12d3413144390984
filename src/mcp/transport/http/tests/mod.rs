//! The transport against tiny servers that write exactly the bytes a test wants.

mod answers;
mod conversation;
mod events;
mod failures;
mod listening;
mod rig;
mod server;
mod starting;
