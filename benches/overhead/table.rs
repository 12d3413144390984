//! The table that `cargo bench` prints.

use std::{fmt, time::Duration};

/// One measured thing.
pub struct Row {
    name: String,
    raw: String,
    ours: String,
    ratio: String,
    goal: String,
}

impl Row {
    /// Two times and their ratio.
    pub fn ratio(name: &str, raw: Duration, ours: Duration, goal: f64) -> Self {
        Self {
            name: name.to_owned(),
            raw: format!("{raw:.2?}"),
            ours: format!("{ours:.2?}"),
            ratio: format!("{:.2}", ours.as_secs_f64() / raw.as_secs_f64()),
            goal: format!("≤ {goal:.2}"),
        }
    }

    /// A figure of ours alone.
    pub fn figure(name: &str, ours: String, goal: &str) -> Self {
        Self {
            name: name.to_owned(),
            raw: String::new(),
            ours,
            ratio: String::new(),
            goal: goal.to_owned(),
        }
    }
}

/// Rows in the order they were measured.
#[derive(Default)]
pub struct Table(Vec<Row>);

impl Table {
    /// Adds a row.
    pub fn add(&mut self, row: Row) {
        self.0.push(row);
    }

    /// Adds rows.
    pub fn extend(&mut self, rows: Vec<Row>) {
        self.0.extend(rows);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| what | raw client | mcpvals | ratio | goal |\n|---|---|---|---|---|"
        )?;
        for Row {
            name,
            raw,
            ours,
            ratio,
            goal,
        } in &self.0
        {
            writeln!(f, "| {name} | {raw} | {ours} | {ratio} | {goal} |")?;
        }
        Ok(())
    }
}
