//! What a token has to say: exactly what is pinned, for exactly this body, at about this time.

use pager_questions::Time;
use serde::Deserialize;

use super::Unproved;
use crate::configuration::control::Oidc;

/// How far two clocks may be apart.
const LEEWAY_SECONDS: i64 = 30;
/// How old a token may be, however long it says that it lasts.
const MOST_AGE_SECONDS: i64 = 10 * 60;
/// The most characters of a token's own id.
const MOST_IN_ID: usize = 200;

/// The claims that are looked at. All are needed; `sub` is not among them, since what it says depends on a repository's age.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Claims {
    iss: String,
    /// One text. A list would let a token that is good elsewhere be good here too.
    aud: String,
    exp: i64,
    nbf: i64,
    iat: i64,
    jti: String,
    repository_id: String,
    workflow_ref: String,
    event_name: String,
    #[serde(rename = "ref")]
    git_ref: String,
}

impl Claims {
    /// The token's own id, once everything else holds. `digest` is the SHA-256 of the raw body, hex.
    pub(super) fn check(self, pinned: &Oidc, digest: &str, now: Time) -> Result<String, Unproved> {
        let audience = format!("pager:{digest}");
        for (claim, is, wanted) in [
            ("iss", &self.iss, &pinned.issuer),
            ("repository_id", &self.repository_id, &pinned.repository_id),
            ("workflow_ref", &self.workflow_ref, &pinned.workflow_ref),
            ("event_name", &self.event_name, &pinned.event_name),
            ("ref", &self.git_ref, &pinned.git_ref),
            ("aud", &self.aud, &audience),
        ] {
            if is != wanted {
                let to = if claim == "aud" { "the hash of this body" } else { "the one that is pinned" };
                return Err(Unproved::Refused(format!("the token's {claim} is not {to}")));
            }
        }
        self.check_times(now.as_millis().div_euclid(1000))?;
        if self.jti.is_empty() || self.jti.len() > MOST_IN_ID {
            return Err(Unproved::refused("the token's jti is empty or too long"));
        }
        Ok(self.jti)
    }

