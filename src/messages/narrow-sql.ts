import { and, asc, desc, eq, gt, isNotNull, isNull, like, lt, or, type SQL, sql } from "drizzle-orm";
import { isIn, statements } from "../../db/reader";
import type { Dialect, Schema } from "../../db/schema";
import { listChannels, loadReadableChannel } from "../channels/queries";
import type { Context, Person } from "../core/context";
import { ApiError, badNarrow } from "../core/errors";
import { roles } from "../core/role";
import { hasOpenHistory, listPeriods } from "../subscriptions/queries";
import { findVisibleUser } from "../users/onlooker";
import { findConversation } from "./conversations";
import { listFlagged } from "./flags-state";
import type { NarrowTerm } from "./narrow";
import { findReadableMessage, type MessageRow, participantIds, placedAt, readerOf } from "./queries";
import { listUnread } from "./unread";

/** Of so many forms of narrows the queries stay prepared; a form is the order of the operators, whatever they name. */
const formsMax = 200;
/** Longer lists of message ids are tested for each message between their ends. */
const listedIdsMax = 1_000;

/**
 * One condition on messages: its form, its values by name, and how it is written with their placeholders. Two of the same
 * form are written alike, so that the query is prepared once for both.
 */
interface Part {
  form: string;
  values: Record<string, unknown>;
  write(writing: Writing): SQL | undefined;
}

interface Writing {
  t: Schema;
  dialect: Dialect;
  /** The placeholder of a value of the part. */
  value(name: string): SQL;
}

/** What a narrow asks for, as far as the actor may read it. */
export interface NarrowQuery {
  parts: readonly Part[];
  /** The values that every part may use. */
  values: Record<string, unknown>;
}

/**
 * The messages that a narrow asks for and that the actor may read. Without a channel that is what came to them; with one,
 * all its history that is open to them.
 */
export async function narrowQuery(ctx: Context<Person>, terms: NarrowTerm[]): Promise<NarrowQuery> {
  const parts: Part[] = [inRealm];
  const followed = await followLink(ctx, terms);
  // A channel or a conversation that is named is one that the actor may read.
  if (!followed.some(isPlace)) parts.push(await readablePart(ctx));
  if (!terms.some(opensHistory) && !followed.some(isConversation)) parts.push(received);
  for (const term of followed) {
    const part = await termPart(ctx, term);
    parts.push(term.negated ? negated(part) : part);
  }
  const { id: userId } = ctx.actor.user;
  return { parts, values: { realmId: ctx.realm.id, userId } };
}

/** The same, limited to what the actor has not read. */
export async function unreadOf(ctx: Context<Person>, { parts, values }: NarrowQuery): Promise<NarrowQuery> {
  return { parts: [...parts, await unreadPart(ctx)], values };
}

const isConversation = ({ operator, negated: isNegated }: NarrowTerm) => operator === "dm" && !isNegated;
const isPlace = (term: NarrowTerm) => (term.operator === "channel" && !term.negated) || isConversation(term);

const negated = ({ form, values, write }: Part): Part => ({
  form: `-${form}`,
  values,
  write: (writing) => sql`not coalesce(${write(writing)}, false)`,
});

/** Which of the messages of a narrow are wanted: those at, before or after an anchor, the nearest first. */
export type Side = "at" | "newest" | "before" | "after";

const narrowed = statements<Record<string, unknown>, { ids: string | null }[]>(formsMax);

/** The ids of the messages of a narrow on one side of an anchor, the nearest first. */
export async function selectIds(
  ctx: Context<Person>,
  { parts, values }: NarrowQuery,
  side: Side,
  { anchor, count }: { anchor: number; count: number },
): Promise<number[]> {
  const run = narrowed(`${side} ${parts.map(({ form }) => form).join(" ")}`, (db, t, dialect) => {
    const { id } = t.messages;
    const conditions = parts.map((part, index) =>
      part.write({ t, dialect, value: (name) => sql`${sql.placeholder(`${name}${index}`)}` }),
    );
    const query = db
      .select({ id })
      .from(t.messages)
      .where(and(...conditions, beside(t, side)));
    const nearest = query.orderBy(side === "after" ? asc(id) : desc(id)).limit(sql.placeholder("count"));
    return db.select({ ids: listOf(dialect) }).from(nearest.as("nearest"));
  });
  const own = parts.flatMap((part, index) =>
    Object.entries(part.values).map(([name, value]) => [`${name}${index}`, value]),
  );
  const [row] = await run(ctx.reader, { ...values, ...Object.fromEntries(own), anchor, count });
  const ids: number[] = JSON.parse(row?.ids ?? "[]");
  return ids;
}

/** All ids in one value, in the order of the subquery: rows of one number each take longer to fetch than to find. */
const listOf = (dialect: Dialect) =>
  dialect === "sqlite" ? sql<string | null>`json_group_array(id)` : sql<string | null>`json_agg(id)::text`;

