import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { type Given, type NumberedGiven, numberedPlaceholders } from "../../../db/reader";
import type { Dialect, Schema } from "../../../db/schema";
import { isIn, isInWithin } from "../../../db/sql/json";
import { type ChannelRow, listChannels } from "../../channels/queries";
import type { Context, OfPerson, Person } from "../../core/context";
import { openChannelIds, type Periods } from "../../core/reading-right/periods";
import { hasOpenHistory, mayReadChannel } from "../../core/reading-right/predicate";
import {
  isInSubscribedChannel,
  wasPlacedInPeriod,
  wasReceivedInPeriod,
} from "../../core/reading-right/sql";
import { listPeriods } from "../../core/reading-right/stored";

/** For longer lists of message ids, each message in the list's range is tested. */
const listedIdsMax = 1_000;

/**
 * One condition on messages: its form, its values by name, and its SQL with placeholders. Parts of
 * one form have equal SQL, so that the query is prepared once.
 */
export interface Part {
  form: string;
  values: Record<string, unknown>;
  write(writing: Writing): SQL | undefined;
}

export interface Writing {
  t: Schema;
  dialect: Dialect;
  /** Placeholders of all parts. */
  given: Given<NarrowValues>;
  /** The number of the part, which is appended to the names of its own values. */
  number: number;
}

/** Values for all parts of a narrow: the realm and the actor. */
export type NarrowValues = OfPerson;

/** A part with values of its own: `write` gets their placeholders. */
export const partWith = <Values extends Record<string, unknown>>(
  form: string,
  values: Values,
  write: (writing: Writing, given: NumberedGiven<Values>) => SQL | undefined,
): Part => ({
  form,
  values,
  write: (writing) => write(writing, numberedPlaceholders<Values>(writing.number)),
});

export const negated = ({ form, values, write }: Part): Part => ({
  form: `-${form}`,
  values,
  write: (writing) => sql`not coalesce(${write(writing)}, false)`,
});

export const inRealm: Part = {
  form: "realm",
  values: {},
  write: ({ t, given }) => eq(t.messages.realmId, given.realmId),
};

export const nothing: Part = { form: "nothing", values: {}, write: () => sql`1 = 0` };
export const everything: Part = { form: "everything", values: {}, write: () => sql`1 = 1` };

/** Messages in a conversation of the actor's. */
function isMine({ t: { messages, conversationMembers: members }, given }: Writing): SQL {
  return sql`exists (select 1 from ${members} where ${members.realmId} = ${given.realmId}
    and ${members.userId} = ${given.userId} and ${members.conversationId} = ${messages.conversationId})`;
}

/** Messages that were delivered to the actor when they were sent. */
export const received: Part = {
  form: "received",
  values: {},
  write: ({ t, given }) =>
    sql`(${t.messages.conversationId} is not null or ${wasReceivedInPeriod(t, given)})`,
};

/**
 * Messages in conversations, and in channels that the actor is subscribed to now: all that can be
 * unread.
 */
export const withinReach: Part = {
  form: "withinReach",
  values: {},
  write: ({ t, given }) =>
    sql`(${t.messages.conversationId} is not null or ${isInSubscribedChannel(t, given)})`,
};

/** The channels that somebody may read in now, by whether they may read all of their history. */
export interface ReadableChannels {
  open: ChannelRow[];
  guarded: ChannelRow[];
  periods: Periods;
}

export async function readableChannels({
  reader,
  realm,
  actor,
}: Context<Person>): Promise<ReadableChannels> {
  const { id: userId, role } = actor.user;
  const periods = await listPeriods(reader, realm.id, userId);
  const subscribed = openChannelIds(periods);
  const channels = await listChannels(reader, realm.id);
  const open = channels.filter((channel) =>
    subscribed.has(channel.id) ? hasOpenHistory(channel) : mayReadChannel(role, channel, false),
  );
  const guarded = channels.filter(
    (channel) => subscribed.has(channel.id) && !hasOpenHistory(channel),
  );
  return { open, guarded, periods };
}

const idsOf = (channels: readonly ChannelRow[]) => JSON.stringify(channels.map(({ id }) => id));

/**
 * All messages that the actor may read: in channels with open history, in other channels, and in
 * conversations.
 */
export const readablePart = ({ open, guarded }: ReadableChannels): Part =>
  partWith("readable", { open: idsOf(open), guarded: idsOf(guarded) }, (writing, given) => {
    const { dialect, t } = writing;
    const { channelId } = t.messages;
    const isGuarded = and(
      isIn(dialect, channelId, given.guarded),
      wasPlacedInPeriod(t, writing.given),
    );
    return or(isIn(dialect, channelId, given.open), isGuarded, isMine(writing));
  });

export const equalTo = (
  column: "id" | "senderId" | "channelId" | "conversationId",
  operand: number,
): Part => partWith(column, { operand }, ({ t }, given) => eq(t.messages[column], given.operand));

/** In one of some channels, or of some conversations. */
export const inOneOf = (column: "channelId" | "conversationId", ids: readonly number[]): Part =>
  partWith(`${column}s`, { ids: JSON.stringify(ids) }, ({ t, dialect }, given) =>
    isIn(dialect, t.messages[column], given.ids),
  );

/**
 * Condition: one of the listed messages. For many, each message in the list's range is looked up in
 * it, because PostgreSQL does not know the list's length and would compare each message with the
 * whole list.
 */
export function listedPart(ids: readonly number[]): Part {
  const sorted = ids.toSorted((a, b) => a - b);
  const values = { list: JSON.stringify(ids), first: sorted[0] ?? 0, last: sorted.at(-1) ?? 0 };
  const isMany = ids.length > listedIdsMax;
  return partWith(isMany ? "listedMany" : "listed", values, (writing, given) => {
    const { id } = writing.t.messages;
    const { list, first, last } = given;
    return isMany
      ? sql`(${id} between ${first} and ${last} and coalesce(${isIn(writing.dialect, id, list)}, false))`
      : isInWithin(writing.dialect, id, list, [first, last]);
  });
}
