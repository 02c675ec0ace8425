import { type Static, Type } from "@sinclair/typebox";
import type { Playground } from "./queries";

/** A playground as the protocol shows it. */
export const playgroundObject = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    pygments_language: Type.String({
      description: "Language by the name of its lexer in Pygments.",
    }),
    url_template: Type.String({
      description: "RFC 6570 template of an address, with the variable `code`.",
    }),
  },
  { title: "Playground" },
);

export type WirePlayground = Static<typeof playgroundObject>;

export const playgroundWire = ({
  id,
  name,
  pygmentsLanguage,
  urlTemplate,
}: Playground): WirePlayground => ({
  id,
  name,
  pygments_language: pygmentsLanguage,
  url_template: urlTemplate,
});
