//! Time that passes without waiting for it: what the store holds is moved back.

use sqlx::Connection as _;

use super::World;

/// Of a column of JSON the field that repeats the first of its table's times as a text.
type Whole = Option<(&'static str, &'static str)>;

/// Each table with its columns of milliseconds.
const TIMES: [(&str, &[&str], Whole); 5] = [
    ("requests", &["at", "answered_at"], Some(("request", "$.at"))),
    ("replies", &["at"], Some(("reply", "$.at"))),
    ("questions", &["asked_at", "ended_at"], Some(("record", "$.question.asked_at"))),
    ("wake_causes", &["at"], None),
    ("wakes", &["at"], None),
];

impl World {
    /// While pagerd is down, everything that was asked, that was said about it and that happened to it becomes older by this.
    pub async fn ages(&mut self, millis: i64) {
        self.terminate().await;
        let path = self.data_dir().join("pager.sqlite");
        let mut store = sqlx::SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
        for (table, columns, whole) in TIMES {
            let mut changes: Vec<String> = columns.iter().map(|column| format!("{column} = {column} - {millis}")).collect();
            if let Some((whole, field)) = whole {
                let column = columns[0];
                let earlier = format!("strftime('%Y-%m-%dT%H:%M:%fZ', ({column} - {millis}) / 1000.0, 'unixepoch')");
                changes.push(format!("{whole} = json_set({whole}, '{field}', {earlier})"));
            }
            let change = format!("UPDATE {table} SET {}", changes.join(", "));
            sqlx::query(sqlx::AssertSqlSafe(change)).execute(&mut store).await.unwrap();
        }
        store.close().await.unwrap();
        self.serve().await;
    }
}
