//! Git with everything that it starts: ssh and the helpers of HTTP run on when only git is killed. Whatever still runs ends
//! with `ask`.

use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

static RUNNING: Mutex<Running> = Mutex::new(Running { groups: Vec::new(), is_over: false });

struct Running {
    groups: Vec<Pid>,
    is_over: bool,
}

/// A process that leads a group of its own, not yet waited for. Killed with its group when this is dropped.
pub struct Group(Pid);

impl Group {
    /// The group of a child that was started as the leader of one.
    pub fn of(child: &Child) -> Self {
        let group = Self(Pid::from_child(child));
        let mut running = running();
        running.groups.push(group.0);
        if running.is_over {
            kill(group.0);
        }
        group
    }

    /// It comes to its end by itself. To be called before it is waited for: afterwards its number may be another's.
    pub fn release(self) {
        self.forget();
        std::mem::forget(self);
    }

    fn forget(&self) {
        running().groups.retain(|known| *known != self.0);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.forget();
        kill(self.0);
    }
}

/// Kills every group that runs, and whatever is started from here on: `ask` is about to end.
pub fn end_all() {
    let mut running = running();
    running.is_over = true;
    running.groups.iter().copied().for_each(kill);
}

fn kill(group: Pid) {
    // One that is gone already needs no killing.
    let _ = kill_process_group(group, Signal::KILL);
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
