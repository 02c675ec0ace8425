import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, statements } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import type { Context, Person } from "../../core/context";
import { type Match, matchText } from "../../search/query";
import {
  formOf,
  formsMax,
  type Look,
  listOf,
  type NarrowQuery,
  parseIds,
  type Values,
  valuesOf,
  width,
  written,
} from "./sql";

/** How many messages one statement tests at the most to which something leads. */
export const candidatesMax = 2_000;

const led = statements<Values, Led[]>(formsMax);

/** A look at so many of the messages to which a lead leads. */
export type LedLook = Look & { side: "before" | "after"; most?: number };

/** The nearest messages of a lead, and those of them that the narrow asks for. */
export interface Found {
  ids: number[];
  /** How far it was looked; undefined when there is nothing more. */
  last: number | undefined;
}

/** The next messages that a narrow's lead brings, beyond an anchor, as far as the narrow asks for them. */
export async function followLead(ctx: Context<Person>, query: NarrowQuery, look: LedLook): Promise<Found> {
  const { lead } = query;
  if (typeof lead === "string") return foundIn(await followOnce(ctx, query, lead, look), look);
  if (ctx.reader.dialect === "sqlite") return foundIn(await followOnce(ctx, query, "words", look), look);
  return followNearThenFar(ctx, query, look);
}

/** What one statement that follows a lead answers. */
interface Led {
  ids: string | null;
  looked: number;
  last: number | null;
  /** How far `nearWords` looks, and whether there is nothing beyond. */
  edge: number | null;
  isOver: boolean;
}

/** Of how little of what is looked for among the next ids the search index is asked for those beyond, as a share of it. */
const fewShare = 1 / 8;

/**
 * Follows the search index on PostgreSQL, which has no order by ids: words that most messages have are found at once among
 * the next ids, and the index is quick to tell where the others are. Left to its plans, which go by what it believes of the
 * frequency of words, it would sort all that have a frequent one, or read through all messages for a rare one.
 */
async function followNearThenFar(ctx: Context<Person>, query: NarrowQuery, look: LedLook): Promise<Found> {
  const { side, count, most = candidatesMax } = look;
  const near = await followOnce(ctx, query, "nearWords", look);
  const { ids, last } = foundIn(near, look);
  if (last !== undefined || near.isOver || near.edge === null) return { ids, last };
  if (near.looked >= most * fewShare || ids.length === count) return { ids, last: near.edge };
  const rest = { side, anchor: near.edge, count: count - ids.length, most: most - near.looked };
  const far = foundIn(await followOnce(ctx, query, "farWords", rest), rest);
  return { ids: [...ids, ...far.ids], last: far.last };
}

function foundIn({ ids, looked, last }: Led, { most = candidatesMax }: LedLook): Found {
  return { ids: parseIds(ids), last: looked < most ? undefined : (last ?? undefined) };
}

async function followOnce(
  ctx: Context<Person>,
  query: NarrowQuery,
  kind: keyof typeof leads,
  { side, anchor, count, most = candidatesMax }: LedLook,
): Promise<Led> {
  const { lead } = query;
  const run = led(`${side} ${kind} ${formOf(query)}`, (db, t, dialect) => {
    const candidates = db.$with("candidates").as(leads[kind](db, t, side));
    const { id } = t.messages;
    const order = side === "after" ? asc(id) : desc(id);
    const wanted = db
      .select({ id })
      .from(candidates)
      .crossJoin(t.messages)
      .where(and(eq(id, sql`candidates.candidate`), ...written(query, t, dialect)))
      .orderBy(order)
      .limit(sql.placeholder("count"))
      .as("wanted");
    const last = side === "after" ? sql`max(candidate)` : sql`min(candidate)`;
    return db
      .with(candidates)
      .select({
        ids: sql<string | null>`(select ${listOf(dialect, sql`wanted.id`)} from ${wanted})`,
        looked: sql<number>`count(*)`.mapWith(Number),
        last: sql<number | null>`${last}`.mapWith(Number),
        ...edgeOf(kind, t, side),
      })
      .from(candidates);
  });
  const match = typeof lead === "string" ? "" : matchText(ctx.reader.dialect, lead);
  const [row] = await run(ctx.reader, { ...valuesOf(query), anchor, count, most, match });
  return row ?? { ids: null, looked: 0, last: null, edge: null, isOver: true };
}

const selectWithWords = statements<Values, { ids: string | null }[]>(2);

