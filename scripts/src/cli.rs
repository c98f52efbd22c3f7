//! The command line: its verbs, and a help that shows an example of each.

use clap::{Parser, Subcommand};

use crate::door::Connection;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::verbs::mark::{self, Act, Mark};
use crate::verbs::{
    answer, cancel, completions, decide, decline, directive, gate, inbox, list, man, new, offer, pick, reply, request, run,
    status, update, updates, wait, withdraw,
};

const MORE: &str = r#"Examples:
  ask new "Release 2.4 now?" -o yes="Yes, release" -o no=No --id rel-42
  ask new "Release 2.4 now?" -o Yes -o No --wait 1h
  ask new "Which port?" --reversibility reversible --waiting-on "the deploy"
  since=$(ask new "Merge?" -o Yes -o No --id merge-7 --print time)
  ask wait merge-7 --since "$since" --timeout 2h
  ask answer merge-7 --since "$since"
  ask answer merge-7 --resume
  ask withdraw merge-7 --reason "the tests settled it"
  ask gate merge "Merge PR 42?" --subject pr-42.diff --run "$RUN" && merge
  ask gate --check --run "$RUN"
  ask update "Nightly finished" --body "3 of 4 passed" --link Log=https://ci.example/1
  ask list --state open
  ask request "Build this Rust parser" --text "With tests, please." --tag cap:rust
  ask reply r-17 --title "A parser, untested" --text "Untested: nothing was compiled. …"
  ask offer r-17 --deliverable "untested code" --missing "a build and a test run" \
    --why "no compiler in this run" --deadline 1h
  ask pick r-17-offer --option deliverable
  ask status --json
  ask directive --autonomy semi --tier full
  ask run                 # keeps an agent reachable; see runner.toml
  ask run --once          # one round, for cron
  ask run --log

As the owner:
  ask inbox             # in the terminal, live
  ask inbox --json
  ask decide rel-42 --option yes
  ask decide rel-42 --words "Yes, but only after lunch"
  ask decline rel-42
  ask cancel rel-42
  ask updates --state unread
  ask read u-9f3c2a715be04d18
  ask dismiss u-9f3c2a715be04d18

For the shell:
  ask completions bash > ~/.local/share/bash-completion/completions/ask
  ask man | man -l -

Standard output is data, one line of JSON; standard error is for people.

Exit codes:
  0  done; an answer was printed. An approval: approved (or delegated); an
     action: done; verify: it works; and nothing else
  1  failed; the message says why and what to do
  2  wrong usage, or refused as malformed or invalid
  3  no answer yet; {"id","state"} is printed. Also: an approval, an action or
     a verification was asked, without --wait
  4  declined, cancelled or expired; not approved, not done, not verified
  5  withdrawn
  6  nobody answered by the deadline; the default is printed
  7  refused: the id is used, the draft changed, no room, an approval spent
     before; for the owner: it has ended, the outcome is printed
  8  unknown id
  9  withdraw came too late; the answer is printed
  130, 143  interrupted

Settings, the first that is set counts:
  --url; ASK_URL, ASK_TOKEN, ASK_VERIFY_KEY (several by commas);
  url, token, token_file, verify_key in ~/.config/pager/ask.toml;
  a `pagerd try` on this machine (PAGER_DATA_DIR is obeyed)

Without a way to pagerd, `new`, `wait`, `answer`, `withdraw`, `update`, `request`,
  `reply` and `offer` go through
  GitHub: ASK_CONTROL=owner/repo to send to, ASK_ANSWERS=owner/repo[@branch]
    to read; GH_TOKEN (else GITHUB_TOKEN) sends, and reads unless there is an
    ASK_ANSWERS_TOKEN; ASK_GITHUB_API for a server that is not github.com;
  any git: ASK_ANSWERS=URL[@branch] to read, ASK_EVENTS=URL to ask; over HTTP
    ASK_ANSWERS_TOKEN and ASK_EVENTS_TOKEN, else git's credential helpers.
  ASK_AGENT is the name to ask under; ASK_VERIFY_KEY holds here too.
  An event tells nothing back: it was sent, and whether it arrived is not told"#;

const SEE: &str = "Settings, the ways through GitHub and git, and exit codes: ask --help";

