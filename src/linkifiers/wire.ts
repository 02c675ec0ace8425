import type { Linkifier } from "./queries";

/** A linkifier on the wire (`api/api-surface.json`, Linkifier). */
export const linkifierWire = ({
  id,
  pattern,
  urlTemplate,
  reverseTemplate,
  exampleInput,
  alternativeUrlTemplates,
}: Linkifier) => ({
  ...{ id, pattern, url_template: urlTemplate, example_input: exampleInput, reverse_template: reverseTemplate },
  alternative_url_templates: alternativeUrlTemplates,
});

export type WireLinkifier = ReturnType<typeof linkifierWire>;
