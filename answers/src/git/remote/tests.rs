#![expect(clippy::unwrap_used, reason = "a test may panic")]
use super::*;

fn remote(url: &str) -> Result<GitRemote, InvalidRemote> {
    GitRemote::new(url, &Credentials::default())
}

fn header(remote: &GitRemote) -> Option<String> {
    let value = remote.settings().into_iter().find(|(name, _)| name.ends_with(".extraHeader"))?.1;
    let encoded = value.strip_prefix("Authorization: Basic ")?.to_owned();
    String::from_utf8(base64::engine::general_purpose::STANDARD.decode(encoded).unwrap()).ok()
}

#[test]
fn every_kind_of_url_becomes_the_address_that_git_is_given() {
    for (url, address) in [
        ("git+https://example.org/a.git", "https://example.org/a.git"),
        ("git+http://127.0.0.1:8080/a%20b.git", "http://127.0.0.1:8080/a%20b.git"),
        ("https://example.org/group/a.git", "https://example.org/group/a.git"),
        ("git+ssh://git@example.org:22/a.git", "ssh://git@example.org:22/a.git"),
        ("ssh://example.org/a.git", "ssh://example.org/a.git"),
        ("git@example.org:group/a.git", "git@example.org:group/a.git"),
        ("git+file:/var/a b.git", "/var/a b.git"),
        ("git+file:///var/a.git", "/var/a.git"),
        ("file:///var/a.git", "/var/a.git"),
        ("/var/a b.git", "/var/a b.git"),
        ("git.example.org:a.git", "git.example.org:a.git"),
    ] {
        assert_eq!(remote(url).unwrap().address(), address);
    }
}

#[test]
fn what_stands_in_the_url_is_taken_out_and_used() {
    let found = remote("git+https://olga:s%40cret@example.org/a.git").unwrap();
    assert_eq!(found.address(), "https://example.org/a.git");
    assert_eq!(header(&found).as_deref(), Some("olga:s@cret"));
    assert!(!format!("{found} {found:?}").contains("cret"));
}

#[test]
fn the_settings_win_over_the_url_and_a_token_alone_is_enough() {
    let credentials = Credentials { user: None, token: Some("token".to_owned().into()) };
    let plain = GitRemote::new("https://example.org/a.git", &credentials).unwrap();
    assert_eq!(header(&plain).as_deref(), Some("git:token"));
    let both = GitRemote::new("https://olga:old@example.org/a.git", &credentials).unwrap();
    assert_eq!(header(&both).as_deref(), Some("olga:token"));
}

#[test]
fn without_a_token_git_asks_its_own_helpers() {
    assert!(remote("https://example.org/a.git").unwrap().settings().is_empty());
}

#[test]
fn a_token_never_goes_to_another_address() {
    let found = remote("https://a:b@example.org/a.git").unwrap();
    assert!(found.settings().iter().any(|(name, _)| name == "http.https://example.org/a.git.extraHeader"));
}

#[test]
fn a_token_follows_nobody_to_another_address() {
    let found = remote("https://a:b@example.org/a.git").unwrap();
    assert!(found.settings().contains(&("http.followRedirects".to_owned(), "false".to_owned())));
    assert!(remote("https://example.org/a.git").unwrap().settings().is_empty());
}

#[test]
fn other_urls_are_refused_with_the_way_out_and_without_what_they_hold() {
    for url in [
        "",
        "git+",
        "git+ext::sh -c secret",
        "ext::sh",
        "git+ftp://secret@example.org/a",
        "https://example.org",
        "https:///a.git",
        "https://-oProxyCommand=secret/a.git",
        "https://me:%zzsecret@example.org/a.git",
        "ssh://me:secret@example.org/a.git",
        "ssh://-oProxyCommand=secret/a.git",
        "-oProxyCommand=secret@host:a",
        "git@-oProxyCommand=secret:a",
        "git@host:-secret",
        "git+file:",
        "git+file://host/secret",
        "https://example.org/a.git?token=secret",
        "https://example.org/a\nsecret",
    ] {
        let words = remote(url).unwrap_err().to_string();
        assert!(words.contains("use git+https://"), "{url:?}: {words}");
        assert!(!words.contains("secret"), "{words}");
    }
}
