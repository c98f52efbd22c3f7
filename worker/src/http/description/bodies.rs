//! The bodies of requests as the document shows them. `questions` reads them; a test holds both to the same fields.

use pager_questions::{Issue, OptionId, Reversibility, WakeName};
use serde_json::Value;
use utoipa::ToSchema;

/// A question, as it is asked.
#[derive(ToSchema)]
#[schema(examples(json!({"text": "Release 2.4?", "options": [{"label": "Yes"}, {"label": "Not yet"}]})))]
#[expect(dead_code, reason = "only its description is used; so are those below")]
pub struct AskBody {
    /// Chosen by the agent, unique for ever; left out, one is made.
    #[schema(pattern = "^[a-z0-9][a-z0-9-]{0,63}$")]
    id: Option<String>,
    /// Left out, options make it a question and none a clarification.
    purpose: Option<pager_questions::Purpose>,
    /// What is asked. Not blank.
    #[schema(min_length = 1, max_length = 1000)]
    text: String,
    /// 2 to 4 for a question or a decision; every other purpose has its own or none.
    #[schema(max_items = 4)]
    options: Option<Vec<OptionBody>>,
    /// The id of the option that the agent recommends.
    recommended: Option<OptionId>,
    /// Several options may be picked.
    multi: Option<bool>,
    /// A title.
    #[schema(min_length = 1, max_length = 30)]
    header: Option<String>,
    /// The id of a set of questions that are asked together.
    #[schema(min_length = 1, max_length = 64)]
    group: Option<String>,
    /// What undoing a choice would cost.
    reversibility: Option<Reversibility>,
    /// What stands still until the answer comes.
    #[schema(min_length = 1, max_length = 300)]
    waiting_on: Option<String>,
    /// RFC 3339, or whole seconds since 1970. What is not a time is left out, with a warning.
    deadline: Option<Value>,
    /// The option that the agent goes on with after the deadline.
    default: Option<OptionId>,
    /// Of an approval: the category of the reserved action.
    gate: Option<pager_questions::GateCategory>,
    /// Of an approval: exactly what is to be done.
    #[schema(min_length = 1, max_length = 32000)]
    subject: Option<String>,
    /// Of an approval: that of the subject, where there is one.
    #[schema(pattern = "^sha256:[0-9a-f]{64}$")]
    digest: Option<String>,
    /// Of an action: exactly what is to be done, step by step.
    #[schema(max_items = 20)]
    steps: Option<Vec<String>>,
    /// Own words are for the agent alone.
    secret: Option<bool>,
    /// A link to the matter.
    issue: Option<Issue>,
    /// The id of the request, or of the question of one's own, that it belongs to. An offer requires it.
    about: Option<pager_questions::ThreadId>,
    /// The caller's word on where it runs.
    source: Option<SourceBody>,
    /// The wake target that is told of the end.
    wake: Option<WakeName>,
    /// The caller's own identity for this act of asking.
    #[schema(min_length = 1, max_length = 200)]
    publication_id: Option<String>,
}

/// An option, as it is offered.
#[derive(ToSchema)]
#[expect(dead_code, reason = "see AskBody")]
pub struct OptionBody {
    /// Left out, its place: `1`, `2`, …
    id: Option<OptionId>,
    /// Distinct within the question.
    #[schema(min_length = 1, max_length = 100)]
    label: String,
    /// What it costs. A decision requires it.
    #[schema(min_length = 1, max_length = 500)]
    detail: Option<String>,
}

/// Where an agent runs. Its name comes from its token.
#[derive(ToSchema)]
#[expect(dead_code, reason = "see AskBody")]
pub struct SourceBody {
    /// Not looked at.
    agent: Option<Value>,
    /// The run.
    #[schema(min_length = 1, max_length = 200)]
    run: Option<String>,
    /// The task.
    #[schema(min_length = 1, max_length = 200)]
    task: Option<String>,
    /// The project.
    #[schema(min_length = 1, max_length = 200)]
    project: Option<String>,
    /// Where it runs, for the owner's eye.
    #[schema(min_length = 1, max_length = 200)]
    seat_hint: Option<String>,
}

