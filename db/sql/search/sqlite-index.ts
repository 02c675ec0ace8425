import { sql } from "drizzle-orm";
import { rawOf } from "../../take-rows";
import { type CandidateSource, foundIn, nearestRows } from "./candidates";
import type { Match } from "./match";
import type { SearchIndex } from "./search-index";

const words: CandidateSource = {
  name: "words",
  candidates(db, { messageWords }, given, side) {
    const where = sql`message_words match ${given.match}`;
    return nearestRows(
      db,
      { rows: messageWords, id: sql`${messageWords.messageId}`, where },
      given,
      side,
    );
  },
};

/**
 * The search index on SQLite: one FTS5 table for all organizations, which finds messages in the
 * order of their ids.
 */
export const sqliteIndex: SearchIndex = {
  isOfAllRealms: true,
  matchText: ftsText,
  documentOf: (marks, keys) => [...marks, ...keys].join(" "),
  rowsFrom: (list) => sql`select value ->> 1, value ->> 2 from json_each(${list})`,
  isOfRealm: () => undefined,
  // FTS5 deletes its rows without reading them, which is needed because they may be damaged.
  async empty(reader) {
    await rawOf(reader).run(sql`INSERT INTO message_words (message_words) VALUES ('delete-all')`);
  },
  nearest: words,
  search: async (slice, test) => foundIn(await test(words, slice), slice),
};

function ftsText(match: Match): string {
  switch (match.kind) {
    case "phrase":
      return `"${match.keys.join(" ")}"`;
    case "any":
      return `(${match.of.map(ftsText).join(" OR ")})`;
    case "not":
      throw new Error("FTS5 needs a condition that is not negated beside negated ones.");
    case "all": {
      const wanted = match.of.filter(({ kind }) => kind !== "not").map(ftsText);
      const unwanted = match.of.flatMap((one) => (one.kind === "not" ? [ftsText(one.of)] : []));
      const text = `(${wanted.join(" AND ")})`;
      return unwanted.length === 0 ? text : `(${text} NOT (${unwanted.join(" OR ")}))`;
    }
  }
}
