import { and, asc, desc, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Database, type Given, statements } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { listOf, parseNumbers } from "../../../db/sql/json";
import type { Context, Person } from "../../core/context";
import { type Match, matchText } from "../search/query";
import type { NarrowValues } from "./parts";
import { formOf, formsMax, type Look, type NarrowQuery, valuesOf, written } from "./sql";

/** Highest number of messages to which a lead leads that one statement tests. */
export const candidatesMax = 2_000;

/** Values of a query for the messages to which a lead leads. */
interface LeadValues {
  realmId: number;
  anchor: number;
  most: number;
  match: string;
}

const led = statements<NarrowValues & LeadValues & { count: number }, Led[]>(formsMax);

/**
 * A look at so many of the messages to which a lead leads; `isFar` goes on as the look before, see
 * `Found`.
 */
export type LedLook = Look & { side: "before" | "after"; most?: number; isFar?: boolean };

/** The nearest messages of a lead, and those of them that the narrow asks for. */
export interface Found {
  ids: number[];
  /** Last id that was looked at; undefined when there is nothing more. */
  last: number | undefined;
  /** Whether the search index has told of messages anywhere, because the nearest had too little. */
  isFar: boolean;
}

/**
 * The next messages that a narrow's lead brings, beyond an anchor, as far as the narrow asks for
 * them.
 */
export async function followLead(
  ctx: Context<Person>,
  query: NarrowQuery,
  look: LedLook,
): Promise<Found> {
  const { lead } = query;
  if (typeof lead === "string") return foundIn(await followOnce(ctx, query, lead, look), look);
  if (ctx.reader.dialect === "sqlite")
    return foundIn(await followOnce(ctx, query, "words", look), look);
  return look.isFar ? followFar(ctx, query, look) : followNearThenFar(ctx, query, look);
}

/** Answer of one statement that follows a lead. */
interface Led {
  ids: string | null;
  looked: number;
  last: number | null;
  /**
   * The last of the messages among which `nearWords` has found too few; null where there are no
   * others.
   */
  edge: number | null;
}

/**
 * So many of the realm's messages are looked through before the search index is asked where others
 * are.
 */
const nearMax = 5_000;
/** It is asked when they have had less than this share of what is looked for. */
const fewShare = 1 / 8;

/**
 * Follows the search index on PostgreSQL, which has no order by ids: words that most messages have
 * are found at once among the next messages, and the index is quick to tell where the others are.
 * Left to its plans, which go by what it believes of the frequency of words, it would sort all that
 * have a frequent one, or read through all messages for a rare one.
 */
async function followNearThenFar(
  ctx: Context<Person>,
  query: NarrowQuery,
  look: LedLook,
): Promise<Found> {
  const { side, count, most = candidatesMax } = look;
  const near = await followOnce(ctx, query, "nearWords", look);
  const found = foundIn(near, look);
  if (found.last !== undefined || near.edge === null) return found;
  if (near.looked >= most * fewShare || found.ids.length === count)
    return { ...found, last: near.edge };
  const rest = {
    side,
    anchor: near.edge,
    count: count - found.ids.length,
    most: most - near.looked,
  };
  const far = await followFar(ctx, query, rest);
  return { ...far, ids: [...found.ids, ...far.ids] };
}

/**
 * Where what it brings lies closer together than what is few, the next look is at the next messages
 * again.
 */
async function followFar(ctx: Context<Person>, query: NarrowQuery, look: LedLook): Promise<Found> {
  const { ids, last } = foundIn(await followOnce(ctx, query, "farWords", look), look);
  return {
    ids,
    last,
    isFar: last !== undefined && Math.abs(last - look.anchor) > nearMax / fewShare,
  };
}

function foundIn({ ids, looked, last }: Led, { most = candidatesMax }: LedLook): Found {
  return {
    ids: parseNumbers(ids),
    last: looked < most ? undefined : (last ?? undefined),
    isFar: false,
  };
}

async function followOnce(
  ctx: Context<Person>,
  query: NarrowQuery,
  kind: keyof typeof leads,
  { side, anchor, count, most = candidatesMax }: LedLook,
): Promise<Led> {
  const { lead } = query;
  const run = led(`${side} ${kind} ${formOf(query)}`, (db, t, given, dialect) => {
    const candidates = db.$with("candidates").as(leads[kind](db, t, given, side));
    const { id } = t.messages;
    const order = side === "after" ? asc(id) : desc(id);
    const wanted = db
      .select({ id })
      .from(candidates)
      .crossJoin(t.messages)
      .where(and(eq(id, sql`candidates.candidate`), ...written(query, { t, dialect, given })))
      .orderBy(order)
      .limit(given.count)
      .as("wanted");
    const last = side === "after" ? sql`max(candidate)` : sql`min(candidate)`;
    return db
      .with(candidates)
      .select({
        ids: sql<string | null>`(select ${listOf(dialect, sql`wanted.id`)} from ${wanted})`,
        looked: sql<number>`count(*)`.mapWith(Number),
        last: sql<number | null>`${last}`.mapWith(Number),
        edge: sql<number | null>`${kind === "nearWords" ? edgeOf(t, given, side) : null}`.mapWith(
          Number,
        ),
      })
      .from(candidates);
  });
  const match = typeof lead === "string" ? "" : matchText(ctx.reader.dialect, lead);
  const [row] = await run(ctx.reader, { ...valuesOf(query), anchor, count, most, match });
  return row ?? { ids: null, looked: 0, last: null, edge: null };
}

