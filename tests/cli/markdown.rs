//! Markdown reports: in a file and on stdout.

use crate::harness::{Sandbox, simulated};

#[test]
fn a_file_fits_a_comment_and_stdout_can_have_all_of_it() {
    let sandbox = Sandbox::new()
        .file("evals/bad.yaml", &simulated("breaks @octocat", "Milk", "Bread"))
        .file("evals/good.yaml", &simulated("all is well", "Milk", "Milk"));
    let finished = sandbox.run(&[
        "run",
        "--markdown",
        "out/comment.md",
        "--format",
        "markdown",
        "--verbose",
    ]);
    assert_eq!(finished.code, 1, "{finished:?}");
    let comment = sandbox.read("out/comment.md");
    for text in [&comment, &finished.stdout] {
        assert!(text.starts_with("### ❌ mcpvals: 1 of 2 cases failed\n"), "{text}");
        assert!(text.contains("<b>breaks @&#8203;octocat</b>"), "{text}");
        assert!(text.contains("<code>evals/bad.yaml:"), "{text}");
    }
    assert!(!comment.contains("all is well"), "{comment}");
    assert!(finished.stdout.contains("all is well"), "{}", finished.stdout);
}
