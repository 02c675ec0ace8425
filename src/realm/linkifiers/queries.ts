import { asc, eq } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { cached } from "../../memory/cached";

/**
 * Linkifier of an organization, which turns matches of a regular expression into links, by RFC 6570
 * templates.
 */
export interface Linkifier {
  id: number;
  pattern: string;
  urlTemplate: string;
  /** Template of the matched text, for clients that turn an address back into it. */
  reverseTemplate: string | null;
  exampleInput: string | null;
  /** Other addresses that are turned back into it. */
  alternativeUrlTemplates: string[];
}

const selectAll = statement((db, { linkifiers }, given: Given<{ realmId: number }>) =>
  db
    .select()
    .from(linkifiers)
    .where(eq(linkifiers.realmId, given.realmId))
    .orderBy(asc(linkifiers.position), asc(linkifiers.id)),
);

/** All linkifiers of a realm, in the order in which they are tried. */
export const listLinkifiers = cached(
  ["linkifiers"],
  async (reader, realmId): Promise<readonly Linkifier[]> => {
    const rows = await selectAll(reader, { realmId });
    return rows.map(
      ({
        id,
        pattern,
        urlTemplate,
        reverseTemplate,
        exampleInput,
        alternativeUrlTemplates,
      }): Linkifier => ({
        id,
        pattern,
        urlTemplate,
        reverseTemplate,
        exampleInput,
        alternativeUrlTemplates: JSON.parse(alternativeUrlTemplates),
      }),
    );
  },
);
