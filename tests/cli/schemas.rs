//! The published JSON Schemas are what the binary prints. `UPDATE=1 cargo test --test cli schemas` writes them anew.

use crate::harness::Sandbox;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/schema");

#[test]
fn the_published_schemas_are_those_of_the_binary() {
    for (format, file) in [
        ("fixture", "fixture.schema.json"),
        ("project", "project.schema.json"),
        ("report", "report-v1.schema.json"),
        ("history", "history-v1.schema.json"),
        ("audit", "audit-v1.schema.json"),
        ("surface", "surface-v1.schema.json"),
        ("surface-diff", "surface-diff-v1.schema.json"),
    ] {
        let printed = Sandbox::new().run(&["schema", format]).stdout;
        let path = format!("{FOLDER}/{file}");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::create_dir_all(FOLDER).expect("the folder can be made");
            std::fs::write(&path, &printed).expect("the schema can be written");
        }
        let published = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(
            published == printed,
            "{file} is stale: UPDATE=1 cargo test --test cli schemas"
        );
    }
}

#[test]
fn a_report_is_valid_by_its_schema() {
    let sandbox = Sandbox::new()
        .file(
            "evals/a.yaml",
            &crate::harness::demo(
                "a",
                &[
                    "{ id: x, tool: fail, input: { message: no } }",
                    "{ id: y, tool: crash }",
                    "{ id: z, tool: add }",
                ],
            ),
        )
        .file("evals/b.yaml", "nonsense: true\n")
        .file("evals/c.yaml", &crate::harness::simulated("c", "x", "y"));
    let (_, report) = sandbox.report(&[]);
    let schema = serde_json::from_str(&sandbox.run(&["schema", "report"]).stdout).expect("the schema is JSON");
    let errors: Vec<String> = jsonschema::validator_for(&schema)
        .expect("the schema is valid")
        .iter_errors(&report)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
}
