//! The instrument against real processes that do what servers should not.

mod calls;
mod endings;
mod handshake;
mod harness;
mod launchers;
mod orphans;
mod reopening;