function beside({ messages }: Schema, side: Side): SQL | undefined {
  const anchor = sql.placeholder("anchor");
  if (side === "at") return eq(messages.id, anchor);
  if (side === "before") return lt(messages.id, anchor);
  return side === "after" ? gt(messages.id, anchor) : undefined;
}

/** The operators that name a conversation. */
const conversationOperators = new Set<NarrowTerm["operator"]>(["channel", "topic", "dm"]);

/**
 * Puts the conversation that the message of `with` is in now in place of the one that the narrow names, which may be the
 * one it was in when the link was made. A message that is gone or hidden leaves the narrow as it is named, if it is.
 */
async function followLink(ctx: Context<Person>, terms: NarrowTerm[]): Promise<NarrowTerm[]> {
  const links = terms.filter((term) => term.operator === "with");
  const [link] = links;
  if (link?.operator !== "with") return terms;
  if (links.length > 1 || link.negated) throw badNarrow("'with' is given once, and not negated");
  const others = terms.filter((term) => term !== link);
  const message = await findReadableMessage(ctx.reader, ctx, link.operand);
  if (message) {
    const rest = others.filter(({ operator }) => !conversationOperators.has(operator));
    return [...rest, ...(await conversationTerms(ctx, message))];
  }
  if (!others.some(({ operator }) => conversationOperators.has(operator))) throw badNarrow("unknown message");
  return others;
}

/** The narrow to the conversation that a message is in. */
async function conversationTerms({ reader, realm }: Context, message: MessageRow): Promise<NarrowTerm[]> {
  const { channelId, conversationId, topic } = message;
  if (channelId === null) {
    return [{ operator: "dm", operand: await participantIds(reader, realm.id, conversationId ?? 0), negated: false }];
  }
  return [
    { operator: "channel", operand: channelId, negated: false },
    { operator: "topic", operand: topic, negated: false },
  ];
}

/** A narrow to channels shows what was sent there before one came. */
const opensHistory = ({ operator, negated }: NarrowTerm) =>
  (operator === "channel" || operator === "channels" || operator === "with" || operator === "id") && !negated;

const inRealm: Part = {
  form: "realm",
  values: {},
  write: ({ t }) => eq(t.messages.realmId, sql.placeholder("realmId")),
};

const nothing: Part = { form: "nothing", values: {}, write: () => sql`1 = 0` };
const everything: Part = { form: "everything", values: {}, write: () => sql`1 = 1` };

/** What was placed in its channel while the actor was subscribed to it. */
function placedInPeriod({ t }: Writing): SQL {
  const { messages, subscriptionPeriods: periods } = t;
  const place = placedAt(t);
  return sql`exists (select 1 from ${periods} where ${periods.realmId} = ${sql.placeholder("realmId")}
    and ${periods.userId} = ${sql.placeholder("userId")} and ${periods.channelId} = ${messages.channelId}
    and ${periods.fromMessage} < ${place} and (${periods.toMessage} is null or ${place} <= ${periods.toMessage}))`;
}

/** What is in a conversation of the actor's. */
function isMine({ t: { messages, conversationMembers: members } }: Writing): SQL {
  return sql`exists (select 1 from ${members} where ${members.realmId} = ${sql.placeholder("realmId")}
    and ${members.userId} = ${sql.placeholder("userId")} and ${members.conversationId} = ${messages.conversationId})`;
}

/** What came to the actor when it was sent. */
const received: Part = {
  form: "received",
  values: {},
  write({ t: { messages, subscriptionPeriods: periods } }) {
    return sql`(${messages.conversationId} is not null or exists (select 1 from ${periods}
      where ${periods.realmId} = ${sql.placeholder("realmId")} and ${periods.userId} = ${sql.placeholder("userId")}
      and ${periods.channelId} = ${messages.sentChannelId} and ${periods.fromMessage} < ${messages.id}
      and (${periods.toMessage} is null or ${messages.id} <= ${periods.toMessage})))`;
  },
};

/** All that the actor may read: by the channels whose history is open to them, those where it is not, and conversations. */
async function readablePart({ reader, realm, actor }: Context<Person>): Promise<Part> {
  const { id: userId, role } = actor.user;
  const periods = await listPeriods(reader, realm.id, userId);
  const subscribed = new Set(periods.filter(({ toLog }) => toLog === null).map(({ channelId }) => channelId));
  const channels = await listChannels(reader, realm.id);
  const open = channels.filter((channel) =>
    subscribed.has(channel.id) ? hasOpenHistory(channel) : !channel.inviteOnly && role < roles.guest,
  );
  const guarded = channels.filter((channel) => subscribed.has(channel.id) && !hasOpenHistory(channel));
  const listOf = (some: typeof channels) => JSON.stringify(some.map(({ id }) => id));
  return {
    form: "readable",
    values: { open: listOf(open), guarded: listOf(guarded) },
    write(writing) {
      const { dialect, t, value } = writing;
      const { channelId } = t.messages;
      const isGuarded = and(isIn(dialect, channelId, value("guarded")), placedInPeriod(writing));
      return or(isIn(dialect, channelId, value("open")), isGuarded, isMine(writing));
    },
  };
}

