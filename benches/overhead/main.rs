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

/// Measures every row, or those whose name holds a word of the command line: `cargo bench -- shared`.
fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if words == ["serve"] {
        server::serve();
        return;
    }
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime can be built");
    // Linux counts what the parent held when it started a child as the child's, so this comes while we are small.
    let figures = wanted("binary").then(|| product::binary(SIMULATED_CASES));
    let mut table = Table::default();
    runtime.block_on(async {
        let name = "time per call";
        if wanted(name) {
            let (raw, ours) = best_of!(raw::calls(CALLS), product::calls(CALLS));
            table.add(Row::ratio(name, raw / CALLS as u32, ours / CALLS as u32, 1.25));
        }
        for concurrency in [1, 2] {
            let name = format!("{SHARED_CASES} cases on one shared server, {concurrency} at a time");
            if wanted(&name) {
                let (raw, ours) = best_of!(
                    raw::shared_server(SHARED_CASES, concurrency),
                    product::shared_cases(SHARED_CASES, concurrency)
                );
                table.add(Row::ratio(&name, raw, ours, 1.25));
            }
        }
        for concurrency in [1, 2] {
            let name = format!("{FRESH_CASES} fresh servers, {concurrency} at a time");
            if wanted(&name) {
                let (raw, ours) = best_of!(
                    raw::fresh_servers(FRESH_CASES, concurrency),
                    product::fresh_cases(FRESH_CASES, concurrency)
                );
                table.add(Row::ratio(&name, raw, ours, 1.15));
            }
        }
    });
    let name = format!("comparing {SIMULATED_CASES} cases with their baseline");
    if wanted(&name) {
        let took = product::compared(SIMULATED_CASES);
        table.add(Row::figure(&name, format!("{took:.2?}"), "< 1 s"));
    }
    table.extend(figures.unwrap_or_default());
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
