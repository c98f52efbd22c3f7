//! Files of events that were dealt with.

use crate::store::{EventFile, Store, Write};

pub async fn a_file_of_an_event_is_kept_with_what_came_of_it_until_it_is_gone(store: &dyn Store) {
    let file = |name: &str, content: &str, is_refused: bool| EventFile {
        name: name.to_owned(),
        content: content.to_owned(),
        is_refused,
    };
    assert_eq!(store.event_files().await.unwrap(), []);
    let files = [file("b.json", "1", true), file("a.json", "2", false)];
    store.commit(files.iter().cloned().map(Write::KeepEventFile).collect()).await.unwrap();
    assert_eq!(store.event_files().await.unwrap(), [files[1].clone(), files[0].clone()]);
    let mended = file("b.json", "3", false);
    let gone = Write::ForgetEventFile { name: "a.json".to_owned() };
    store.commit(vec![Write::KeepEventFile(mended.clone()), gone]).await.unwrap();
    assert_eq!(store.event_files().await.unwrap(), [mended]);
}
