//! The bare repository against the real git program: as the other writer, and as the judge.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod crashes;
mod faults;
mod folders;
mod kills;
mod other_writers;
mod place;

use place::Place;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_bare_repository_passes_the_conformance_suite() {
    pager_answers::conformance::all(Place::new).await;
}
