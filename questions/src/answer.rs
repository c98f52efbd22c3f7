//! What settled a question: the object that every door shows and that `answers/<id>.json` holds.

use serde::{Deserialize, Serialize};

use crate::signature::{BadSignature, SigningKey, VerifyingKey};
use crate::{By, Incarnation, OptionId, Question, QuestionId, QuestionOption, Time};

/// What a declined question tells its agent, unless it asked for a yes.
pub const DECLINED_NOTE: &str =
    "The owner declined to answer. Go on by your own best judgement and state the assumption you made.";

/// How a question ended, where its end has a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// One of the options.
    Chosen,
    /// Somebody's own words.
    OwnWords,
    /// The owner leaves it to the agent.
    Declined,
    /// Called off.
    Cancelled,
    /// Nobody answered by the deadline: the agent goes on with the default that it named.
    Defaulted,
    /// Nobody answered by the deadline: not approved.
    Expired,
}

impl Outcome {
    /// The wire name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::OwnWords => "own_words",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::Defaulted => "defaulted",
            Self::Expired => "expired",
        }
    }
}

/// One answer. The fields stand in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Answer {
    /// The question's id.
    pub id: QuestionId,
    /// The question's incarnation.
    pub incarnation: Incarnation,
    /// What an agent branches on.
    pub outcome: Outcome,
    /// The chosen option's id, several joined by commas; null for everything else.
    pub choice: Option<String>,
    /// The chosen label, several joined by `, `, or somebody's own words; null for everything else, and when they are private.
    pub answer: Option<String>,
    /// Only where several options may be picked: the ids, in the question's order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<OptionId>>,
    /// Only when the words are for the agent alone: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub private: Option<bool>,
    /// Only when defaulted: the id of the option that the agent goes on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<OptionId>,
    /// Only when declined: what its agent is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Only when cancelled: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was claimed.
    pub at: Time,
    /// When the question was asked.
    pub asked_at: Time,
    /// Who settled it, through which door.
    pub by: By,
    /// The question's text.
    pub question: String,
    /// The question's options, `[]` without.
    pub options: Vec<QuestionOption>,
    /// What the agent goes on with: the label, `label: detail` for a decision, the words, or null.
    pub recorded: Option<String>,
    /// The digest of what was approved; null for what is no approval.
    pub digest: Option<String>,
    /// `ed25519:` and padded base64, over the RFC 8785 form without this field. Absent until the answer is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

impl Answer {
    /// The part that is the same for every outcome; the caller fills in the outcome's own fields.
    pub(crate) fn about(question: &Question, outcome: Outcome, by: By, at: Time) -> Self {
        Self {
            id: question.id.clone(),
            incarnation: question.incarnation.clone(),
            outcome,
            choice: None,
            answer: None,
            choices: None,
            private: None,
            default: None,
            note: None,
            reason: None,
            at,
            asked_at: question.asked_at,
            by,
            question: question.text.clone(),
            options: question.options.clone(),
            recorded: None,
            digest: question.digest.clone(),
            signature: None,
        }
    }

    /// The answer with its signature. The same answer and key give the same bytes every time.
    pub fn signed(&self, key: &SigningKey) -> Self {
        Self { signature: Some(key.sign(&self.canonical())), ..self.clone() }
    }

    /// The bytes of `answers/<id>.json`: 2-space indent, final newline.
    pub fn file(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).expect("an answer is plain JSON");
        bytes.push(b'\n');
        bytes
    }

    /// The message of the commit that brings it: never the answer's words.
    pub fn commit_message(&self) -> String {
        format!("answer {}: {}", self.id, self.outcome.as_str())
    }

    /// Is it signed by one of these keys?
    ///
    /// # Errors
    /// [`BadSignature`] when there is no signature, or none of the keys made it.
    pub fn verify(&self, keys: &[VerifyingKey]) -> Result<(), BadSignature> {
        let signature = self.signature.as_deref().ok_or(BadSignature::Missing)?;
        let bytes = Self { signature: None, ..self.clone() }.canonical();
        let verified = keys.iter().any(|key| key.verify(&bytes, signature).is_ok());
        if verified { Ok(()) } else { Err(BadSignature::Wrong) }
    }

    fn canonical(&self) -> Vec<u8> {
        serde_jcs::to_vec(&Self { signature: None, ..self.clone() }).expect("an answer is plain JSON")
    }
}
