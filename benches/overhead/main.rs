//! What mcpvals costs beside a minimal hand-written client that sends the same messages: ratios, taken in one run.
//!
//! The server of all rows is this program itself, started with `serve`. Rounds of the two sides alternate, so that
//! whatever else the machine does meets both; each side's best round counts.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

mod fixtures;
mod product;
mod raw;
mod server;
mod table;

use std::time::Duration;

use table::{Row, Table};

/// Calls of one round of the per-call row.
const CALLS: usize = 10_000;
/// Cases of the shared-server row.
const SHARED_CASES: usize = 500;
/// Cases of the fresh-server row.
const FRESH_CASES: usize = 100;
/// Cases of the memory row.
const SIMULATED_CASES: usize = 10_000;
/// Rounds of each side.
const ROUNDS: usize = 7;

fn main() {
    if std::env::args().nth(1).as_deref() == Some("serve") {
        server::serve();
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime can be built");
    let mut table = Table::default();
    runtime.block_on(async {
        let (raw, ours) = best_of!(raw::calls(CALLS), product::calls(CALLS));
        table.add(Row::ratio(
            "time per call",
            raw / CALLS as u32,
            ours / CALLS as u32,
            1.25,
        ));
        let (raw, ours) = best_of!(raw::shared_server(SHARED_CASES), product::shared_cases(SHARED_CASES, 1));
        table.add(Row::ratio("500 cases on one shared server", raw, ours, 1.25));
        for concurrency in [1, 2] {
            let (raw, ours) = best_of!(
                raw::fresh_servers(FRESH_CASES, concurrency),
                product::fresh_cases(FRESH_CASES, concurrency)
            );
            let name = format!("100 fresh servers, {concurrency} at a time");
            table.add(Row::ratio(&name, raw, ours, 1.15));
        }
    });
    table.extend(product::binary(SIMULATED_CASES));
    println!("{table}");
}

/// The best round of two sides whose rounds alternate.
macro_rules! best_of {
    ($raw:expr, $ours:expr) => {{
        let (mut raw, mut ours) = (Duration::MAX, Duration::MAX);
        for _ in 0..ROUNDS {
            raw = raw.min($raw.await);
            ours = ours.min($ours.await);
        }
        (raw, ours)
    }};
}
use best_of;
