import type { Playground } from "./queries";

/** A playground as the protocol shows it. */
export const playgroundWire = ({ id, name, pygmentsLanguage, urlTemplate }: Playground) => ({
  ...{ id, name },
  pygments_language: pygmentsLanguage,
  url_template: urlTemplate,
});
export type WirePlayground = ReturnType<typeof playgroundWire>;
