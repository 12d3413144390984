//! `json`: the published form of the report, written case by case.

use std::io::{self, Write as _};

use super::{Options, Reporter};
use crate::{model::Report, schema::v1};

pub(super) const REPORTER: Reporter = Reporter {
    name: "json",
    title: "JSON",
    summary: "everything that is known, as `mcpvals.report/v1` (see `mcpvals schema`)",
    write,
};

fn write(report: &Report, _: Options, out: &mut dyn io::Write) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    serde_json::to_writer_pretty(&mut out, &v1::Report::from(report))?;
    writeln!(out)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::report::sample;

    fn written(report: &Report) -> String {
        let mut out = Vec::new();
        write(report, Options::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_field_is_where_the_schema_says() {
        let text = written(&sample::rich());
        let value: Value = serde_json::from_str(&text).unwrap();
        let validator = jsonschema::draft202012::new(&v1::json_schema()).unwrap();
        let problems: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert_eq!(problems, Vec::<String>::new());
    }

    #[test]
    fn the_schema_refuses_a_status_it_does_not_know() {
        let mut value: Value = serde_json::from_str(&written(&sample::rich())).unwrap();
        value["cases"][0]["status"] = "maybe".into();
        let validator = jsonschema::draft202012::new(&v1::json_schema()).unwrap();
        assert!(!validator.is_valid(&value));
    }

    #[test]
    fn a_report_of_everything() {
        insta::with_settings!({filters => vec![(env!("CARGO_PKG_VERSION"), "[version]")]}, {
            insta::assert_snapshot!(written(&sample::rich()));
        });
    }

    #[test]
    fn what_is_written_can_be_read() {
        let text = written(&sample::rich());
        let read: v1::Report<'static> = serde_json::from_str(&text).unwrap();
        assert_eq!(read.cases.len(), 8);
        assert_eq!(format!("{}\n", serde_json::to_string_pretty(&read).unwrap()), text);
    }

    #[test]
    fn a_comparison_is_part_of_it() {
        let mut report = sample::report(Vec::new());
        report.comparison = Some(sample::comparison());
        let value: Value = serde_json::from_str(&written(&report)).unwrap();
        let comparison = &value["comparison"];
        assert_eq!(comparison["baseline"]["commit"], "abc1234def5678");
        assert_eq!(
            comparison["cases"].as_array().map(Vec::len),
            Some(8),
            "unchanged cases are left out"
        );
        assert_eq!(comparison["cases"][0]["outputs"][0]["now"], "echo: hello!\n");
        assert_eq!(
            comparison["surfaces"][0]["changes"][0]["witness"]["value"]["query"],
            "milk"
        );
        let validator = jsonschema::draft202012::new(&v1::json_schema()).unwrap();
        assert!(validator.is_valid(&value));
    }
}
