import { and, type SQLWrapper, sql } from "drizzle-orm";
import type { Given } from "../../reader";
import { rawOf } from "../../take-rows";
import {
  byNearness,
  type CandidateSource,
  type CandidateValues,
  foundIn,
  isBeyond,
  nearestRows,
} from "./candidates";
import type { Match } from "./match";
import type { SearchIndex } from "./search-index";

/**
 * So many of the realm's messages are looked through before the index is asked where others are.
 */
const nearMax = 5_000;
/** It is asked when they have had less than this share of what is looked for. */
const fewShare = 1 / 8;

const isOfRealm = (realmId: number | Given<CandidateValues>["realmId"]) =>
  sql`message_words.realm_id = ${realmId}`;
const hasWords = (words: SQLWrapper, { match }: Given<CandidateValues>) =>
  sql`${words} @@ ${match}::tsquery`;

/** Messages with the words among the next of all, which are looked through one after the other. */
const nearWords: CandidateSource = {
  name: "nearWords",
  candidates(db, t, given, side) {
    const { messageId, words } = t.messageWords;
    const next = db
      .select({ candidate: sql<number>`${messageId}`.as("candidate"), words })
      .from(t.messageWords)
      .where(and(isOfRealm(given.realmId), isBeyond(sql`${messageId}`, given, side)))
      .orderBy(byNearness(sql`${messageId}`, side))
      .limit(nearMax)
      .as("next");
    return db
      .select({ candidate: sql<number>`${next.candidate}`.as("candidate") })
      .from(sql`${next}`)
      .where(hasWords(next.words, given))
      .orderBy(byNearness(sql`${next.candidate}`, side))
      .limit(given.most);
  },
  edge({ messageWords: words }, given, side) {
    const id = sql`${words.messageId}`;
    return sql`case when count(*) < ${given.most}::bigint then (
    select ${id} from ${words} where ${and(isOfRealm(given.realmId), isBeyond(id, given, side))}
    order by ${byNearness(id, side)} limit 1 offset ${sql.raw(String(nearMax - 1))}) end`;
  },
};

/**
 * Messages to which the index of words leads. PostgreSQL does not take the index of ids instead,
 * because that knows no sums.
 */
const farWords: CandidateSource = {
  name: "farWords",
  candidates(db, { messageWords }, given, side) {
    const id = sql`(${messageWords.messageId} + 0)`;
    const where = and(hasWords(messageWords.words, given), isOfRealm(given.realmId));
    return nearestRows(db, { rows: messageWords, id, where }, given, side);
  },
};

type Follow = SearchIndex["follow"];

/**
 * The index of words has no order by ids: words that most messages have are found at once among the
 * next messages, and the index is quick to tell where the others are. Left to its plans, which go
 * by what it believes of the frequency of words, PostgreSQL would sort all that have a frequent
 * one, or read through all messages for a rare one.
 */
const followNearThenFar: Follow = async (slice, test) => {
  const { side, count, most } = slice;
  const near = await test(nearWords, slice);
  const found = foundIn(near, slice);
  if (found.last !== undefined || near.edge === null) return found;
  if (near.testedCount >= most * fewShare || found.ids.length === count)
    return { ...found, last: near.edge };
  const rest = {
    side,
    anchor: near.edge,
    count: count - found.ids.length,
    most: most - near.testedCount,
  };
  const far = await followFar(rest, test);
  return { ...far, ids: [...found.ids, ...far.ids] };
};

/**
 * Where what it brings lies closer together than what is few, the next slice is of the next messages
 * again.
 */
const followFar: Follow = async (slice, test) => {
  const { ids, last } = foundIn(await test(farWords, slice), slice);
  return {
    ids,
    last,
    isFar: last !== undefined && Math.abs(last - slice.anchor) > nearMax / fewShare,
  };
};

/** The search index on PostgreSQL: text search vectors in a table that has the realm. */
export const postgresIndex: SearchIndex = {
  isOfAllRealms: false,
  matchText: tsqueryText,
  documentOf: vectorOf,
  isOfRealm,
  async empty(reader, realmId) {
    await rawOf(reader).execute(sql`DELETE FROM message_words WHERE realm_id = ${realmId}`);
  },
  nearest: nearWords,
  follow: (slice, test) => (slice.isFar ? followFar(slice, test) : followNearThenFar(slice, test)),
};

function tsqueryText(match: Match): string {
  switch (match.kind) {
    case "phrase":
      return `(${match.keys.map((key) => `'${key}'`).join(" <-> ")})`;
    case "not":
      return `!${tsqueryText(match.of)}`;
    default:
      return `(${match.of.map(tsqueryText).join(match.kind === "all" ? " & " : " | ")})`;
  }
}

/** PostgreSQL counts places up to this one only. */
const placeMax = 16_383;

/** A `tsvector` in its text form: neither words nor marks have quotes in them. */
function vectorOf(marks: readonly string[], words: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const [index, word] of words.slice(0, placeMax).entries()) {
    const wordPlaces = places.get(word);
    if (wordPlaces) wordPlaces.push(index + 1);
    else places.set(word, [index + 1]);
  }
  const lexemes = [...places].map(([word, at]) => `'${word}':${at.join()}`);
  return [...marks.map((mark) => `'${mark}'`), ...lexemes].join(" ");
}
