//! Cases in parallel, servers started ahead.

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::task::{AbortHandle, JoinHandle, JoinSet};

use super::{
    Event, Observer, Redactor, Servers, Stop, StopReason,
    case::{CaseRunner, Opened, abandoned, not_reached},
    servers::{Asking, CaseServer, Farewell, transcripts},
    sharing::Starts,
    survey::{Surfaces, survey_all},
};
use crate::{
    model::{CaseResult, TimeLimit},
    plan::{Environment, Plan, PlannedCase, asked},
};

/// How a plan is executed.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Cases at a time, at least one.
    pub concurrency: usize,
    /// Limit of a server's start, where the fixture does not say otherwise.
    pub startup_timeout: TimeLimit,
    /// Limit of the whole run.
    pub max_time: Option<Duration>,
    /// What a case that does not pass means for those after it.
    pub on_failure: OnFailure,
    /// How often each case is run, to learn how many of its attempts pass and how long they take; 1 for once.
    pub repeat: u32,
    /// Whether each server is asked for its surface too.
    pub has_surfaces: bool,
    /// Folder for the wire traffic of each case.
    pub transcript: Option<PathBuf>,
}

/// What a case that does not pass means for those after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFailure {
    /// They run.
    #[default]
    GoOn,
    /// They do not.
    Stop,
}

/// What came of a plan.
pub struct Executed {
    /// One result a case, in the order of the plan.
    pub cases: Vec<CaseResult>,
    /// What the servers declare, if that was asked for.
    pub surfaces: Surfaces,
    /// Remarks about the run as a whole.
    pub notes: Vec<String>,
    /// Servers that are still being ended: report first, then [`shut_down`](Servers::shut_down).
    pub servers: Arc<Servers>,
}

/// Runs every case of a plan, `concurrency` at a time and the steps of each in order.
///
/// While cases run, the servers of the next ones are started, since start-up is nearly all the cost of a case. With a
/// concurrency of one, nothing is started ahead: whoever asks for one case at a time gets one server at a time.
pub async fn execute(
    plan: Plan,
    environment: &Environment,
    redactor: Redactor,
    options: &RunOptions,
    observer: Arc<dyn Observer>,
    stop: Stop,
) -> io::Result<Executed> {
    let transcripts = transcripts(options.transcript.as_deref(), &redactor)?;
    let concurrency = options.concurrency.max(1);
    let farewell = if concurrency == 1 {
        Farewell::Before
    } else {
        Farewell::Behind
    };
    let at_a_time = concurrency.min(plan.len().max(1));
    observer.on_event(Event::RunStarted {
        cases: plan.len(),
        concurrency: at_a_time,
    });
    let starts = Starts::of(&plan);
    let to_survey = if options.has_surfaces {
        asked(&plan)
    } else {
        BTreeMap::new()
    };
    let run = Arc::new(Run {
        servers: Arc::new(Servers::new(options.startup_timeout, transcripts, farewell)),
        results: Mutex::new(Vec::with_capacity(plan.len())),
        queue: Mutex::new(Queue {
            waiting: plan,
            begun: 0,
            warm: VecDeque::new(),
            ahead: if concurrency == 1 { 0 } else { concurrency },
        }),
        environment: environment.clone(),
        redactor,
        observer,
        stop,
        on_failure: options.on_failure,
        repeat: options.repeat,
    });
    let _alarm = options.max_time.map(|limit| Alarm::set(limit, run.stop.clone()));
    let mut workers = JoinSet::new();
    for _ in 0..at_a_time {
        let run = Arc::clone(&run);
        workers.spawn(async move { run.work().await });
    }
    let surveys = survey_all(to_survey, options.startup_timeout, &run.redactor, &run.stop);
    let surfaces = if concurrency == 1 {
        workers.join_all().await;
        surveys.await
    } else {
        tokio::join!(surveys, workers.join_all()).0
    };
    run.leave_out_the_rest().await;
    run.observer.on_event(Event::RunFinished);
    let mut results = std::mem::take(&mut *lock(&run.results));
    results.sort_unstable_by_key(|(index, _)| *index);
    let cases: Vec<_> = results.into_iter().map(|(_, result)| result).collect();
    Ok(Executed {
        notes: starts.advice(&cases).into_iter().collect(),
        cases,
        surfaces,
        servers: Arc::clone(&run.servers),
    })
}

/// Everything that the workers share.
struct Run {
    servers: Arc<Servers>,
    /// Results with the place of their case in the plan, in the order they came.
    results: Mutex<Vec<(usize, CaseResult)>>,
    queue: Mutex<Queue>,
    environment: Environment,
    redactor: Redactor,
    observer: Arc<dyn Observer>,
    stop: Stop,
    on_failure: OnFailure,
    repeat: u32,
}

