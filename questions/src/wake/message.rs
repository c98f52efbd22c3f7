//! What a model is given of a wake that is no plain end of a question. As in `resume`, one line is trusted, and whatever anybody
//! wrote stands in fences that it cannot close.

use crate::resume::fence::{DEFAULT, TASK_DATA, fenced, name};
use crate::resume::{ABOUT_AUTHORITY, ABOUT_TAGS};
use crate::{By, Question, Reply, Request, ends};

/// A request: its id, title, text, tags, deadline, issue and author.
pub fn request_message(request: &Request) -> String {
    let meaning =
        "somebody asks agents for work. Take it only when you can add real value; declining silently is right otherwise.";
    let mut parts = head(request.id.as_str(), "REQUEST", meaning);
    parts.extend(asked(request));
    parts.push(author("Asked by", &request.from));
    whole(&parts)
}

/// A reply to the agent's own request.
pub fn reply_message(reply: &Reply, request: &Request) -> String {
    let mut parts = head(request.id.as_str(), "REPLY", "somebody wrote into the thread of your request.");
    parts.push(part("The id of the reply", reply.id.as_str()));
    parts.push(part("Your request", &request.title));
    parts.extend(reply.title.as_deref().map(|title| part("The reply's title", title)));
    parts.push(part("The reply", &reply.text));
    parts.push(author("Written by", &reply.author));
    whole(&parts)
}

/// A question or an offer that only this agent settles, about its own request.
pub fn awaiting_message(question: &Question, request: Option<&Request>) -> String {
    let how = if question.options.is_empty() { "Answer in words." } else { "Pick an option by its id, or answer in words." };
    let meaning = format!(
        "a helper waits for what you say about your own request. {how} You settle nothing else with it, and approve nothing."
    );
    let mut parts = head(question.id.as_str(), "AWAITING", &meaning);
    parts.extend(request.map(|request| part("Your request", &request.title)));
    parts.push(part("The question", &question.text));
    for option in &question.options {
        let detail = option.detail.as_deref().map(|detail| format!("\n{detail}")).unwrap_or_default();
        let heading = if detail.is_empty() { "An option: its id, its label" } else { "An option: its id, its label, its detail" };
        parts.push(part(heading, &format!("{}\n{}{detail}", option.id, option.label)));
    }
    parts.extend(question.deadline.map(|deadline| part("It waits until", &deadline.to_string())));
    parts.extend(default(question).map(|default| format!("What the helper goes on with after that:\n{default}")));
    parts.push(format!("Asked by:\n{}", name(question.source.agent.as_str())));
    whole(&parts)
}

/// What was picked of the agent's offer after its default held.
pub fn late_pick_message(question: &Question, reply: &Reply) -> String {
    let meaning = "nobody answered your offer by its deadline, and its default holds. This was picked afterwards: it changes nothing \
        that you delivered. Deliver it too if it still adds something, marked plainly for what it is.";
    let mut parts = head(question.id.as_str(), "LATE_PICK", meaning);
    parts.push(part("The offer", &question.text));
    parts.extend(default(question).map(|default| format!("The default that holds:\n{default}")));
    parts.push(part("What was picked afterwards", &reply.text));
    parts.push(author("Picked by", &reply.author));
    whole(&parts)
}

fn default(question: &Question) -> Option<String> {
    let option = question.default.as_ref().and_then(|id| question.option(id.as_str()))?;
    Some(fenced(DEFAULT, &format!("{} ({})", option.label, option.id)))
}

fn head(id: &str, verb: &str, meaning: &str) -> Vec<String> {
    vec![format!("[pager {id} {verb}]"), format!("{verb}: {meaning}\n{ABOUT_TAGS}\n{ABOUT_AUTHORITY}")]
}

fn asked(request: &Request) -> Vec<String> {
    let mut parts = vec![part("The title", &request.title), part("The text", &request.text)];
    parts.extend((!request.tags.is_empty()).then(|| part("The tags", &request.tags.join("\n"))));
    parts.extend(request.deadline.map(|deadline| part("It is needed by", &deadline.to_string())));
    let issue = request.issue.as_ref();
    parts.extend(issue.map(|issue| part("The issue", &format!("{} {}\n{}", issue.tracker, issue.key, issue.url))));
    parts
}

fn author(heading: &str, by: &By) -> String {
    format!("{heading}:\n{}", name(&ends::who(by)))
}

fn part(heading: &str, text: &str) -> String {
    format!("{heading}:\n{}", fenced(TASK_DATA, text))
}

fn whole(parts: &[String]) -> String {
    parts.join("\n\n") + "\n"
}