/// Asks the owner, and gets the answer.
#[derive(Debug, Parser)]
#[command(name = "ask", version, about = "Ask the owner a question, and wait for the answer", after_help = MORE)]
#[command(arg_required_else_help = true, disable_help_subcommand = true, max_term_width = 110)]
pub struct Cli {
    #[command(flatten)]
    connection: Connection,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Ask; prints {"id","incarnation","asked_at","state","link"}
    #[command(after_help = SEE)]
    New(Box<new::New>),
    /// Wait for the answer; prints it
    #[command(after_help = SEE)]
    Wait(wait::Wait),
    /// Print the answer if there is one now
    #[command(after_help = SEE)]
    Answer(answer::Answer),
    /// Take a question back; prints its record, or the answer that was first
    #[command(after_help = SEE)]
    Withdraw(withdraw::Withdraw),
    /// Ask for the approval of a reserved action, wait, and spend it; only an approval exits 0
    #[command(after_help = SEE)]
    Gate(Box<gate::Gate>),
    /// Publish news for the owner; prints {"id","at","state"}
    #[command(after_help = SEE)]
    Update(update::Update),
    /// Ask other agents for work; prints {"id","at","state"}
    #[command(after_help = SEE)]
    Request(request::Request),
    /// Answer a request, or add to your own; prints {"id","request","kind","at"}
    #[command(after_help = SEE)]
    Reply(reply::Reply),
    /// Offer the part of a request that you can deliver; prints what `new` does
    #[command(after_help = SEE)]
    Offer(Box<offer::Offer>),
    /// Settle what a helper asks about your request; prints the answer
    #[command(after_help = SEE)]
    Pick(pick::Pick),
    /// Print what waits for you, and what of yours nobody answered
    #[command(after_help = SEE)]
    Status(status::Status),
    /// List your questions, newest first
    List(list::List),
    /// Print the section of a prompt that says when to ask rather than guess; needs no service
    Directive(directive::Directive),
    /// Keep an agent reachable: start its command for what concerns it
    #[command(after_help = SEE)]
    Run(run::Run),
    /// As the owner: what waits for you, live in the terminal, or as JSON
    Inbox(inbox::Inbox),
    /// As the owner: answer with an option or your own words
    Decide(decide::Decide),
    /// As the owner: leave it to the agent's own judgement
    Decline(decline::Decline),
    /// As the owner: call a question off
    Cancel(cancel::Cancel),
    /// As the owner: the news, newest first
    Updates(updates::Updates),
    /// As the owner: mark an update as read
    Read(Mark),
    /// As the owner: be done with an update
    Dismiss(Mark),
    /// Print completions for a shell
    Completions(completions::Completions),
    /// Print the manual page
    Man(man::Man),
}

impl Cli {
    /// Does what was asked for.
    ///
    /// # Errors
    /// What ended it, with the exit code.
    pub fn run(&self) -> Result<Exit, Failure> {
        let connection = &self.connection;
        let url = connection.url.as_deref();
        match &self.verb {
            Verb::New(new) => new::run(new, connection),
            Verb::Wait(wait) => wait::run(wait, connection),
            Verb::Answer(answer) => answer::run(answer, connection),
            Verb::Withdraw(withdraw) => withdraw::run(withdraw, connection),
            Verb::Gate(gate) => gate::run(gate, connection),
            Verb::Update(update) => update::run(update, connection),
            Verb::Request(request) => request::run(request, connection),
            Verb::Reply(reply) => reply::run(reply, connection),
            Verb::Offer(offer) => offer::run(offer, connection),
            Verb::Pick(pick) => pick::run(pick, connection),
            Verb::Status(status) => status::run(status, connection),
            Verb::List(list) => list::run(list, url),
            Verb::Directive(asked) => directive::run(asked),
            Verb::Run(run) => run::run(run, connection),
            Verb::Inbox(inbox) => inbox::run(inbox, url),
            Verb::Decide(decide) => decide::run(decide, url),
            Verb::Decline(decline) => decline::run(decline, url),
            Verb::Cancel(cancel) => cancel::run(cancel, url),
            Verb::Updates(updates) => updates::run(updates, url),
            Verb::Read(update) => mark::run(update, Act::Read, url),
            Verb::Dismiss(update) => mark::run(update, Act::Dismiss, url),
            Verb::Completions(completions) => completions::run(completions),
            Verb::Man(man) => man::run(man),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_help_shows_an_example_for_each_verb() {
        for verb in Cli::command().get_subcommands() {
            let example = format!("ask {} ", verb.get_name());
            assert!(MORE.contains(&example), "no example for {}", verb.get_name());
        }
    }

    #[test]
    fn no_flag_takes_a_token() {
        for verb in Cli::command().get_subcommands() {
            assert!(verb.get_arguments().all(|argument| !argument.get_id().as_str().contains("token")), "{}", verb.get_name());
        }
    }
}
