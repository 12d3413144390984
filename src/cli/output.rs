//! What goes to the terminal and into files.

use std::{
    fs::File,
    io::{self, BufWriter, IsTerminal, Write},
    path::Path,
};

use super::{args::ColorChoice, environment};
use crate::{
    report::{Colour, Options, Reporter},
    source::{self, Diagnostic},
    text::sanitize,
};

/// Says on stderr that something of ours went wrong.
pub fn complain(message: &str) {
    // Nobody is left to tell if stderr is gone.
    let _ = writeln!(io::stderr(), "mcpvals: {message}");
}

/// Says on stderr what a report would have as a note.
pub fn remarks(remarks: &[String]) {
    for remark in remarks {
        complain(&format!("note: {}", sanitize::line(remark)));
    }
}

/// Prints all diagnostics to stderr.
pub fn diagnostics(diagnostics: &[Diagnostic], color: ColorChoice) {
    let style = match colour(color, &io::stderr()) {
        Colour::Ansi => source::Style::Styled,
        Colour::Plain => source::Style::Plain,
    };
    let mut out = io::stderr().lock();
    for diagnostic in diagnostics {
        let _ = writeln!(out, "{}", source::render(diagnostic, style));
    }
}

/// Whether a stream gets colours. `NO_COLOR` and `CLICOLOR_FORCE` are honoured as no-color.org and bixense.com say.
pub fn colour(choice: ColorChoice, stream: &impl IsTerminal) -> Colour {
    let wanted = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if environment::variable("NO_COLOR").is_some() => false,
        ColorChoice::Auto if environment::variable("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
        ColorChoice::Auto => stream.is_terminal() && environment::variable("TERM").is_none_or(|term| term != "dumb"),
    };
    if wanted { Colour::Ansi } else { Colour::Plain }
}

/// Writes to stdout through `write`; a reader that went away (`| head`) is no error.
pub fn to_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("stdout could not be written: {error}")),
        _ => Ok(()),
    }
}

/// Writes a report file, whole or not at all.
pub fn to_file(path: &Path, reporter: &Reporter, report: &crate::model::Report) -> Result<(), String> {
    whole_file(path, |out| (reporter.write)(report, Options::default(), out))
}

/// Writes a file, whole or not at all: into a neighbour first, which then takes the place of the old one.
pub fn whole_file(path: &Path, content: impl Fn(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let failed = |error: io::Error| format!("`{}` could not be written: {error}", path.display());
    let write = |path: &Path| {
        let mut out = BufWriter::new(File::create(path)?);
        content(&mut out)?;
        out.flush()
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return write(path).map_err(failed);
    }
    let mut neighbour = path.as_os_str().to_owned();
    neighbour.push(format!(".{}.part", std::process::id()));
    let neighbour = Path::new(&neighbour);
    write(neighbour)
        .and_then(|()| std::fs::rename(neighbour, path))
        .map_err(|error| {
            // What is left of a file that could not be written is of no use.
            let _ = std::fs::remove_file(neighbour);
            failed(error)
        })
}
