//! What servers leave behind: reaped when it ends, swept when it does not.

use mcpvals::mcp::{adopt_orphans, sweep_orphans};

use crate::harness::{ORPHANS, eventually, is_alive, open, output};

#[tokio::test]
async fn a_daemon_that_was_left_behind_is_swept() {
    let _alone = ORPHANS.write().await;
    adopt_orphans();
    let behaviour = "
r, w = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(w, str(os.getpid()).encode()); os.closerange(0, 10); time.sleep(600)
    os._exit(0)
os.wait()
daemon = os.read(r, 20).decode()
def call(id, name, arguments): ok(id, text(daemon))";
    let session = open(behaviour).await;
    let daemon: u32 = output(&session, "daemon").await.parse().unwrap();
    session.close().await;
    assert!(is_alive(daemon), "it has no tie to the server any more");
    let bystander = open("").await;
    sweep_orphans();
    assert!(!is_alive(daemon));
    assert_eq!(
        output(&bystander, "echo").await,
        "hello",
        "what we started ourselves is left alone"
    );
    bystander.close().await;
}

#[tokio::test]
async fn orphans_that_end_are_reaped_while_the_run_goes_on() {
    let _others = ORPHANS.read().await;
    adopt_orphans();
    let behaviour = "
def call(id, name, arguments):
    if name != 'orphan': return plain(id, name, arguments)
    r, w = os.pipe()
    if os.fork() == 0:
        if os.fork() == 0:
            os.write(w, str(os.getpid()).encode()); os._exit(0)
        os._exit(0)
    os.wait()
    ok(id, text(os.read(r, 20).decode()))";
    let session = open(behaviour).await;
    let mut orphans = Vec::new();
    for _ in 0..20 {
        let orphan: u32 = output(&session, "orphan").await.parse().unwrap();
        orphans.push(orphan);
    }
    eventually(|| !orphans.iter().any(|orphan| is_alive(*orphan))).await;
    let exists = |orphan: &u32| std::path::Path::new(&format!("/proc/{orphan}")).exists();
    // The end of any server is an occasion to look.
    open("").await.close().await;
    assert!(!orphans.iter().any(exists), "zombies were left");
    assert_eq!(output(&session, "echo").await, "hello");
    session.close().await;
}
