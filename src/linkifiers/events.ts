import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

const nullableText = Type.Union([Type.String(), Type.Null()]);

/** The linkifiers of the organization are others: all of them, in their order. To the realm. */
export const linkifiersChanged = event("realm_linkifiers", undefined, {
  realm_linkifiers: Type.Array(
    Type.Object({
      id: Type.Integer(),
      pattern: Type.String(),
      url_template: Type.String(),
      example_input: nullableText,
      reverse_template: nullableText,
      alternative_url_templates: Type.Array(Type.String()),
    }),
  ),
});
