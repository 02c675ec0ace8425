import { and, desc, eq, gte, lte } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { Schema } from "../../db/schema";
import { isIn } from "../../db/sql/json";
import type { MessageReader } from "./queries";
import { endsOf, isRead, isReceived, loadReadState, type ReadableMessage } from "./read-state";
import { withWildcards } from "./wildcard-flags";

/** Flags that people set on messages themselves, in addition to `read`. */
export const ownFlags: readonly string[] = ["starred", "collapsed"];

const selectFlags = statement(
  (db, t, given: Given<{ realmId: number; ids: string; userId: number }>, dialect) =>
    db
      .select({ messageId: t.messageFlags.messageId, flag: t.messageFlags.flag })
      .from(t.messageFlags)
      .where(and(isOfUser(t, given), isIn(dialect, t.messageFlags.messageId, given.ids))),
);

const selectFlagsBetween = statement(
  (db, t, given: Given<{ realmId: number; first: number; last: number; userId: number }>) =>
    db
      .select({ messageId: t.messageFlags.messageId, flag: t.messageFlags.flag })
      .from(t.messageFlags)
      .where(
        and(
          isOfUser(t, given),
          gte(t.messageFlags.messageId, given.first),
          lte(t.messageFlags.messageId, given.last),
        ),
      ),
);

const isOfUser = ({ messageFlags }: Schema, given: Given<{ realmId: number; userId: number }>) =>
  and(eq(messageFlags.realmId, given.realmId), eq(messageFlags.userId, given.userId));

/**
 * Up to this number of ids per requested message, all flags in the range of ids are read, because a
 * range is cheaper than a list.
 */
const idsPerMessageMax = 20;

const noneStored: ReadonlyMap<number, { flag: string }[]> = new Map();

/** The stored flags of messages, by message; may include other messages. */
async function storedFlags(
  reader: Reader,
  { realmId, userId }: Pick<MessageReader, "realmId" | "userId">,
  messages: readonly ReadableMessage[],
): Promise<ReadonlyMap<number, { flag: string }[]>> {
  const { first, last } = endsOf(messages);
  const rows =
    last - first <= messages.length * idsPerMessageMax
      ? await selectFlagsBetween(reader, { realmId, userId, first, last })
      : await selectFlags(reader, {
          realmId,
          userId,
          ids: JSON.stringify(messages.map(({ id }) => id)),
        });
  return rows.length === 0 ? noneStored : Map.groupBy(rows, ({ messageId }) => messageId);
}

/**
 * The flags of messages for one user, in the order of the messages. Messages that were never
 * delivered to them are historical, unless these mention them by name.
 */
export async function flagsOfMessages(
  reader: Reader,
  { realmId, userId }: MessageReader,
  messages: (ReadableMessage & { mentionsAllOf: number | null })[],
): Promise<(readonly string[])[]> {
  if (messages.length === 0) return [];
  const state = await loadReadState(reader, realmId, userId, messages);
  const stored = await storedFlags(reader, { realmId, userId }, messages);
  return messages.map((message) => {
    const hasCome = isReceived(state, message);
    const readFlags = isRead(state, message, hasCome) ? readOnly : noFlags;
    const rows = stored.get(message.id);
    const isPlain = rows === undefined && hasCome && message.mentionsAllOf === null;
    return isPlain
      ? readFlags
      : completeFlags([...readFlags], rows ?? [], hasCome, message.mentionsAllOf !== null);
  });
}

/** The flags of nearly all messages, which share these lists. */
export const readOnly: readonly string[] = ["read"];
export const noFlags: readonly string[] = [];

function completeFlags(
  flags: string[],
  rows: readonly { flag: string }[],
  hasCome: boolean,
  mentionsAll: boolean,
) {
  if (!hasCome && rows.every(({ flag }) => flag !== "mentioned")) flags.push("historical");
  for (const { flag } of rows) flags.push(flag);
  return withWildcards(flags, hasCome && mentionsAll);
}

const flaggedMax = 10_000;

const selectFlagged = statement(
  (db, t, given: Given<{ realmId: number; userId: number; flag: string }>) =>
    db
      .select({ id: t.messageFlags.messageId })
      .from(t.messageFlags)
      .where(and(isOfUser(t, given), eq(t.messageFlags.flag, given.flag)))
      .orderBy(desc(t.messageFlags.messageId))
      .limit(flaggedMax),
);

/** The messages on which a user has set a flag, newest first. */
export async function listFlagged(
  reader: Reader,
  realmId: number,
  userId: number,
  flag: string,
): Promise<number[]> {
  const rows = await selectFlagged(reader, { realmId, userId, flag });
  return rows.map(({ id }) => id);
}