const selectWithWords = statements<LeadValues, { ids: string | null }[]>(4);

/**
 * The next messages beyond an anchor of which the index says something, whoever may read them;
 * fewer than are wanted where there are no more. Undefined where the next of all messages have too
 * little of it, on PostgreSQL.
 */
export async function followWords(
  ctx: Context,
  match: Match,
  { side, anchor, count }: LedLook,
): Promise<number[] | undefined> {
  const { dialect } = ctx.reader;
  const run = selectWithWords(`${dialect} ${side}`, (db, t, given) => {
    const kind: keyof typeof leads = dialect === "sqlite" ? "words" : "nearWords";
    return db
      .select({ ids: listOf(dialect, sql`candidate`) })
      .from(leads[kind](db, t, given, side).as("candidates"));
  });
  const [row] = await run(ctx.reader, {
    realmId: ctx.realm.id,
    anchor,
    most: count,
    match: matchText(dialect, match),
  });
  const ids = parseNumbers(row?.ids);
  return dialect === "sqlite" || ids.length === count ? ids : undefined;
}

const beyond = (column: SQL, { anchor }: Given<LeadValues>, side: "before" | "after") =>
  side === "after" ? sql`${column} > ${anchor}` : sql`${column} < ${anchor}`;

const ordered = (id: SQL, side: "before" | "after") =>
  side === "after" ? sql`${id} asc` : sql`${id} desc`;

const isOfRealm = ({ realmId }: Given<LeadValues>) => sql`message_words.realm_id = ${realmId}`;
const hasWords = (words: SQLWrapper, { match }: Given<LeadValues>) =>
  sql`${words} @@ ${match}::tsquery`;

/** Sources of candidates, the nearest to the anchor first. */
const leads = {
  /** On SQLite. */
  words(
    db: Database,
    { messageWords: words }: Schema,
    given: Given<LeadValues>,
    side: "before" | "after",
  ) {
    const id = sql`${words.messageId}`;
    return db
      .select({ candidate: sql<number>`${id}`.as("candidate") })
      .from(words)
      .where(and(sql`message_words match ${given.match}`, beyond(id, given, side)))
      .orderBy(ordered(id, side))
      .limit(given.most);
  },
  /** On PostgreSQL, those among the next messages, through which it looks one after the other. */
  nearWords(db: Database, t: Schema, given: Given<LeadValues>, side: "before" | "after") {
    const { messageId, words } = t.messageWords;
    const next = db
      .select({ candidate: sql<number>`${messageId}`.as("candidate"), words })
      .from(t.messageWords)
      .where(and(isOfRealm(given), beyond(sql`${messageId}`, given, side)))
      .orderBy(ordered(sql`${messageId}`, side))
      .limit(nearMax)
      .as("next");
    return db
      .select({ candidate: next.candidate })
      .from(next)
      .where(hasWords(next.words, given))
      .orderBy(ordered(sql`${next.candidate}`, side))
      .limit(given.most);
  },
  /** On PostgreSQL, those to which the index of words leads: the one of ids knows no sums. */
  farWords(db: Database, t: Schema, given: Given<LeadValues>, side: "before" | "after") {
    const id = sql`(${t.messageWords.messageId} + 0)`;
    return db
      .select({ candidate: sql<number>`${id}`.as("candidate") })
      .from(t.messageWords)
      .where(and(hasWords(t.messageWords.words, given), isOfRealm(given), beyond(id, given, side)))
      .orderBy(ordered(id, side))
      .limit(given.most);
  },
  reactions(
    db: Database,
    { reactions }: Schema,
    given: Given<LeadValues>,
    side: "before" | "after",
  ) {
    const id = sql`${reactions.messageId}`;
    return db
      .selectDistinct({ candidate: sql<number>`${id}`.as("candidate") })
      .from(reactions)
      .where(and(eq(reactions.realmId, given.realmId), beyond(id, given, side)))
      .orderBy(ordered(id, side))
      .limit(given.most);
  },
  messages(db: Database, { messages }: Schema, given: Given<LeadValues>, side: "before" | "after") {
    const id = sql`${messages.id}`;
    return db
      .select({ candidate: sql<number>`${id}`.as("candidate") })
      .from(messages)
      .where(and(eq(messages.realmId, given.realmId), beyond(id, given, side)))
      .orderBy(ordered(id, side))
      .limit(given.most);
  },
};

/** The last of the next messages, where they had not enough. */
function edgeOf(
  { messageWords: words }: Schema,
  given: Given<LeadValues>,
  side: "before" | "after",
): SQL {
  const id = sql`${words.messageId}`;
  return sql`case when count(*) < ${given.most}::bigint then (
    select ${id} from ${words} where ${and(isOfRealm(given), beyond(id, given, side))}
    order by ${ordered(id, side)} limit 1 offset ${sql.raw(String(nearMax - 1))}) end`;
}
