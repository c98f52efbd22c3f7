//! Bodies of what is asked and published, from flags that several verbs share. The service checks them; here only what it
//! would not ask for, and what it could not know to be meant otherwise.

mod deadline;
mod pairs;
mod place;
mod question;
mod subject;

use serde_json::{Map, Value};

pub use deadline::parse as parse_deadline;
pub use pairs::{link, media};
pub use place::Place;
pub use question::{body, purpose};
pub use subject::Subject;

use crate::again;
use crate::failure::Failure;

/// A body that is put together field by field; what is absent is not in it.
#[derive(Debug, Default)]
pub struct Body(Map<String, Value>);

impl Body {
    /// Adds a field, where there is one.
    pub fn put<T: Into<Value>>(&mut self, name: &str, value: Option<T>) {
        if let Some(value) = value {
            self.0.insert(name.to_owned(), value.into());
        }
    }

    /// Adds a list, where it has something in it.
    pub fn put_list(&mut self, name: &str, values: Vec<Value>) {
        self.put(name, (!values.is_empty()).then_some(values));
    }

    /// The JSON object.
    pub fn finish(self) -> Value {
        Value::Object(self.0)
    }
}

/// The caller's name for this act of asking or publishing, or one that is made here. It stays over all tries.
///
/// # Errors
/// When the system gives no random bytes.
pub fn publication(given: Option<&str>) -> Result<String, Failure> {
    match given {
        Some(name) => Ok(name.to_owned()),
        None => again::key(),
    }
}
