//! Reads a JSON body field by field, so that every fault names its field. What nobody asked for is refused at the end.

use serde_json::{Map, Value};

use crate::text;

/// A body that cannot be taken: which field, what is wrong, what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {detail}")]
pub struct Fault {
    /// Stable, for programs.
    pub code: FaultCode,
    /// The path of the field, like `options[1].label`; empty for the body as a whole.
    pub field: String,
    /// What is wrong and what to do, for people.
    pub detail: String,
}

/// The stable code of a [`Fault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultCode {
    /// The value breaks a rule.
    Invalid,
    /// No such field.
    UnknownField,
}

impl FaultCode {
    /// As it stands in a problem document.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::UnknownField => "unknown_field",
        }
    }
}

impl Fault {
    /// A value that breaks a rule.
    pub fn invalid(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { code: FaultCode::Invalid, field: field.into(), detail: detail.into() }
    }

    /// A field that nobody asked for.
    pub fn unknown_field(field: impl Into<String>) -> Self {
        let detail = "is not a field of this body; leave it out or correct its name".to_owned();
        Self { code: FaultCode::UnknownField, field: field.into(), detail }
    }
}

/// The fields of one JSON object, taken out one by one. `null` is the same as absent.
pub struct Fields {
    left: Map<String, Value>,
    path: String,
}

impl Fields {
    /// Begins with a whole body.
    ///
    /// # Errors
    /// A fault without a field when the body is not a JSON object.
    pub fn of(body: Value) -> Result<Self, Fault> {
        Self::at(body, String::new())
    }

    fn at(value: Value, path: String) -> Result<Self, Fault> {
        match value {
            Value::Object(left) => Ok(Self { left, path }),
            _ => Err(Fault::invalid(path, "must be a JSON object")),
        }
    }

    /// The full path of a field of this object.
    pub fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// Takes any value.
    pub fn value(&mut self, name: &str) -> Option<Value> {
        self.left.remove(name).filter(|value| !value.is_null())
    }

    /// Takes a text of at most `most` characters, not blank, without U+0000; None when absent.
    pub fn text(&mut self, name: &str, most: usize) -> Result<Option<String>, Fault> {
        let Some(text) = self.string(name)? else { return Ok(None) };
        check_text(&text, most).map_err(|detail| Fault::invalid(self.path_of(name), detail))?;
        Ok(Some(text))
    }

    /// Takes a text that must be there.
    pub fn required_text(&mut self, name: &str, most: usize) -> Result<String, Fault> {
        self.text(name, most)?.ok_or_else(|| Fault::invalid(self.path_of(name), "is required"))
    }

    /// Takes an address that must be there: http or https, at most 2000 characters. Nothing fetches it.
    pub fn required_link(&mut self, name: &str) -> Result<String, Fault> {
        let url = self.required_text(name, 2000)?;
        if is_link(&url) {
            return Ok(url);
        }
        Err(Fault::invalid(self.path_of(name), "must be a link that begins with http:// or https://"))
    }

    /// Takes any string, as it is.
    pub fn string(&mut self, name: &str) -> Result<Option<String>, Fault> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Fault::invalid(self.path_of(name), "must be a string")),
        }
    }

    /// Takes a value that a parser reads from a string; the parser's error is what the caller is told.
    pub fn parsed<T, E: ToString>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, E>) -> Result<Option<T>, Fault> {
        let Some(text) = self.string(name)? else { return Ok(None) };
        parse(&text).map(Some).map_err(|error| Fault::invalid(self.path_of(name), error.to_string()))
    }

    /// Takes a nested object.
    pub fn object(&mut self, name: &str) -> Result<Option<Self>, Fault> {
        let path = self.path_of(name);
        self.value(name).map(|value| Self::at(value, path)).transpose()
    }

    /// Takes a list of objects.
    pub fn objects(&mut self, name: &str) -> Result<Vec<Self>, Fault> {
        let path = self.path_of(name);
        match self.value(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(values)) => {
                values.into_iter().enumerate().map(|(index, value)| Self::at(value, format!("{path}[{index}]"))).collect()
            }
            Some(_) => Err(Fault::invalid(path, "must be a list")),
        }
    }

    /// Takes a list of texts of at most `most` characters each, none blank; None when absent.
    pub fn texts(&mut self, name: &str, most: usize) -> Result<Option<Vec<String>>, Fault> {
        let path = self.path_of(name);
        let values = match self.value(name) {
            None => return Ok(None),
            Some(Value::Array(values)) => values,
            Some(_) => return Err(Fault::invalid(path, "must be a list")),
        };
        let texts = values.into_iter().enumerate().map(|(index, value)| {
            let path = format!("{path}[{index}]");
            let Value::String(text) = value else { return Err(Fault::invalid(path, "must be a string")) };
            check_text(&text, most).map_err(|detail| Fault::invalid(path, detail))?;
            Ok(text)
        });
        texts.collect::<Result<_, _>>().map(Some)
    }

    /// Takes true or false; false when absent.
    pub fn flag(&mut self, name: &str) -> Result<bool, Fault> {
        match self.value(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(Fault::invalid(self.path_of(name), "is true or false")),
        }
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// `unknown_field` with the first field that nobody took.
    pub fn finish(self) -> Result<(), Fault> {
        match self.left.keys().next() {
            None => Ok(()),
            Some(name) => Err(Fault::unknown_field(self.path_of(name))),
        }
    }
}

fn is_link(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
        && !url.chars().any(|character| character.is_whitespace() || character.is_control())
}

/// The one rule for texts: something to see, not too long, no U+0000.
///
/// # Errors
/// What is wrong, to be shown behind the field's name.
pub fn check_text(value: &str, most: usize) -> Result<(), String> {
    if value.contains('\0') {
        return Err("must not contain U+0000".to_owned());
    }
    if text::is_blank(value) {
        return Err("must not be blank".to_owned());
    }
    match text::length(value) {
        length if length > most => Err(format!("has {length} characters; at most {most} are taken")),
        _ => Ok(()),
    }
}
