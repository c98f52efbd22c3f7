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
        let mut store = self.store_file().await;
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

    /// While pagerd is down, the deadline of this question passes: no test has to hurry to be ready before it.
    pub async fn deadline_passes(&mut self, id: &str) {
        self.terminate().await;
        let mut store = self.store_file().await;
        let passed = "UPDATE questions SET record = json_set(record, '$.question.deadline', \
                      strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 seconds')) WHERE id = ? AND state = 'open'";
        let changed = sqlx::query(passed).bind(id).execute(&mut store).await.unwrap().rows_affected();
        assert_eq!(changed, 1, "{id} is not open");
        store.close().await.unwrap();
        self.serve().await;
    }

    async fn store_file(&self) -> sqlx::SqliteConnection {
        let path = self.data_dir().join("pager.sqlite");
        sqlx::SqliteConnection::connect(path.to_str().unwrap()).await.unwrap()
    }
}
