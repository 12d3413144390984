//! JUnit as others read it: junitparser, which half of the CI tools of this world stand on.

use std::process::Command;

use crate::{
    harness::{Sandbox, demo, simulated},
    servers,
};

const READER: &str = "
import sys
from junitparser import JUnitXml, Failure, Error, Skipped
xml = JUnitXml.fromfile(sys.argv[1])
xml.update_statistics()
print(xml.tests, xml.failures, xml.errors, xml.skipped)
for suite in xml:
    for case in suite:
        kinds = ','.join(type(result).__name__ for result in case.result)
        print(suite.name, case.classname, case.name, case._elem.get('file'), case._elem.get('line'), kinds)
";

#[test]
fn junitparser_reads_counts_places_and_kinds() {
    let sandbox = Sandbox::new()
        .file(
            "evals/a.yaml",
            &demo("good", &["{ id: x, tool: add, input: { a: 1, b: 2 } }"]),
        )
        .file("evals/b.yaml", &demo("dies", &["{ id: x, tool: crash }"]))
        .file("evals/c.yaml", &simulated("wrong", "\\e[31m]]>", "other"))
        .file(
            "evals/d.yaml",
            &format!("skip: not today\n{}", simulated("later", "x", "x")),
        )
        .file("evals/e.yaml", "nonsense: true\n");
    let finished = sandbox.run(&["run", "--junit", "junit.xml"]);
    assert_eq!(finished.code, 2, "{finished:?}");
    let read = Command::new(servers::installed().python.join("python"))
        .args(["-c", READER])
        .arg(sandbox.path("junit.xml"))
        .output()
        .expect("python starts");
    let said = String::from_utf8_lossy(&read.stdout).into_owned() + &String::from_utf8_lossy(&read.stderr);
    insta::assert_snapshot!(said);
}
