//! The parts of a text, each of which can write itself.

use super::{inline::Inline, sheet::Sheet};

/// A part of the text.
#[derive(Debug, Clone)]
pub(super) enum Block {
    /// A line or two.
    Paragraph(Inline),
    /// A heading with what stands below it.
    Section(Inline, Vec<Block>),
    /// Lines as they are, every one of them harmless.
    Fence(&'static str, Vec<String>),
    /// One point a line, counted as this.
    List(Vec<Inline>, &'static str),
    /// One row a line, counted as this, below these heads.
    Table(&'static [&'static str], Vec<Vec<Inline>>, &'static str),
    /// What is seen once somebody opens it.
    Details(State, Inline, Vec<Block>),
    /// What goes together or not at all, counted as this.
    Whole(Vec<Block>, &'static str),
    /// More of this, which is only counted.
    More(usize, &'static str),
}

/// Whether details can be seen at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// They can.
    Open,
    /// They cannot.
    Folded,
}

impl Block {
    /// Writes as much as fits.
    pub(super) fn write(&self, sheet: &mut Sheet) {
        match self {
            Self::Paragraph(text) => {
                sheet.put(&format!("\n{}\n", text.as_str()));
            }
            Self::Section(heading, blocks) => {
                let opening = format!("\n#### {}\n", heading.as_str());
                sheet.within(&opening, "", |sheet| all(blocks, sheet));
            }
            Self::Fence(language, lines) => {
                sheet.put(&fence(language, lines));
            }
            Self::List(points, noun) => {
                let points = points.iter().map(|point| format!("- {}\n", point.as_str()));
                sheet.within("\n", "", |sheet| one_by_one(points, noun, sheet));
            }
            Self::Table(heads, rows, noun) => {
                let rows = rows.iter().map(|row| line(row.iter().map(Inline::as_str)));
                let heads = line(heads.iter().copied()) + &line(heads.iter().map(|_| "---"));
                sheet.within(&format!("\n{heads}"), "", |sheet| one_by_one(rows, noun, sheet));
            }
            Self::Details(state, summary, blocks) => {
                let state = match state {
                    State::Open => " open",
                    State::Folded => "",
                };
                let opening = format!("\n<details{state}><summary>{}</summary>\n", summary.as_str());
                sheet.within(&opening, "\n</details>\n", |sheet| all(blocks, sheet));
            }
            Self::Whole(blocks, noun) => {
                let mut whole = Sheet::new(usize::MAX);
                all(blocks, &mut whole);
                sheet.put_or_count(&whole.finish(), noun);
            }
            Self::More(count, noun) => sheet.leave_out(*count, noun),
        }
    }
}

/// Writes blocks one after another.
pub(super) fn all(blocks: &[Block], sheet: &mut Sheet) {
    for block in blocks {
        block.write(sheet);
    }
}

fn one_by_one(lines: impl Iterator<Item = String>, noun: &'static str, sheet: &mut Sheet) {
    for line in lines {
        sheet.put_or_count(&line, noun);
    }
}

fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let cells: Vec<&str> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}

/// The fence is longer than any run of backticks inside.
fn fence(language: &str, lines: &[String]) -> String {
    let runs = lines.iter().flat_map(|line| line.split(|c| c != '`'));
    let fence = "`".repeat(runs.map(str::len).max().unwrap_or_default().max(2) + 1);
    format!("\n{fence}{language}\n{}\n{fence}\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(block: &Block, budget: usize) -> String {
        let mut sheet = Sheet::new(budget);
        block.write(&mut sheet);
        sheet.finish()
    }

    #[test]
    fn a_fence_is_longer_than_any_inside() {
        let block = Block::Fence("diff", vec!["+```".to_owned(), "-`` ````".to_owned()]);
        assert_eq!(written(&block, 100), "\n`````diff\n+```\n-`` ````\n`````\n");
        assert_eq!(written(&block, 20), "");
    }

    #[test]
    fn a_table_has_as_many_rows_as_fit() {
        let rows = ["first", "second"].map(|word| vec![Inline::ours("x"), Inline::default().name(word)]);
        let block = Block::Table(&["", "Case"], rows.to_vec(), "case");
        assert_eq!(
            written(&block, 1000),
            "\n|  | Case |\n| --- | --- |\n| x | first |\n| x | second |\n"
        );
        assert_eq!(written(&block, 45), "\n|  | Case |\n| --- | --- |\n| x | first |\n");
        assert_eq!(written(&block, 30), "");
    }
}
