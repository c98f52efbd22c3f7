//! What is refused, in sets that handlers name: a status, and the codes that its problem document may carry. The sets that one
//! handler names have no status in common.

use std::collections::BTreeMap;

use pager_questions::Answer;
use serde_json::json;
use utoipa::openapi::{ContentBuilder, RefOr, Response, ResponseBuilder, Schema};
use utoipa::{IntoResponses, ToSchema};

/// An RFC 9457 document: what is wrong, and what to do.
#[derive(ToSchema)]
#[schema(as = Problem)]
#[expect(dead_code, reason = "only its description is used")]
pub struct ProblemDocument {
    /// `urn:pager:` and the code; an identifier, not an address.
    r#type: String,
    /// Short, the same for every problem of this code.
    title: String,
    /// The HTTP status.
    status: u16,
    /// Stable, for programs.
    code: String,
    /// What is wrong here and what to do.
    detail: String,
    /// The field at fault, like `options[1].label`.
    #[schema(nullable = false)]
    field: Option<String>,
    /// The state of the question, where that is the reason.
    #[schema(nullable = false)]
    state: Option<String>,
    /// The answer that settled it, where that is the reason.
    #[schema(nullable = false)]
    answer: Option<Answer>,
}

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident: $($status:literal $why:literal [$($code:literal),+]),+;)+) => {
        $(
            $(#[$doc])*
            pub struct $name;

            impl IntoResponses for $name {
                fn responses() -> BTreeMap<String, RefOr<Response>> {
                    [$(($status.to_owned(), refusal($why, &[$($code),+]))),+].into()
                }
            }
        )+
    };
}

refusals! {
    /// Of every call that needs a token: that, its role, and the store itself.
    NeedsToken:
        "401" "No token, or none that is valid" ["unauthenticated"],
        "403" "A token of another role" ["forbidden"],
        "503" "Not possible at this moment" ["busy", "unavailable"];
    /// The same of a call that every role may make.
    NeedsAnyToken:
        "401" "No token, or none that is valid" ["unauthenticated"],
        "403" "A token of another role" ["forbidden"],
        "503" "Not possible at this moment" ["unavailable"];
    /// There is none, or it is another's.
    NotFound: "404" "No such thing for this token" ["not_found"];
    /// A query that cannot be read.
    UnreadQuery: "400" "The query cannot be read" ["malformed"];
    /// A query that breaks a rule.
    WrongQuery:
        "400" "The query cannot be read" ["malformed"],
        "422" "A parameter breaks a rule" ["invalid"];
    /// A body where none is taken.
    TakesNoBody:
        "400" "There is a body" ["malformed"],
        "413" "The body is over 64 KB" ["too_large"];
    /// A body that cannot be read, or breaks a rule.
    WrongBody:
        "400" "The body is not JSON" ["malformed"],
        "413" "The body is over 64 KB" ["too_large"],
        "422" "A field breaks a rule" ["invalid", "unknown_field"];
    /// The same of a question.
    WrongQuestion:
        "400" "The body is not JSON" ["malformed"],
        "413" "The body is over 64 KB" ["too_large"],
        "422" "A field breaks a rule" ["invalid", "unknown_field"];
    /// The same of what settles a question.
    WrongAnswer:
        "400" "The body cannot be read" ["malformed"],
        "413" "The body is over 64 KB" ["too_large"],
        "422" "A field breaks a rule" ["invalid", "unknown_field", "key_reused", "looks_secret"];
    /// The same of what settles a question and has no body.
    WrongKey:
        "400" "There is a body" ["malformed"],
        "413" "The body is over 64 KB" ["too_large"],
        "422" "The Idempotency-Key breaks a rule" ["invalid", "key_reused"];
    /// What clashes with what was asked before.
    AskedBefore: "409" "It clashes with what was asked before" ["id_used", "draft_changed", "already_answered"];
    /// What clashes with what was asked for before.
    MadeBefore: "409" "It clashes with what was asked for before" ["id_used", "draft_changed"];
    /// What clashes with what was published before.
    PublishedBefore: "409" "It clashes with what was published before" ["draft_changed"];
    /// No room at the source.
    NoRoom: "429" "This source has no room" ["capacity"];
    /// What keeps a question from being settled.
    Settled:
        "409" "It is another record, or settled already" ["answering", "withdrawn", "already_answered", "incarnation_mismatch", "revision_conflict"],
        "502" "The answers repository refused the answer" ["save_refused"];
    /// What keeps a question from being taken back.
    TooLate: "409" "It is another record, or settled already" ["answering", "withdrawn", "already_answered", "incarnation_mismatch", "revision_conflict"];
    /// What keeps an approval from being spent.
    NotToSpend: "409" "It is not approved, spent, or another" ["answering", "withdrawn", "already_answered", "not_approved", "already_spent", "digest_mismatch", "incarnation_mismatch"];
    /// Somebody else has the wake.
    Taken: "409" "Another runner has it, or it is done with" ["wake_taken"];
    /// Another record of the same id.
    AnotherRecord: "409" "It is another record, or not settled" ["incarnation_mismatch", "answering", "already_answered", "withdrawn"];
    /// It was taken back.
    TakenBack: "410" "Its agent took it back" ["withdrawn"];
    /// An event without proof, or one whose act is refused.
    Unproved:
        "400" "The event cannot be read" ["malformed"],
        "401" "Nothing proves the event" ["unauthenticated"],
        "413" "The event is too large" ["too_large"],
        "422" "The event breaks a rule" ["invalid", "unknown_field"],
        "503" "The proof could not be checked" ["unavailable"];
}

/// A problem document with one of these codes.
fn refusal(why: &str, codes: &[&str]) -> RefOr<Response> {
    let document = json!({
        "allOf": [{"$ref": "#/components/schemas/Problem"}, {"type": "object", "properties": {"code": {"type": "string", "enum": codes}}}],
    });
    let schema: RefOr<Schema> = serde_json::from_value(document).expect("it is a schema");
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().description(why).content("application/problem+json", content).build().into()
}
