//! Where GitHub is, and what may be sent there.

use super::Setup;

#[test]
fn the_token_goes_over_tls_or_stays_on_this_machine() {
    let at = |url: &str| Setup::file(&format!("[github]\ntoken = 'ghp_1'\napi_url = '{url}'\n"));
    for fine in ["https://github.example/api/v3", "http://127.0.0.1:8082", "http://localhost:8082/"] {
        let access = at(fine).loaded().github.access.unwrap();
        assert_eq!(access.api_url, fine.trim_end_matches('/'));
    }
    for open in ["http://github.example/api/v3", "http://10.0.0.7", "ftp://github.example"] {
        let faults = at(open).faults();
        let said = "github.api_url at FILE: does not begin with https://, so that the token could be read on the way; \
                    put https:// in its place";
        assert_eq!(faults, [said]);
    }
}
