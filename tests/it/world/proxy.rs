//! What stands in front of pagerd for the world outside: one address, wherever pagerd listens by now.

use tokio::net::{TcpListener, TcpStream};

use super::Address;

/// Passes connections on until the test ends; while pagerd is down they break off. Gives back its address, `http://…`.
pub async fn start(to: Address) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut outside, _)) = listener.accept().await {
            let host = to.host();
            tokio::spawn(async move {
                let Ok(mut inside) = TcpStream::connect(host).await else { return };
                let _ = tokio::io::copy_bidirectional(&mut outside, &mut inside).await;
            });
        }
    });
    url
}
