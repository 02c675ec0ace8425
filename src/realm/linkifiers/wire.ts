import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../core/params";
import type { Linkifier } from "./queries";

/** A linkifier on the wire (`test/recorded/api/api-surface.json`, Linkifier). */
export const linkifierObject = Type.Object(
  {
    id: Type.Integer(),
    pattern: Type.String({ description: "Regular expression whose matches become links." }),
    url_template: Type.String({
      description: "RFC 6570 template of the links' address.",
    }),
    example_input: nullable(Type.String()),
    reverse_template: nullable(
      Type.String({ description: "Text that an address is turned back into." }),
    ),
    alternative_url_templates: Type.Array(Type.String(), {
      description: "Templates of other addresses that are turned back into the text.",
    }),
  },
  { title: "Linkifier" },
);

export const linkifierWire = ({
  id,
  pattern,
  urlTemplate,
  reverseTemplate,
  exampleInput,
  alternativeUrlTemplates,
}: Linkifier): Static<typeof linkifierObject> => ({
  id,
  pattern,
  url_template: urlTemplate,
  example_input: exampleInput,
  reverse_template: reverseTemplate,
  alternative_url_templates: alternativeUrlTemplates,
});
