//! The document itself: what the routes say, and what they have in common.

use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::bodies::CLOSED;
use super::refusals::ProblemDocument;

/// What every route is added to.
pub fn beginning() -> OpenApi {
    let info = InfoBuilder::new()
        .title("pager")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("Carries questions of agents to their owner, and answers back."))
        .build();
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("`pagerd token create` makes one.")).build();
    let mut schemas = Vec::new();
    ProblemDocument::schemas(&mut schemas);
    let components = ComponentsBuilder::new()
        .schemas_from_iter(schemas)
        .schema(ProblemDocument::name(), ProblemDocument::schema())
        .security_scheme("bearer", SecurityScheme::Http(bearer))
        .build();
    OpenApiBuilder::new().info(info).components(Some(components)).build()
}

/// The text that is served: the description of the routes, with the bodies closed that refuse further fields.
pub fn text(mut description: OpenApi) -> String {
    if let Some(components) = &mut description.components {
        for name in CLOSED {
            if let Some(RefOr::T(Schema::Object(body))) = components.schemas.get_mut(name) {
                body.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
            }
        }
    }
    serde_json::to_string(&description).expect("a description is plain JSON")
}
