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
 * Number of the realm's messages that are searched one after another before the index is used for
 * the others.
 */
const nearMax = 5_000;
/**
 * Share of the candidates that one statement may test. The index is used if the messages that were
 * searched one after another contained fewer candidates.
 */
const fewShare = 1 / 8;

const isOfRealm = (realmId: number | Given<CandidateValues>["realmId"]) =>
  sql`message_words.realm_id = ${realmId}`;
const hasWords = (words: SQLWrapper, { match }: Given<CandidateValues>) =>
  sql`${words} @@ ${match}::tsquery`;

/** Messages with the words among the next messages. These are searched one after another. */
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
 * Messages that the index of words finds. The sum in the condition keeps PostgreSQL from using the
 * index of ids instead.
 */
const farWords: CandidateSource = {
  name: "farWords",
  candidates(db, { messageWords }, given, side) {
    const id = sql`(${messageWords.messageId} + 0)`;
    const where = and(hasWords(messageWords.words, given), isOfRealm(given.realmId));
    return nearestRows(db, { rows: messageWords, id, where }, given, side);
  },
};

type Search = SearchIndex["search"];

/**
 * Searches the next messages first, and then the index of words, which is not ordered by ids. Words
 * that most messages contain are found at once among the next messages. For rare words the index is
 * fast. PostgreSQL's own plans rely on estimated frequencies of words: they would sort all messages
 * with a frequent word, or read all messages for a rare one.
 */
const searchNearThenFar: Search = async (slice, test) => {
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
  const far = await searchFar(rest, test);
  return { ...far, ids: [...found.ids, ...far.ids] };
};

/**
 * Searches the index of words. If its results lie close to each other, the next slice searches
 * messages one after another again.
 */
const searchFar: Search = async (slice, test) => {
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
  rowsFrom: (list) =>
    sql`select (value->>0)::bigint, (value->>1)::bigint, (value->>2)::tsvector from json_array_elements(${list}::json)`,
  isOfRealm,
  async empty(reader, realmId) {
    await rawOf(reader).execute(sql`DELETE FROM message_words WHERE realm_id = ${realmId}`);
  },
  nearest: nearWords,
  search: (slice, test) => (slice.isFar ? searchFar(slice, test) : searchNearThenFar(slice, test)),
};

function tsqueryText(match: Match): string {
  switch (match.kind) {
    case "phrase":
      return phraseText(match.keys);
    case "not":
      return `!${tsqueryText(match.of)}`;
    default:
      return `(${match.of.map(tsqueryText).join(match.kind === "all" ? " & " : " | ")})`;
  }
}

/**
 * Text of a condition for words. Several words in a row are found by all of their positions, a
 * single word by its first position.
 */
const phraseText = ([only = "", ...others]: readonly string[]) =>
  others.length === 0
    ? `('${only}')`
    : `(${[only, ...others].map((key) => `('${key}' | '${key}${again}':*)`).join(" <-> ")})`;

/** Highest position of a word that PostgreSQL stores. */
const placeMax = 16_383;
/**
 * Number of positions that PostgreSQL keeps of one word. In a long text without spaces, in which
 * each letter is a word, a word may have more. Further positions are stored under the word with
 * this sign, which occurs in no word, and a number.
 */
const placesPerWord = 255;
const again = "\ue002";

/** A `tsvector` as text: neither words nor marks contain quotes. */
function vectorOf(marks: readonly string[], words: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const [index, word] of words.slice(0, placeMax).entries()) {
    const wordPlaces = places.get(word);
    if (wordPlaces) wordPlaces.push(index + 1);
    else places.set(word, [index + 1]);
  }
  const lexemes = [...places].flatMap(([word, at]) => lexemesOf(word, at));
  return [...marks.map((mark) => `'${mark}'`), ...lexemes].join(" ");
}

function lexemesOf(word: string, places: readonly number[]): string[] {
  const lexemes = [`'${word}':${places.slice(0, placesPerWord).join()}`];
  for (let from = placesPerWord; from < places.length; from += placesPerWord) {
    const more = places.slice(from, from + placesPerWord);
    lexemes.push(`'${word}${again}${from}':${more.join()}`);
  }
  return lexemes;
}