    fn check_times(&self, now: i64) -> Result<(), Unproved> {
        let late = now.saturating_add(LEEWAY_SECONDS);
        let early = now.saturating_sub(LEEWAY_SECONDS);
        let wrong = [
            (self.exp < early, "the token has expired"),
            (self.nbf > late, "the token is not good yet"),
            (self.iat > late, "the token says that it was issued in the future"),
            (self.iat < early.saturating_sub(MOST_AGE_SECONDS), "the token was issued more than ten minutes ago"),
        ];
        match wrong.into_iter().find(|(is_so, _)| *is_so) {
            Some((_, reason)) => Err(Unproved::refused(reason)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const NOW: i64 = 1_796_045_103;
    const DIGEST: &str = "b0d1";
    const WORKFLOW: &str = "o/control/.github/workflows/pager-forward.yml@refs/heads/main";

    fn pinned() -> Oidc {
        Oidc {
            issuer: "https://token.actions.githubusercontent.com".to_owned(),
            jwks_url: None,
            repository_id: "42".to_owned(),
            workflow_ref: WORKFLOW.to_owned(),
            event_name: "repository_dispatch".to_owned(),
            git_ref: "refs/heads/main".to_owned(),
        }
    }

    fn claims(more: Value) -> Value {
        let mut claims = json!({
            "iss": pinned().issuer, "aud": "pager:b0d1", "jti": "one", "iat": NOW, "nbf": NOW - 600, "exp": NOW + 300,
            "repository_id": "42", "workflow_ref": WORKFLOW, "event_name": "repository_dispatch", "ref": "refs/heads/main",
            "sub": "repo:o/control:ref:refs/heads/main", "repository": "o/control",
        });
        claims.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        claims
    }

    /// What comes of a token with these claims in the place of good ones; None when it has not even their shape.
    fn checked(more: Value) -> Option<Result<String, Unproved>> {
        let claims: Claims = serde_json::from_value(claims(more)).ok()?;
        Some(claims.check(&pinned(), DIGEST, Time::from_millis(NOW * 1000)))
    }

    fn holds(more: Value) -> bool {
        checked(more).is_some_and(|outcome| outcome == Ok("one".to_owned()))
    }

    #[test]
    fn a_token_that_says_what_is_pinned_holds_whatever_its_subject_is() {
        assert!(holds(json!({})));
        assert!(holds(json!({"sub": "repo:o@1/control@42:ref:refs/heads/main", "repository": "o/renamed", "extra": [1]})));
    }

    #[test]
    fn a_workflow_is_compared_whole_however_odd_its_names_are() {
        for odd in [
            "o/control/.github/workflows/pager-forward.yml@refs/heads/main@refs/heads/evil",
            "o/control/.github/workflows/pager-forward.yml@refs/heads/evil@refs/heads/main",
            "o/control/.github/workflows/pager-forward.yml@refs/heads/main.yml",
            "o/control/.github/workflows/pager-forward.yml@refs/tags/main",
            "o/control/.github/workflows/pager-forward.yml@refs/pull/1/merge",
            "o/control/.github/workflows/pager-forward.yml.yml@refs/heads/main",
            "o/control/.github/workflows/evil.yml@pager-forward.yml@refs/heads/main",
            "o/control/.github/workflows/x/.github/workflows/pager-forward.yml@refs/heads/main",
            "o/control/.github/workflows/../workflows/pager-forward.yml@refs/heads/main",
            "evil/o/control/.github/workflows/pager-forward.yml@refs/heads/main",
            "O/control/.github/workflows/pager-forward.yml@refs/heads/main",
            "o/control/.github/workflows/PAGER-FORWARD.yml@refs/heads/main",
            "o/control/.github/workflows/pager-forward.yml@refs/heads/main ",
            "o/control/.github/workflows/pager-forward.yml@refs/heads/main\n",
            "o/control/.github/workflows/pager-forward.yml@",
            "o/control/.github/workflows/pager-forward.yml",
            "",
        ] {
            assert!(!holds(json!({"workflow_ref": odd})), "{odd:?}");
        }
    }

    #[test]
    fn a_workflow_whose_own_branch_has_odd_letters_is_compared_whole_too() {
        let odd = "o/control/.github/workflows/a.yml@b.yml@refs/heads/x@y.yml";
        let pinned = Oidc { workflow_ref: odd.to_owned(), git_ref: "refs/heads/x@y.yml".to_owned(), ..pinned() };
        let check = |workflow: &str| {
            let more = json!({"workflow_ref": workflow, "ref": "refs/heads/x@y.yml"});
            let claims: Claims = serde_json::from_value(claims(more)).expect("they have the shape");
            claims.check(&pinned, DIGEST, Time::from_millis(NOW * 1000)).is_ok()
        };
        assert!(check(odd));
        assert!(!check("o/control/.github/workflows/a.yml@refs/heads/x@y.yml"));
        assert!(!check("o/control/.github/workflows/a.yml@b.yml@refs/heads/x"));
    }

    #[test]
    fn another_issuer_repository_event_ref_or_body_is_refused() {
        for other in [
            json!({"iss": "https://token.actions.githubusercontent.com/"}),
            json!({"iss": "https://token.actions.githubusercontent.com.evil.example"}),
            json!({"repository_id": "43"}),
            json!({"repository_id": "042"}),
            json!({"event_name": "workflow_dispatch"}),
            json!({"event_name": "pull_request_target"}),
            json!({"ref": "refs/heads/evil"}),
            json!({"ref": "main"}),
            json!({"aud": "pager:b0d2"}),
            json!({"aud": "b0d1"}),
            json!({"aud": "PAGER:b0d1"}),
            json!({"aud": "https://github.com/o"}),
            json!({"jti": ""}),
            json!({"jti": "x".repeat(201)}),
        ] {
            assert!(checked(other.clone()).is_some_and(|outcome| outcome.is_err()), "{other}");
        }
    }

    #[test]
    fn a_claim_of_another_shape_and_an_audience_in_a_list_are_refused() {
        for other in [
            json!({"aud": ["pager:b0d1"]}),
            json!({"aud": ["pager:b0d1", "https://other.example"]}),
            json!({"aud": {"0": "pager:b0d1"}}),
            json!({"iss": ["https://token.actions.githubusercontent.com"]}),
            json!({"repository_id": 42}),
            json!({"workflow_ref": [WORKFLOW]}),
            json!({"exp": "1796045403"}),
            json!({"iat": null}),
            json!({"jti": 1}),
        ] {
            assert!(checked(other.clone()).is_none(), "{other}");
        }
        for claim in ["iss", "aud", "exp", "nbf", "iat", "jti", "repository_id", "workflow_ref", "event_name", "ref"] {
            let mut claims = claims(json!({}));
            claims.as_object_mut().expect("an object").remove(claim);
            assert!(serde_json::from_value::<Claims>(claims).is_err(), "{claim} is needed");
        }
    }

    #[test]
    fn a_token_is_good_in_its_time_give_or_take_half_a_minute_and_never_after_ten() {
        for (times, fits) in [
            (json!({"exp": NOW - 30}), true),
            (json!({"exp": NOW - 31}), false),
            (json!({"nbf": NOW + 30}), true),
            (json!({"nbf": NOW + 31}), false),
            (json!({"iat": NOW + 30}), true),
            (json!({"iat": NOW + 31}), false),
            (json!({"iat": NOW - 600 - 30}), true),
            (json!({"iat": NOW - 600 - 31}), false),
            (json!({"iat": NOW - 86_400, "exp": NOW + 86_400}), false),
            (json!({"iat": i64::MIN, "nbf": i64::MIN, "exp": i64::MAX}), false),
            (json!({"iat": i64::MAX}), false),
        ] {
            assert_eq!(holds(times.clone()), fits, "{times}");
        }
    }
}