/// Cases that have not begun, in order; the first ones may have a server already.
struct Queue {
    waiting: Plan,
    /// How many were taken from `waiting`.
    begun: usize,
    warm: VecDeque<(usize, Box<PlannedCase>, JoinHandle<Opened>)>,
    /// How many servers may be started ahead.
    ahead: usize,
}

impl Queue {
    /// Takes the next case, with its place in the plan.
    fn begin(&mut self) -> Option<(usize, Box<PlannedCase>)> {
        let case = self.waiting.pop_front()?;
        self.begun += 1;
        Some((self.begun - 1, case))
    }
}

/// A case to be run, and the server that was started for it ahead of time.
type Next = (usize, Box<PlannedCase>, Option<JoinHandle<Opened>>);

impl Run {
    async fn work(self: &Arc<Self>) {
        let runner = CaseRunner {
            servers: &self.servers,
            environment: &self.environment,
            redactor: &self.redactor,
            stop: &self.stop,
            repeat: self.repeat,
        };
        while let Some((index, case, started)) = self.next() {
            self.observer.on_event(Event::CaseStarted { id: &case.id });
            let opening = self.opened(CaseServer::of(&case), started);
            let result = match self.stop.unless_abandoned(opening).await {
                Some(opened) => {
                    self.start_ahead();
                    runner.run(*case, opened).await
                }
                None => abandoned(*case, &self.why()),
            };
            self.finish(index, result);
        }
    }

    fn next(&self) -> Option<Next> {
        if self.stop.is_stopped() {
            return None;
        }
        let mut queue = lock(&self.queue);
        match queue.warm.pop_front() {
            Some((index, case, opening)) => Some((index, case, Some(opening))),
            None => queue.begin().map(|(index, case)| (index, case, None)),
        }
    }

    async fn opened(&self, server: CaseServer, started: Option<JoinHandle<Opened>>) -> Opened {
        match started.map(AbortOnDrop::new) {
            Some(mut opening) => match (&mut opening.0).await {
                Ok(opened) => opened,
                // The task that opened it panicked, which is a bug; opening it here shows the same panic.
                Err(_) => self.servers.lease(&server, Asking::First).await,
            },
            None => self.servers.lease(&server, Asking::First).await,
        }
    }

    /// Starts the servers of the next cases that have one of their own.
    fn start_ahead(&self) {
        let mut queue = lock(&self.queue);
        while queue.warm.len() < queue.ahead && !self.stop.is_stopped() {
            let Some(server) = queue.waiting.front().map(|case| CaseServer::of(case)) else {
                return;
            };
            if !server.is_own() {
                return;
            }
            let servers = Arc::clone(&self.servers);
            let opening = tokio::spawn(async move { servers.lease(&server, Asking::First).await });
            let Some((index, case)) = queue.begin() else {
                return;
            };
            queue.warm.push_back((index, case, opening));
        }
    }

    fn finish(&self, index: usize, result: CaseResult) {
        if self.on_failure == OnFailure::Stop && !result.status.is_good() {
            self.stop.stop(StopReason::FailFast(result.id.to_string()));
        }
        self.observer.on_event(Event::CaseFinished { result: &result });
        lock(&self.results).push((index, result));
    }

    /// Cases that were never begun are reported as such, and servers started for them are ended.
    async fn leave_out_the_rest(&self) {
        let reason = format!("not run: {}", self.why());
        let warm = std::mem::take(&mut lock(&self.queue).warm);
        for (index, case, opening) in warm {
            opening.abort();
            if let Ok(Ok(Some(lease))) = opening.await {
                self.servers.give_back(lease).await;
            }
            self.finish(index, not_reached(*case, reason.clone()));
        }
        while let Some((index, case)) = self.begin() {
            self.finish(index, not_reached(*case, reason.clone()));
        }
    }

    fn begin(&self) -> Option<(usize, Box<PlannedCase>)> {
        lock(&self.queue).begin()
    }

    fn why(&self) -> String {
        self.stop
            .reason()
            .map_or_else(|| "the run ended".to_owned(), StopReason::words)
    }
}

/// A task that ends with whoever waits for it.
struct AbortOnDrop<T>(JoinHandle<T>, AbortHandle);

impl<T> AbortOnDrop<T> {
    fn new(task: JoinHandle<T>) -> Self {
        let abort = task.abort_handle();
        Self(task, abort)
    }
}

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.1.abort();
    }
}

/// Stops the run when its time is over; dropped with the run.
struct Alarm(JoinHandle<()>);

impl Alarm {
    fn set(limit: Duration, stop: Stop) -> Self {
        Self(tokio::spawn(async move {
            tokio::time::sleep(limit).await;
            stop.stop(StopReason::MaxTime(format!("{}s", limit.as_secs_f64())));
        }))
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
