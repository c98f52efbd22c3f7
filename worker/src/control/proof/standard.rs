//! Signatures in the form of Standard Webhooks: HMAC-SHA256 over the id, the time and the raw body. A signature is good for
//! five minutes, and any of several secrets will do, so that one can be exchanged without a gap.

use axum::http::HeaderMap;
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::Mac as _;
use pager_questions::Time;
use secrecy::ExposeSecret;

use super::{ID, Mac, Unproved, mac, text};
use crate::configuration::control::ControlSecrets;

pub(super) const SIGNATURE: &str = "webhook-signature";
const TIMESTAMP: &str = "webhook-timestamp";
/// How far its time may be from ours, either way.
const MOST_MILLIS: i64 = 5 * 60 * 1000;
/// The most signatures that are looked at: one for each secret of a sender that exchanges them.
const MOST_SIGNATURES: usize = 16;

pub(super) fn macs(secrets: &ControlSecrets) -> Vec<Mac> {
    secrets.standard.iter().map(|secret| mac(secret.expose_secret())).collect()
}

pub(super) fn check(secrets: &[Mac], headers: &HeaderMap, body: &[u8], now: Time) -> Result<(), Unproved> {
    if secrets.is_empty() {
        return Err(Unproved::refused("control.secrets has none that begins with whsec_, so no such signature is taken"));
    }
    let needed = |name| text(headers, name).ok_or_else(|| Unproved::Refused(format!("the header {name} is missing")));
    let (id, timestamp, signatures) = (needed(ID)?, needed(TIMESTAMP)?, needed(SIGNATURE)?);
    let seconds: Option<i64> = timestamp.parse().ok();
    let at = seconds.and_then(|seconds| seconds.checked_mul(1000));
    let at = at.ok_or_else(|| Unproved::Refused(format!("{TIMESTAMP} is no number of seconds since 1970")))?;
    if now.as_millis().abs_diff(at) > MOST_MILLIS.unsigned_abs() {
        return Err(Unproved::Refused(format!("{TIMESTAMP} is more than five minutes from the time here")));
    }
    let offered = signatures.split(' ').filter_map(|signature| signature.strip_prefix("v1,")).take(MOST_SIGNATURES);
    let offered: Vec<Vec<u8>> = offered.filter_map(|encoded| STANDARD.decode(encoded).ok()).collect();
    let holds = |secret: &Mac| {
        let mut signed = secret.clone();
        for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
            signed.update(part);
        }
        // Compares in constant time.
        offered.iter().any(|signature| signed.clone().verify_slice(signature).is_ok())
    };
    if secrets.iter().any(holds) { Ok(()) } else { Err(Unproved::refused("its signature was made with none of control.secrets")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &[u8] = b"an old secret of 24 byte";
    const NEW: &[u8] = b"a new secret of 24 bytes";
    const ON: &[u8] = br#"{"type":"withdraw","id":"rel-42"}"#;
    const AT: i64 = 1_796_045_103;

    fn signature(secret: &[u8], id: &str, at: &str, body: &[u8]) -> String {
        let mut signed = mac(secret);
        signed.update(&[id.as_bytes(), b".", at.as_bytes(), b".", body].concat());
        format!("v1,{}", STANDARD.encode(signed.finalize().into_bytes()))
    }

    fn headers(id: &str, at: &str, signature: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in [(ID, id), (TIMESTAMP, at), (SIGNATURE, signature)] {
            headers.insert(name, value.parse().expect("a header"));
        }
        headers
    }

    /// Signed at `AT`, checked so many milliseconds later.
    fn checked(secrets: &[&[u8]], signature: &str, millis: i64) -> bool {
        let secrets: Vec<Mac> = secrets.iter().map(|secret| mac(secret)).collect();
        let headers = headers("event-0001", &AT.to_string(), signature);
        check(&secrets, &headers, ON, Time::from_millis(AT * 1000 + millis)).is_ok()
    }

    fn own(secret: &[u8]) -> String {
        signature(secret, "event-0001", &AT.to_string(), ON)
    }

    #[test]
    fn the_published_example_of_standard_webhooks_holds() {
        let secret = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("base64");
        let given = headers("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        let body = br#"{"test": 2432232314}"#;
        assert_eq!(check(&[mac(&secret)], &given, body, Time::from_millis(1_614_265_330_000)), Ok(()));
    }

    #[test]
    fn a_signature_is_good_for_five_minutes_either_way() {
        for (millis, holds) in
            [(0, true), (300_000, true), (300_001, false), (-300_000, true), (-300_001, false), (301_000, false)]
        {
            assert_eq!(checked(&[OLD], &own(OLD), millis), holds, "{millis}");
        }
    }

    #[test]
    fn while_secrets_are_exchanged_either_of_them_holds() {
        let both = format!("{} {}", own(NEW), own(OLD));
        assert!(checked(&[OLD, NEW], &own(OLD), 0) && checked(&[OLD, NEW], &own(NEW), 0));
        assert!(checked(&[OLD], &both, 0) && checked(&[NEW], &both, 0));
        assert!(!checked(&[NEW], &own(OLD), 0), "the old one was taken out");
        assert!(!checked(&[], &both, 0));
    }

    #[test]
    fn whatever_was_signed_cannot_be_exchanged() {
        let at = AT.to_string();
        for swapped in [
            signature(OLD, "event-0002", &at, ON),
            signature(OLD, "event-0001", "1796045104", ON),
            signature(OLD, "event-0001", &at, br#"{"type":"withdraw","id":"rel-43"}"#),
        ] {
            assert!(!checked(&[OLD], &swapped, 0));
        }
    }

    #[test]
    fn what_is_no_signature_of_this_form_is_refused() {
        let good = own(OLD);
        let plain = good.trim_start_matches("v1,");
        for odd in [plain, "", "v1,", "v1,%%%", &good.replace("v1", "v1a"), &good.replace("v1,", "v2,"), &good[..good.len() - 4]]
        {
            assert!(!checked(&[OLD], odd, 0), "{odd}");
        }
        let crowd = format!("{}{good}", "v1,AAAA ".repeat(MOST_SIGNATURES));
        assert!(!checked(&[OLD], &crowd, 0), "only so many are looked at");
        assert!(checked(&[OLD], &format!("v1a,AAAA v2,AAAA v1,AAAA {good}"), 0));
    }

    #[test]
    fn a_header_that_is_missing_twice_there_or_no_time_is_refused() {
        let secrets = [mac(OLD)];
        let now = Time::from_millis(AT * 1000);
        let whole = headers("event-0001", &AT.to_string(), &own(OLD));
        assert_eq!(check(&secrets, &whole, ON, now), Ok(()));
        for name in [ID, TIMESTAMP, SIGNATURE] {
            let mut without = whole.clone();
            without.remove(name);
            assert!(check(&secrets, &without, ON, now).is_err(), "{name}");
            let mut twice = whole.clone();
            twice.append(name, whole[name].clone());
            assert!(check(&secrets, &twice, ON, now).is_err(), "{name}");
        }
        for odd in ["", "soon", "1.5", "9223372036854775807", "-1"] {
            let headers = headers("event-0001", odd, &signature(OLD, "event-0001", odd, ON));
            assert!(check(&secrets, &headers, ON, now).is_err(), "{odd}");
        }
    }
}
