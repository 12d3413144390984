//! `mcpvals surface`.

use std::{sync::Arc, time::Duration};

use super::{args::SurfaceArguments, environment, failure::Failure, output, signals};
use crate::{
    model::{ExitCode, Fault, HttpSpec, Launch, Origin, Readiness, ServerSpec, StdioSpec, TimeLimit},
    pipeline,
    plan::{Compiler, Environment, Secrets, Settings},
    run::{Redactor, Stop, survey, without_secrets},
    schema::v1::SurfaceFile,
    source::Diagnostic,
    text::sanitize,
};

/// Limits where nobody says otherwise: those of a run.
const DEFAULT_LIMIT: Duration = Duration::from_secs(30);

/// Asks a server what it declares and writes that down.
pub async fn surface(arguments: SurfaceArguments) -> Result<ExitCode, Failure> {
    let environment = environment::snapshot();
    let Some((server, redactor)) = server(&arguments, &environment)? else {
        return Ok(ExitCode::InputWrong);
    };
    let stop = Stop::default();
    let (_, listener) = signals::listen(stop.clone()).map_err(|error| format!("no signal can be caught: {error}"))?;
    crate::mcp::adopt_orphans();
    let limit = |flag: Option<Duration>, name| TimeLimit::new(flag.unwrap_or(DEFAULT_LIMIT), name);
    let startup_timeout = limit(arguments.startup_timeout, "--startup-timeout");
    let timeout = limit(arguments.timeout, "--timeout");
    let survey = survey(&server, startup_timeout, timeout, &redactor);
    let surveyed = stop.unless_abandoned(survey).await;
    crate::mcp::sweep_orphans();
    listener.abort();
    let surface = match surveyed {
        Some(Ok(surface)) => surface,
        Some(Err(fault)) => return Ok(failed(&fault)),
        None => return Ok(ExitCode::CouldNotTell),
    };
    for missing in &surface.missing {
        output::complain(&format!(
            "`{}` is not part of it: {}",
            missing.method,
            sanitize::line(&missing.reason)
        ));
    }
    let text = SurfaceFile::write(&surface);
    match &arguments.output {
        Some(path) => output::whole_file(&environment::expand_home(path), |out| out.write_all(text.as_bytes()))?,
        None => output::to_stdout(|out| out.write_all(text.as_bytes()))?,
    }
    Ok(ExitCode::Open)
}

/// The server that is meant; nothing where what is wrong with it is said.
fn server(
    arguments: &SurfaceArguments,
    environment: &Environment,
) -> Result<Option<(Arc<ServerSpec>, Redactor)>, Failure> {
    if let Some(name) = &arguments.name {
        return Ok(named(name, arguments, environment));
    }
    let spec = match (&arguments.url, arguments.command.split_first()) {
        (Some(url), None) => ServerSpec::Http(HttpSpec {
            url: url.clone(),
            headers: Vec::new(),
            start: None,
            ready: Readiness::Endpoint,
            startup_timeout: None,
        }),
        (None, Some((command, args))) => ServerSpec::Stdio(StdioSpec {
            launch: Launch {
                command: command.clone(),
                args: args.to_vec(),
                env: environment.handed_on(),
                cwd: None,
            },
            startup_timeout: None,
        }),
        _ => {
            let message = "say which server: its name in the project file, `--url URL`, or `-- COMMAND ARGS…`";
            return Err(Failure::Usage(message.to_owned()));
        }
    };
    let mut secrets = Secrets::default();
    for text in arguments.url.iter().chain(&arguments.command) {
        secrets.add_passwords(text);
    }
    Ok(Some((Arc::new(spec), Redactor::new(&secrets))))
}

fn named(name: &str, arguments: &SurfaceArguments, environment: &Environment) -> Option<(Arc<ServerSpec>, Redactor)> {
    let mut diagnostics = Vec::new();
    let path = arguments.project.as_deref().map(environment::expand_home);
    let project = pipeline::project(path.as_deref(), &mut diagnostics);
    let settings = Settings::default();
    let mut compiler = Compiler::new(&project, environment, &settings);
    let (spec, problems) = compiler.server(name);
    diagnostics.extend(problems);
    let is_usable = !diagnostics.iter().any(Diagnostic::is_error);
    let secrets = compiler.into_secrets();
    output::diagnostics(&without_secrets(diagnostics, &secrets), arguments.color);
    let redactor = Redactor::new(&secrets);
    spec.filter(|_| is_usable).map(|spec| (spec, redactor))
}

/// Says why there is no surface; the server's own fault closes the gate.
fn failed(fault: &Fault) -> ExitCode {
    output::complain(&sanitize::line(&fault.message));
    for line in fault.help.iter().chain(&fault.evidence) {
        output::complain(&format!("  {}", sanitize::line(line)));
    }
    match fault.origin {
        Origin::Server => ExitCode::Closed,
        Origin::Surroundings => ExitCode::CouldNotTell,
    }
}
