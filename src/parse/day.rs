//! Days, as they stand in the project file.

use super::reader::Field;
use crate::{
    source::Diagnostic,
    text::{Date, quote},
};

/// Characters of a wrong value that are shown.
const SHOWN: usize = 40;

/// The last day on which something counts.
pub(super) fn day(field: Field<'_>) -> Option<Date> {
    let text = field.filled_text()?.value;
    let date = Date::parse(&text);
    if date.is_none() {
        let problem = Diagnostic::error("invalid-value", format!("{} is not a day", quote(&text, SHOWN)));
        field.add(problem.help("write it as YYYY-MM-DD: the last day on which the entry counts"));
    }
    date
}