/// An answer.
#[derive(ToSchema)]
#[schema(examples(json!({"answer": "Yes", "option": "1"})))]
#[expect(dead_code, reason = "see AskBody")]
pub struct AnswerBody {
    /// Own words; with an option the option counts, and this is anything that is not blank.
    #[schema(min_length = 1, max_length = 1000)]
    answer: String,
    /// The id of the option; several joined by commas where several may be picked.
    option: Option<String>,
    /// The exact record that is meant.
    incarnation: Option<pager_questions::Incarnation>,
    /// The revision of it that was read.
    #[schema(minimum = 0)]
    expected_revision: Option<u64>,
    /// Words that look like a secret are meant.
    confirm_secret: Option<bool>,
}

/// Work that is asked for.
#[derive(ToSchema)]
#[schema(examples(json!({"title": "Build this Rust parser", "text": "With tests, please.", "tags": ["cap:rust"]})))]
#[expect(dead_code, reason = "see AskBody")]
pub struct RequestBody {
    /// Chosen by the caller, of one name space with the ids of questions; left out, one is made.
    id: Option<pager_questions::RequestId>,
    /// On one line. Not blank.
    #[schema(min_length = 1, max_length = 200)]
    title: String,
    /// Not blank.
    #[schema(min_length = 1, max_length = 4096)]
    text: String,
    /// Which skills it is for, each a word like `cap:rust`.
    #[schema(max_items = 10)]
    tags: Option<Vec<String>>,
    /// From when on it is unanswered. RFC 3339, or whole seconds since 1970. What is not a time is left out, with a warning.
    deadline: Option<Value>,
    /// A link to the matter.
    issue: Option<Issue>,
    /// The caller's own identity for this act of asking.
    #[schema(min_length = 1, max_length = 200)]
    publication_id: Option<String>,
}

/// A reply to a request.
#[derive(ToSchema)]
#[schema(examples(json!({"title": "Built, untested", "text": "Untested: nothing was compiled."})))]
#[expect(dead_code, reason = "see AskBody")]
pub struct ReplyBody {
    /// On one line. Not blank.
    #[schema(min_length = 1, max_length = 200)]
    title: String,
    /// Not blank.
    #[schema(min_length = 1, max_length = 4096)]
    text: String,
    /// The caller's own identity for this act of replying.
    #[schema(min_length = 1, max_length = 200)]
    publication_id: Option<String>,
}

/// A partial offer.
#[derive(ToSchema)]
#[schema(examples(json!({"deliverable": "untested code", "missing": "a build and a test run", "why": "no compiler in this run"})))]
#[expect(dead_code, reason = "see AskBody")]
pub struct OfferBody {
    /// What would be delivered.
    #[schema(min_length = 1, max_length = 100)]
    deliverable: String,
    /// What would be missing.
    #[schema(min_length = 1, max_length = 250)]
    missing: String,
    /// Why.
    #[schema(min_length = 1, max_length = 250)]
    why: String,
    /// The way out; `no thanks` when left out.
    #[schema(min_length = 1, max_length = 100)]
    or: Option<String>,
    /// RFC 3339, or whole seconds since 1970. What is not a time is left out, with a warning.
    deadline: Option<Value>,
    /// With a deadline: `deliverable`, or `out`.
    default: Option<String>,
    /// Chosen by the agent, unique for ever; left out, one is made.
    #[schema(pattern = "^[a-z0-9][a-z0-9-]{0,63}$")]
    id: Option<String>,
    /// The caller's word on where it runs.
    source: Option<SourceBody>,
    /// The wake target that is told of the end.
    wake: Option<WakeName>,
    /// The caller's own identity for this act of offering.
    #[schema(min_length = 1, max_length = 200)]
    publication_id: Option<String>,
}

/// What an agent picks of what is put to it: an option, or words.
#[derive(ToSchema)]
#[schema(examples(json!({"option": "deliverable"})))]
#[expect(dead_code, reason = "see AskBody")]
pub struct PickBody {
    /// The id of the option; several joined by commas where several may be picked.
    option: Option<String>,
    /// Own words, in place of an option.
    #[schema(min_length = 1, max_length = 1000)]
    words: Option<String>,
    /// The exact record that is meant.
    incarnation: Option<pager_questions::Incarnation>,
    /// The revision of it that was read.
    #[schema(minimum = 0)]
    expected_revision: Option<u64>,
    /// Words that look like a secret are meant.
    confirm_secret: Option<bool>,
}

