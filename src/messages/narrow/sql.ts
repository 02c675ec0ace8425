import { and, asc, desc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { type Given, statements } from "../../../db/reader";
import type { Dialect, Schema } from "../../../db/schema";
import { listOf, parseNumbers } from "../../../db/sql/json";
import { allOf, type Match, phrase } from "../../../db/sql/search/match";
import { wholeNumber } from "../../../db/sql/values";
import type { Context, Person } from "../../core/context";
import { badNarrow } from "../../core/errors";
import { type MovedPairs, movedPairs } from "../../reading/moved-pairs";
import type { Muting } from "../../reading/unread/muting";
import { everywhere, type UnreadPlace } from "../../reading/unread/unread-lines";
import { marks } from "../search/document";
import { type SearchWords, searchedWordsMax } from "../search/query";
import { followLink, opensHistory } from "./follow-link";
import type { NarrowTerm } from "./narrow";
import {
  everything,
  inRealm,
  listedPart,
  type NarrowValues,
  type Part,
  type ReadableChannels,
  readableChannels,
  readablePart,
  received,
  type Writing,
  withinReach,
} from "./parts";
import { type Condition, conditionOf, nameOwnMentions, oneOf } from "./terms";

/**
 * Number of forms of narrows whose queries stay prepared. A form is the order of the operators, for
 * any operands.
 */
export const formsMax = 200;
/** Range of message ids that one statement searches without an index. */
const idsPerSearch = 5_000;

/** Way in which the messages of a narrow are found. */
type Strategy =
  /** An index of the messages finds them, or they are listed: one statement is enough. */
  | "direct"
  /** First the newest messages are searched. If that finds too few, the candidates are tested. */
  | "newestFirst"
  /** Only the search index can find them. */
  | "indexed";

/** Query of a narrow, limited to messages that the actor may read. */
export interface NarrowQuery {
  parts: readonly Part[];
  values: NarrowValues;
  strategy: Strategy;
  /** A list that contains all messages of the narrow; undefined where there is none. */
  within: readonly number[] | undefined;
  /**
   * Source of the messages that are tested one by one where messages of the narrow are rare: those
   * that match a condition of the search index, those with reactions, or all. The strategy "direct"
   * does not use it.
   */
  candidates: "reactions" | "messages" | Match;
  /**
   * Last message that the search index has, while it is far behind: newer messages, and changed
   * ones, are tested beside what it finds. Undefined where it lacks nothing, or where only the
   * index is used.
   */
  indexedUpTo: number | undefined;
  /**
   * Condition by which the search index alone finds its messages; undefined where there is none.
   * The right to read them is checked afterwards.
   */
  indexOnly: IndexOnly | undefined;
  /** The searched words; undefined where there are none. */
  searched: SearchWords | undefined;
  /** Whether its parts are limited to read or unread messages. */
  reading: Reading;
  /** Place that contains all of its messages. */
  place: UnreadPlace;
  /** The muted places that its messages are not in; undefined where they may be in any. */
  muting: Muting | undefined;
  /** Whether it selects few messages of its place, as a sender or a word does. */
  isSelective: boolean;
  /**
   * Whether the narrow is limited to messages that were delivered to the actor. Unread messages
   * only have to be in a channel that the actor is subscribed to.
   */
  isPersonal: boolean;
}

/** Messages that somebody has read, has not read, or both. */
export type Reading = "read" | "unread" | "any";

/** Condition of the search index that expresses a whole narrow. */
interface IndexOnly {
  match: Match;
  /** Whether only messages that were delivered to the actor are wanted. */
  isPersonal: boolean;
}

/**
 * The messages of a narrow that the actor may read. Without a channel these are the messages that
 * were delivered to them; with one, also its history as far as it is open to them. Unread messages
 * may also be others in channels that the actor is subscribed to, because `register` counts those
 * that the actor has marked as unread.
 */
export async function narrowQuery(
  ctx: Context<Person>,
  asked: readonly NarrowTerm[],
): Promise<NarrowQuery> {
  const parts: Part[] = [inRealm];
  const terms = asked.some(({ operator }) => operator === "mentions")
    ? await nameOwnMentions(ctx, asked)
    : asked;
  const all = terms.some(isLink) ? await followLink(ctx, terms) : terms;
  const ofReading = all.filter(isOfReading);
  const followed = ofReading.length === 0 ? all : all.filter((term) => !isOfReading(term));
  // A named channel or conversation is one that the actor may read.
  const isPlaced = followed.some(isPlace);
  const readable = isPlaced ? undefined : await readableChannels(ctx);
  if (readable) parts.push(readablePart(readable));
  const isPersonal = !terms.some(opensHistory) && !followed.some(isConversation);
  const reading = readingOf(ofReading);
  // A message that the actor has marked as unread may never have been delivered to them.
  if (isPersonal) parts.push(reading === "unread" ? withinReach : received);
  const conditions: Condition[] = [];
  for (const term of followed) conditions.push(await conditionOf(ctx, term));
  const { id: userId } = ctx.actor.user;
  const searchesPlaces = readable !== undefined && !followed.some(isNarrowerThanPlaces);
  const moved =
    searchesPlaces && isPersonal ? await movedPairs(ctx.reader, ctx.realm.id) : nothingMoved;
  const places = searchesPlaces
    ? placesOf(readable, userId, isPersonal, conditions, moved)
    : undefined;
  // A message cannot be both read and unread.
  const isNothing = ofReading.some(({ negated }) => negated !== ofReading[0]?.negated);
  const strategy = strategyOf(followed, conditions);
  return {
    parts: [...parts, ...conditions.map(({ part }) => part)],
    values: { realmId: ctx.realm.id, userId },
    strategy,
    within: isNothing ? [] : conditions.map(listOfCondition).reduce(shorter, undefined),
    // One statement finds the messages of most narrows, without candidates.
    candidates: strategy === "direct" ? "messages" : candidatesOf(conditions, places),
    indexedUpTo: undefined,
    indexOnly: readable && indexOnlyOf(conditions, isPersonal && reading !== "unread"),
    searched: joined(conditions.flatMap(({ searched }) => searched ?? [])),
    reading,
    place: placeOf(followed, conditions),
    muting: undefined,
    isSelective: followed.some(isSelecting),
    isPersonal,
  };
}

const isLink = ({ operator }: NarrowTerm) => operator === "with";
const isOfReading = ({ operator, operand }: NarrowTerm) =>
  operator === "is" && operand === "unread";

/** `terms` are those that ask for read, or unread, messages. */
function readingOf([term]: readonly NarrowTerm[]): Reading {
  if (!term) return "any";
  return term.negated ? "read" : "unread";
}

/** The narrowest named place. */
function placeOf(terms: readonly NarrowTerm[], conditions: readonly Condition[]): UnreadPlace {
  const places = conditions.flatMap(({ place }) => place ?? []);
  const place = places.find(({ kind }) => kind !== "direct") ?? places[0] ?? everywhere;
  const topic = terms.find(isTopic);
  if (place.kind !== "channel" || topic?.operator !== "topic") return place;
  return { kind: "topic", channelId: place.channelId, topicKey: topic.operand.toLowerCase() };
}

const isTopic = ({ operator, negated: isNegated }: NarrowTerm) =>
  operator === "topic" && !isNegated;

/** A term that leaves few of a place's messages; all others leave most of them. */
const isSelecting = (term: NarrowTerm) =>
  !term.negated &&
  !leavesMost(term) &&
  term.operator !== "in" &&
  !(term.operator === "is" && term.operand === "dm");

/** Query limited to some messages. */
export function amongThese(query: NarrowQuery, ids: readonly number[]): NarrowQuery {
  const strategy = query.strategy === "indexed" ? "indexed" : "direct";
  const parts = [...query.parts, listedPart(ids)];
  return {
    ...query,
    parts,
    strategy,
    within: shorter(query.within, ids),
    indexOnly: undefined,
    isSelective: true,
  };
}

const listOfCondition = ({ isEmpty, listed }: Condition) => (isEmpty ? [] : listed);

const shorter = (one: readonly number[] | undefined, other: readonly number[] | undefined) =>
  one === undefined || (other !== undefined && other.length < one.length) ? other : one;

const isConversation = ({ operator, negated: isNegated }: NarrowTerm) =>
  operator === "dm" && !isNegated;
const isPlace = (term: NarrowTerm) =>
  (term.operator === "channel" && !term.negated) || isConversation(term);

/** Terms that leave fewer messages than all the places that somebody may read. */
const isNarrowerThanPlaces = (term: NarrowTerm) =>
  !term.negated &&
  (term.operator === "topic" || term.operator === "dm-including" || term.operator === "is");

/** Whether a term leaves most messages of a place. */
const leavesMost = (term: NarrowTerm) =>
  isPlace(term) ||
  term.operator === "near" ||
  (term.operator === "topic" && !term.negated) ||
  isEverything(term);
const isEverything = ({ operator, operand, negated: isNegated }: NarrowTerm) =>
  operator === "in" && operand === "all" && !isNegated;

function strategyOf(terms: readonly NarrowTerm[], conditions: readonly Condition[]): Strategy {
  if (conditions.some(({ isIndexed }) => isIndexed)) return "indexed";
  if (conditions.some(({ listed }) => listed)) return "direct";
  return terms.some(isPlace) && terms.every(leavesMost) ? "direct" : "newestFirst";
}

const nothingMoved: MovedPairs = new Map();

/**
 * Places where somebody may read: all channels, or those that they are or were subscribed to and
 * channels that messages were moved to from there, and their conversations.
 */
function placesOf(
  { open, guarded, periods }: ReadableChannels,
  userId: number,
  isPersonal: boolean,
  conditions: readonly Condition[],
  moved: MovedPairs,
) {
  const joined = new Set(periods.map(({ channelId }) => channelId));
  const hasBeen = (id: number) =>
    joined.has(id) || (moved.get(id) ?? []).some((origin) => joined.has(origin));
  const leftOut = new Set(conditions.flatMap(({ withoutChannels }) => withoutChannels ?? []));
  const channels = [...open, ...guarded].filter(
    ({ id }) => !leftOut.has(id) && (!isPersonal || hasBeen(id)),
  );
  const direct = conditions.some(({ withoutDirect }) => withoutDirect)
    ? []
    : [phrase(marks.participant(userId))];
  return oneOf([...direct, ...channels.map(({ id }) => phrase(marks.channel(id)))]);
}

function candidatesOf(
  conditions: readonly Condition[],
  places: Match | undefined,
): NarrowQuery["candidates"] {
  const isIndexed = conditions.some((one) => one.isIndexed);
  if (!isIndexed && conditions.some(({ hasReaction }) => hasReaction)) return "reactions";
  const matches = [...conditions.flatMap(({ match }) => match ?? []), ...(places ? [places] : [])];
  if (matches.length === 0) return "messages";
  // The index can only exclude from a set, so the set is all messages.
  return allOf(
    matches.every(({ kind }) => kind === "not") ? [phrase(marks.message), ...matches] : matches,
  );
}

function indexOnlyOf(conditions: readonly Condition[], isPersonal: boolean): IndexOnly | undefined {
  const candidates = candidatesOf(conditions, undefined);
  const isIndexOnly = conditions.every(({ isIndexed, part }) => isIndexed && part === everything);
  return typeof candidates === "string" || !isIndexOnly
    ? undefined
    : { match: candidates, isPersonal };
}

/** All searches of a narrow combined. Refuses too many words. */
function joined(all: readonly SearchWords[]): SearchWords | undefined {
  if (all.length === 0) return undefined;
  const phrases = all.flatMap((one) => one.phrases);
  if (phrases.flat().length > searchedWordsMax)
    throw badNarrow(`a search has at most ${searchedWordsMax} words`);
  return {
    phrases,
    shown: all.flatMap(({ shown }) => shown),
    language: all[0]?.language ?? "",
    stems: new Map(all.flatMap(({ stems }) => [...stems])),
  };
}

/**
 * Position of the wanted messages of a narrow: at, before or after an anchor, the nearest first.
 */
export type Side = "at" | "newest" | "before" | "after";

/** Slice of a narrow: a number of its messages, the nearest to an anchor, on one side of it. */
export interface Slice {
  side: Side;
  anchor: number;
  count: number;
}

type SliceValues = NarrowValues & { anchor: number; count: number };

const narrowed = statements<SliceValues, { ids: string | null }[]>(formsMax);

/**
 * The ids of a narrow's messages on one side of an anchor, the nearest first, up to the wanted
 * number.
 */
export function selectIds(
  ctx: Context<Person>,
  query: NarrowQuery,
  slice: Slice,
): Promise<number[]> {
  return selectOnSide(ctx, query, slice, false);
}

/** Messages near the anchor: there may be more, even if it finds fewer than wanted. */
export function selectIdsNear(
  ctx: Context<Person>,
  query: NarrowQuery,
  slice: Slice,
): Promise<number[]> {
  return selectOnSide(ctx, query, slice, slice.side !== "at");
}

async function selectOnSide(
  ctx: Context<Person>,
  query: NarrowQuery,
  slice: Slice,
  isNear: boolean,
): Promise<number[]> {
  const { side, anchor, count } = slice;
  const run = narrowed(
    `${side}${isNear ? " near" : ""} ${formOf(query)}`,
    (db, t, given, dialect) => {
      const { id } = t.messages;
      const found = db
        .select({ id })
        .from(t.messages)
        .where(
          and(
            ...written(query, { t, dialect, given }),
            beside(t, given, side),
            isNear ? near(t, given, dialect, side) : undefined,
          ),
        );
      const nearest = found.orderBy(side === "after" ? asc(id) : desc(id)).limit(given.count);
      return db.select({ ids: listOf(dialect, sql`id`) }).from(nearest.as("nearest"));
    },
  );
  const [row] = await run(ctx.reader, { ...valuesOf(query), anchor, count });
  return parseNumbers(row?.ids);
}

/** Name by which the prepared statements are found: the forms of its parts. */
export const formOf = ({ parts }: NarrowQuery) => parts.map(({ form }) => form).join(" ");

/** Its conditions as SQL, with placeholders for the values of `valuesOf`. */
export const written = ({ parts }: NarrowQuery, writing: Omit<Writing, "number">) =>
  parts.map((part, number) => part.write({ ...writing, number }));

export function valuesOf({ parts, values }: NarrowQuery): NarrowValues {
  const all: NarrowValues & Record<`${string}${number}`, unknown> = { ...values };
  for (const [number, part] of parts.entries()) {
    for (const name in part.values) all[`${name}${number}` as const] = part.values[name];
  }
  return all;
}

function beside({ messages }: Schema, { anchor }: Given<SliceValues>, side: Side): SQL | undefined {
  if (side === "at") return eq(messages.id, anchor);
  if (side === "before") return lt(messages.id, anchor);
  return side === "after" ? gt(messages.id, anchor) : undefined;
}

const width = sql.raw(String(idsPerSearch));

function near({ messages }: Schema, given: Given<SliceValues>, dialect: Dialect, side: Side): SQL {
  const anchor = wholeNumber(dialect, given.anchor);
  if (side === "after") return sql`${messages.id} <= ${anchor} + ${width}`;
  if (side === "before") return sql`${messages.id} >= ${anchor} - ${width}`;
  return sql`${messages.id} >= (select max(n.id) from ${messages} n where n.realm_id = ${given.realmId}) - ${width}`;
}

/** Range of message ids that `selectIdsNear` searches. */
export const nearIdsMax = idsPerSearch;

/** Whether only the search index can find the messages of these terms. */
export const needsIndex = (terms: readonly NarrowTerm[]) =>
  terms.some(
    ({ operator, operand }) =>
      operator === "search" || (operator === "has" && operand !== "reaction"),
  );
