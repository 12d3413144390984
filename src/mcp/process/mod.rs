//! A child process with everything it starts: spawned in its own group, its output kept, its whole tree ended.

mod child;
mod launch;
mod orphans;
mod proc;
mod status;
mod tail;
mod tree;

pub(crate) use child::{Process, Streams};
pub(crate) use launch::as_run;
pub use orphans::{adopt_orphans, sweep_orphans};