/// What takes a question back.
#[derive(ToSchema)]
#[schema(examples(json!({"reason": "It is settled."})))]
#[expect(dead_code, reason = "see AskBody")]
pub struct WithdrawBody {
    /// Why, for people.
    #[schema(min_length = 1, max_length = 1000)]
    reason: Option<String>,
    /// The exact record that is meant.
    incarnation: Option<pager_questions::Incarnation>,
    /// The revision of it that was read.
    #[schema(minimum = 0)]
    expected_revision: Option<u64>,
}

/// What calls a question off.
#[derive(ToSchema)]
#[schema(examples(json!({})))]
#[expect(dead_code, reason = "see AskBody")]
pub struct CancelBody {
    /// The exact record that is meant.
    incarnation: Option<pager_questions::Incarnation>,
    /// The revision of it that was read.
    #[schema(minimum = 0)]
    expected_revision: Option<u64>,
}

/// What spends an approval.
#[derive(ToSchema)]
#[schema(examples(json!({})))]
#[expect(dead_code, reason = "see AskBody")]
pub struct ConsumeBody {
    /// The exact record that is meant.
    incarnation: Option<pager_questions::Incarnation>,
    /// The revision of it that was read.
    #[schema(minimum = 0)]
    expected_revision: Option<u64>,
    /// What the agent is about to do; compared with what was approved.
    digest: Option<String>,
}

/// What says that private words have arrived.
#[derive(ToSchema)]
#[schema(examples(json!({})))]
#[expect(dead_code, reason = "see AskBody")]
pub struct ConfirmBody {
    /// The exact record that is meant.
    incarnation: Option<pager_questions::Incarnation>,
    /// The revision of it that was read.
    #[schema(minimum = 0)]
    expected_revision: Option<u64>,
}

/// An empty object, or nothing.
#[derive(ToSchema)]
#[schema(examples(json!({})))]
pub struct EmptyBody {}

/// News, as it is published.
#[derive(ToSchema)]
#[schema(examples(json!({"title": "Done", "body": "2.4 is out."})))]
#[expect(dead_code, reason = "see AskBody")]
pub struct UpdateBody {
    /// Not blank.
    #[schema(min_length = 1, max_length = 200)]
    title: String,
    /// Not blank.
    #[schema(min_length = 1, max_length = 2000)]
    body: String,
    /// Links to follow.
    #[schema(max_items = 8)]
    links: Option<Vec<pager_questions::update::UpdateLink>>,
    /// Pictures, recordings and the like, by address.
    #[schema(max_items = 8)]
    media: Option<Vec<pager_questions::update::UpdateMedia>>,
    /// A link to the matter.
    issue: Option<Issue>,
    /// The caller's word on where it runs.
    source: Option<SourceBody>,
    /// The caller's own identity for this act of publishing.
    #[schema(min_length = 1, max_length = 200)]
    publication_id: Option<String>,
}

/// For how long a wake is marked.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its description is used")]
pub struct MarkBody {
    /// In seconds; 60 when left out.
    #[schema(minimum = 1, maximum = 600)]
    lease: Option<u32>,
    /// The token of an earlier mark, to renew it.
    mark: Option<String>,
}

/// The mark that a wake is acknowledged with.
#[derive(ToSchema)]
#[expect(dead_code, reason = "see MarkBody")]
pub struct AckBody {
    /// The token of the mark.
    mark: Option<String>,
}

/// The mark that is let go.
#[derive(ToSchema)]
#[expect(dead_code, reason = "see MarkBody")]
#[schema(examples(json!({"mark": "5b1f0c2a9e6d4478"})))]
pub struct ReleaseBody {
    /// The token of the mark.
    mark: String,
}

/// The bodies in which nothing else may stand. The schemas of [`Issue`] and the like are of replies, too, and stay open.
pub const CLOSED: [&str; 17] = [
    "AskBody",
    "OptionBody",
    "SourceBody",
    "AnswerBody",
    "WithdrawBody",
    "CancelBody",
    "RequestBody",
    "ReplyBody",
    "OfferBody",
    "PickBody",
    "ConsumeBody",
    "ConfirmBody",
    "EmptyBody",
    "UpdateBody",
    "MarkBody",
    "AckBody",
    "ReleaseBody",
];
