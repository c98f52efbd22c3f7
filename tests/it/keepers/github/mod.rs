//! The keeper for a repository on GitHub, on a fake GitHub with real git beneath it.

mod app;
mod begin;
mod calls;
mod faults;
mod limits;
mod others;
mod place;
mod refusals;
mod service;

use place::Place;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_repository_on_github_passes_the_conformance_suite_with_a_token() {
    pager_answers::conformance::all(Place::with_token_unpaced).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_repository_on_github_passes_the_conformance_suite_with_an_app() {
    pager_answers::conformance::all(Place::with_app_unpaced).await;
}
