//! The description of the API: whole in itself, true of what serves, and changed on purpose only.

use std::collections::BTreeSet;
use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{World, sent};

async fn document(world: &World) -> Value {
    world.nobody().get("/v1/openapi.json").await.with(200)
}

/// Path, method and description of each operation.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().unwrap();
    let each = |(path, methods): (&String, &Value)| {
        let methods = methods.as_object().unwrap().clone();
        methods.into_iter().map(|(method, operation)| (path.clone(), method, operation)).collect::<Vec<_>>()
    };
    paths.iter().flat_map(each).collect()
}

/// Every value of this key, at any depth.
fn all<'a>(key: &str, value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get(key));
            fields.values().for_each(|value| all(key, value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| all(key, value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn codes(response: &Value) -> String {
    let mut found = Vec::new();
    all("enum", response, &mut found);
    all("$ref", response, &mut found);
    found.iter().map(|value| value.to_string()).collect::<Vec<_>>().join(" ")
}

/// The document without what is the same everywhere: a line for each parameter, body, reply and schema.
fn outline(document: &Value) -> String {
    let mut lines = vec![format!("OpenAPI {}", document["openapi"].as_str().unwrap())];
    for (path, method, operation) in operations(document) {
        lines.push(format!("\n{} {path}: {}", method.to_uppercase(), operation["summary"].as_str().unwrap()));
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let [place, name] = ["in", "name"].map(|key| parameter[key].as_str().unwrap());
            lines.push(format!("  {place} {name}: {}", parameter["schema"]));
        }
        if let Some(body) = operation.get("requestBody") {
            lines.push(format!("  body: {}", codes(body)));
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            lines.push(format!("  {status}: {}", codes(response)));
        }
    }
    lines.push(String::new());
    let schemas = document["components"]["schemas"].as_object().unwrap();
    lines.extend(schemas.iter().map(|(name, schema)| format!("{name}: {schema}")));
    lines.join("\n") + "\n"
}

#[tokio::test]
async fn the_description_is_whole_in_itself() {
    let world = World::start().await;
    let document = document(&world).await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
    assert_eq!(document["info"]["title"], "pager");
    let mut references = Vec::new();
    all("$ref", &document, &mut references);
    assert!(references.len() > 50);
    for reference in references {
        let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
    let operations = operations(&document);
    let ids: BTreeSet<_> = operations.iter().map(|(.., operation)| operation["operationId"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), operations.len(), "each operation has an id of its own");
    for (path, method, operation) in &operations {
        let named = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let declared = parameters.iter().filter(|parameter| parameter["in"] == "path");
        let declared: Vec<_> = declared.map(|parameter| parameter["name"].as_str().unwrap()).collect();
        assert_eq!(named.collect::<Vec<_>>(), declared, "{method} {path}");
    }
}

#[tokio::test]
async fn every_described_call_is_served_and_answers_as_described() {
    let world = World::start().await;
    let document = document(&world).await;
    for (path, method, operation) in operations(&document) {
        let address = path.replace("{id}", "rel-1").replace("{agent}", "tester");
        let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let reply = sent(world.nobody().request(method.clone(), &address)).await.unwrap();
        let described = operation["responses"].as_object().unwrap();
        assert!(described.contains_key(&reply.status.to_string()), "{method} {path}: {} is not described", reply.status);
        if operation.get("security").is_some() && path != "/metrics" {
            assert_eq!(reply.status, 401, "{method} {path} is said to need a token");
        }
        assert!(![404, 405].contains(&reply.status), "{method} {path}");
    }
}

#[tokio::test]
async fn each_field_of_a_described_body_is_one_that_is_read() {
    let world = World::start().await;
    let document = document(&world).await;
    // What an offer says of its deadline is read once its request is found.
    let request = json!({"id": "rel-1", "title": "Release it", "text": "As ever."});
    world.owner().post("/v1/requests", &request).await.with(201);
    let mut seen = 0;
    for (path, method, operation) in operations(&document) {
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        let Some(name) = body.to_string().split("schemas/").nth(1).and_then(|rest| rest.split('"').next().map(str::to_owned))
        else {
            continue;
        };
        let schema = &document["components"]["schemas"][&name];
        assert_eq!(schema["additionalProperties"], false, "{name} takes nothing else");
        let address = path.replace("{id}", "rel-1");
        let is_owners = ["AnswerBody", "CancelBody", "EmptyBody"].contains(&name.as_str());
        let caller = if is_owners { world.owner() } else { world.agent() };
        let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let wrong = |field: &str| {
            let mut body = schema["examples"][0].clone();
            body[field] = json!({"of": "another type"});
            caller.request(method.clone(), &address).json(&body)
        };
        for field in schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys()) {
            // What is no time is taken, with a warning; of a nested one the field inside is named.
            let reply = sent(wrong(field)).await.unwrap();
            let refusal: Value = reply.json();
            let own = refusal["field"].as_str().unwrap_or_default().starts_with(field.as_str());
            let is_read = (own && refusal["code"] == "invalid")
                || field == "deadline" && reply.status == 201
                || refusal["field"] == format!("{field}.of");
            assert!(is_read, "{name}.{field}: {refusal}");
            seen += 1;
        }
        if name != "EmptyBody" || !path.contains("/updates/") {
            let refusal: Value = sent(wrong("no_such_field")).await.unwrap().json();
            assert_eq!(refusal["code"], "unknown_field", "{name}: {refusal}");
        }
    }
    assert!(seen > 35, "{seen}");
}

#[tokio::test]
async fn a_path_that_is_no_text_is_as_unknown_as_any_other() {
    let world = World::start().await;
    for path in ["/v1/questions/%FF", "/v1/questions/%FF/answer", "/v1/updates/%FF", "/v1/requests/%FF"] {
        let reply = sent(world.owner().request(Method::GET, path)).await.unwrap();
        assert!([403, 404].contains(&reply.status), "{path}: {reply:?}");
        assert_eq!(reply.header("content-type"), "application/problem+json", "{path}");
    }
}

#[tokio::test]
async fn the_description_changes_on_purpose_only() {
    let world = World::start().await;
    let outline = outline(&document(&world).await);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/http/openapi.txt");
    if std::env::var_os("PAGER_REWRITE_DOCS").is_some() {
        std::fs::write(&file, &outline).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap();
    assert_eq!(kept, outline, "PAGER_REWRITE_DOCS=1 writes it anew; read the difference");
}