async function termPart(ctx: Context<Person>, term: NarrowTerm): Promise<Part> {
  switch (term.operator) {
    case "channel":
      return channelPart(ctx, term);
    case "topic":
      return {
        form: "topic",
        values: { topic: term.operand.toLowerCase() },
        write: ({ t: { messages }, value }) =>
          and(isNotNull(messages.channelId), eq(messages.topicKey, value("topic"))),
      };
    case "sender":
      return equalTo("senderId", await personOf(ctx, term.operand));
    case "id":
      return equalTo("id", term.operand);
    case "dm":
      return conversationPart(ctx, term.operand);
    case "is":
      return statePart(ctx, term.operand);
    case "near":
      return everything;
    default:
      throw badNarrow(`${term.operator} is not offered yet`);
  }
}

const equalTo = (column: "id" | "senderId" | "channelId" | "conversationId", operand: number): Part => ({
  form: column,
  values: { operand },
  write: ({ t, value }) => eq(t.messages[column], value("operand")),
});

/**
 * A channel that the actor may read, as far as its history is open to them; one that is hidden and one that does not exist
 * are refused alike.
 */
async function channelPart(
  ctx: Context<Person>,
  { operand, negated: isNegated }: { operand: string | number; negated: boolean },
): Promise<Part> {
  const reference = typeof operand === "number" ? { id: operand } : { name: operand };
  const { channel } = await loadReadableChannel(ctx, ctx.reader, reference).catch((error: unknown) => {
    throw error instanceof ApiError ? badNarrow("unknown channel") : error;
  });
  const part = equalTo("channelId", channel.id);
  if (isNegated || hasOpenHistory(channel)) return part;
  return { ...part, form: "guardedChannelId", write: (writing) => and(part.write(writing), placedInPeriod(writing)) };
}

async function personOf(ctx: Context, operand: string | number): Promise<number> {
  const user = await findVisibleUser(ctx.reader, ctx, operand);
  if (!user) throw badNarrow("unknown user");
  return user.id;
}

async function conversationPart(ctx: Context<Person>, people: (string | number)[]): Promise<Part> {
  const ids = new Set([ctx.actor.user.id]);
  for (const one of people) ids.add(await personOf(ctx, one));
  const sorted = [...ids].sort((a, b) => a - b);
  const conversationId = await findConversation(ctx.reader, ctx.realm.id, sorted);
  return conversationId === undefined ? nothing : equalTo("conversationId", conversationId);
}

type IsOperand = Extract<NarrowTerm, { operator: "is" }>["operand"];

async function statePart(ctx: Context<Person>, operand: IsOperand): Promise<Part> {
  switch (operand) {
    case "dm":
      return { form: "isDirect", values: {}, write: ({ t }) => isNull(t.messages.channelId) };
    case "resolved":
      return { form: "isResolved", values: {}, write: ({ t }) => like(t.messages.topic, "✔ %") };
    case "unread":
      return unreadPart(ctx);
    case "starred":
      return flaggedPart(ctx, "starred");
    case "mentioned":
      return flaggedPart(ctx, "mentioned");
    case "alerted":
      return flaggedPart(ctx, "has_alert_word");
    default:
      throw badNarrow(`is:${operand} is not offered yet`);
  }
}

const flaggedPart = async (ctx: Context<Person>, flag: string) =>
  listedPart(await listFlagged(ctx.reader, ctx.realm.id, ctx.actor.user.id, flag));

async function unreadPart(ctx: Context<Person>): Promise<Part> {
  const unread = await listUnread(ctx.reader, readerOf(ctx));
  return listedPart(unread.map(({ id }) => id));
}

/**
 * One of some messages. Where there are many, the list is tested for each message between its ends: PostgreSQL, who does
 * not know how long it is, would else compare each message with each of it.
 */
function listedPart(ids: readonly number[]): Part {
  const values = { list: JSON.stringify(ids) };
  if (ids.length <= listedIdsMax) {
    return { form: "listed", values, write: ({ t, dialect, value }) => isIn(dialect, t.messages.id, value("list")) };
  }
  const sorted = ids.toSorted((a, b) => a - b);
  return {
    form: "listedMany",
    values: { ...values, first: sorted[0], last: sorted.at(-1) },
    write: ({ t: { messages }, dialect, value }) =>
      sql`(${messages.id} between ${value("first")} and ${value("last")}
        and coalesce(${isIn(dialect, messages.id, value("list"))}, false))`,
  };
}