/** On SQLite, the next messages beyond an anchor of which the index says something, whoever may read them. */
export async function followWords(ctx: Context, match: Match, { side, anchor, count }: LedLook): Promise<number[]> {
  const run = selectWithWords(side, (db, t, dialect) =>
    db.select({ ids: listOf(dialect, sql`candidate`) }).from(leads.words(db, t, side).as("candidates")),
  );
  const { dialect } = ctx.reader;
  const [row] = await run(ctx.reader, { realmId: ctx.realm.id, anchor, most: count, match: matchText(dialect, match) });
  return parseIds(row?.ids);
}

const beyond = (column: SQL, side: "before" | "after") =>
  side === "after" ? sql`${column} > ${sql.placeholder("anchor")}` : sql`${column} < ${sql.placeholder("anchor")}`;

const ordered = (id: SQL, side: "before" | "after") => (side === "after" ? sql`${id} asc` : sql`${id} desc`);

const isOfRealm = sql`message_words.realm_id = ${sql.placeholder("realmId")}`;
const hasWords = ({ messageWords: { words } }: Schema) => sql`${words} @@ ${sql.placeholder("match")}::tsquery`;

/** Where candidates come from, the nearest to the anchor first. */
const leads = {
  /** On SQLite. */
  words(db: Database, { messageWords: words }: Schema, side: "before" | "after") {
    const id = sql`${words.messageId}`;
    return db
      .select({ candidate: sql<number>`${id}`.as("candidate") })
      .from(words)
      .where(and(sql`message_words match ${sql.placeholder("match")}`, beyond(id, side)))
      .orderBy(ordered(id, side))
      .limit(sql.placeholder("most"));
  },
  /** On PostgreSQL, those among the next ids, which are read one after the other: `is true` is what no index can be asked. */
  nearWords(db: Database, t: Schema, side: "before" | "after") {
    const id = sql`${t.messageWords.messageId}`;
    const edge = edgeOfWords(t, side);
    return db
      .select({ candidate: sql<number>`${id}`.as("candidate") })
      .from(t.messageWords)
      .where(
        and(
          sql`(${hasWords(t)}) is true`,
          isOfRealm,
          beyond(id, side),
          side === "after" ? sql`${id} <= ${edge}` : sql`${id} >= ${edge}`,
        ),
      )
      .orderBy(ordered(id, side))
      .limit(sql.placeholder("most"));
  },
  /** On PostgreSQL, those to which the index of words leads: the one of ids knows no sums. */
  farWords(db: Database, t: Schema, side: "before" | "after") {
    const id = sql`(${t.messageWords.messageId} + 0)`;
    return db
      .select({ candidate: sql<number>`${id}`.as("candidate") })
      .from(t.messageWords)
      .where(and(hasWords(t), isOfRealm, beyond(id, side)))
      .orderBy(ordered(id, side))
      .limit(sql.placeholder("most"));
  },
  reactions(db: Database, { reactions }: Schema, side: "before" | "after") {
    const id = sql`${reactions.messageId}`;
    return db
      .selectDistinct({ candidate: sql<number>`${id}`.as("candidate") })
      .from(reactions)
      .where(and(eq(reactions.realmId, sql.placeholder("realmId")), beyond(id, side)))
      .orderBy(ordered(id, side))
      .limit(sql.placeholder("most"));
  },
  messages(db: Database, { messages }: Schema, side: "before" | "after") {
    const id = sql`${messages.id}`;
    return db
      .select({ candidate: sql<number>`${id}`.as("candidate") })
      .from(messages)
      .where(and(eq(messages.realmId, sql.placeholder("realmId")), beyond(id, side)))
      .orderBy(ordered(id, side))
      .limit(sql.placeholder("most"));
  },
};

const newestWithWords = ({ messageWords: words }: Schema) =>
  sql`(select coalesce(max(n.message_id), 0) from ${words} n where n.realm_id = ${sql.placeholder("realmId")})`;

/** The last of the next ids on one side of the anchor. */
const edgeOfWords = (t: Schema, side: "before" | "after") =>
  side === "after"
    ? sql`${sql.placeholder("anchor")}::bigint + ${width}`
    : sql`least(${sql.placeholder("anchor")}::bigint, ${newestWithWords(t)} + 1) - ${width}`;

function edgeOf(kind: keyof typeof leads, t: Schema, side: "before" | "after") {
  if (kind !== "nearWords") return { edge: sql<null>`null`, isOver: sql<boolean>`null`.mapWith(Boolean) };
  const edge = edgeOfWords(t, side);
  const isOver = side === "after" ? sql`${edge} >= ${newestWithWords(t)}` : sql`${edge} <= 1`;
  return { edge: sql<number>`${edge}`.mapWith(Number), isOver: sql<boolean>`${isOver}`.mapWith(Boolean) };
}
