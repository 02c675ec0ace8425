import { and, asc, eq, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import type { Context, Person } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, id, record } from "../../core/params";
import { periodHolds } from "../../core/reading-right/sql";
import { sees } from "../../core/sight";
import { parseUserSettings } from "../../people/settings/user-settings";
import { onlookerOf } from "../../people/users/onlooker";
import { ownFlags } from "../../reading/flags-of-messages";
import { loadReadableMessage, type MessageRow, participantIds } from "../../reading/queries";
import { blockOf, directScope, hasBit } from "../../reading/read-blocks";
import { parseRealmSettings } from "../../realm/settings";

export const GetReadReceipts = record({ messageId: id() });

/**
 * People who have read a message, except its sender: only people who share that, and whom the actor
 * sees. They have received it, or have starred, collapsed or reacted to it, because that needs
 * reading it. Refuses a missing message and one that the actor may not read alike, and every
 * request where the organization has turned read receipts off. Source:
 * `test/recorded/api/api-surface.json`, get-read-receipts.
 */
export async function getReadReceipts(
  ctx: Context<Person>,
  { messageId }: Input<typeof GetReadReceipts>,
): Promise<{ user_ids: number[] }> {
  const message = await loadReadableMessage(ctx.reader, ctx, messageId);
  if (!parseRealmSettings(ctx.realm.settings).enable_read_receipts) {
    throw badRequest("This organization has turned read receipts off.");
  }
  const readers = await readersOf(ctx.reader, ctx.realm.id, message);
  const onlooker = await onlookerOf(
    ctx.reader,
    ctx,
    readers.map((person) => person.id),
  );
  return {
    user_ids: readers.filter((person) => sees(onlooker, person)).map((person) => person.id),
  };
}

/**
 * People for whom a message counts as read: by their watermark or, if it was not delivered to them,
 * because they have acted on it; unless the exceptions in their bitmap reverse that.
 */
async function readersOf(reader: Reader, realmId: number, message: MessageRow) {
  const { users, readWatermarks: marks, readBlocks: blocks } = reader.t;
  const scope = message.sentChannelId ?? directScope;
  const mark = and(eq(marks.realmId, realmId), eq(marks.userId, users.id), eq(marks.scope, scope));
  const block = and(
    eq(blocks.realmId, realmId),
    eq(blocks.userId, users.id),
    eq(blocks.scope, scope),
    eq(blocks.block, blockOf(message.id)),
  );
  const received = await hasReceived(reader, realmId, message);
  const others = and(
    eq(users.realmId, realmId),
    eq(users.isActive, true),
    ne(users.id, message.senderId),
  );
  const rows = await reader.db
    .select({
      id: users.id,
      botType: users.botType,
      settings: users.settings,
      readUpTo: marks.readUpTo,
      bits: blocks.bits,
      isReceived: sql<number>`case when ${received} then 1 else 0 end`.mapWith(Number),
    })
    .from(users)
    .leftJoin(marks, mark)
    .leftJoin(blocks, block)
    .where(and(others, or(received, hasHandled(reader, realmId, message.id))))
    .orderBy(asc(users.id));
  return rows.filter(({ settings, readUpTo, bits, isReceived }) => {
    const isException = bits !== null && hasBit(Buffer.from(bits), message.id);
    const isReadByRule = isReceived === 0 || message.id <= (readUpTo ?? 0);
    return isReadByRule !== isException && letsKnow(settings);
  });
}

/** The condition that a user has starred, collapsed or reacted to a message. */
function hasHandled({ db, t }: Reader, realmId: number, messageId: number): SQL | undefined {
  const { users, messageFlags: flags, reactions } = t;
  const isFlagged = and(
    eq(flags.realmId, realmId),
    eq(flags.messageId, messageId),
    inArray(flags.flag, [...ownFlags]),
  );
  const isReaction = and(eq(reactions.realmId, realmId), eq(reactions.messageId, messageId));
  return or(
    inArray(users.id, db.select({ id: flags.userId }).from(flags).where(isFlagged)),
    inArray(users.id, db.select({ id: reactions.userId }).from(reactions).where(isReaction)),
  );
}

/** The condition that a message was delivered to a user when it was sent. */
async function hasReceived(
  reader: Reader,
  realmId: number,
  message: MessageRow,
): Promise<SQL | undefined> {
  const { users, subscriptionPeriods: periods } = reader.t;
  const { id: messageId, conversationId, sentChannelId } = message;
  if (sentChannelId === null) {
    return inArray(users.id, await participantIds(reader, realmId, conversationId ?? 0));
  }
  const during = reader.db
    .select({ userId: periods.userId })
    .from(periods)
    .where(
      and(
        eq(periods.realmId, realmId),
        eq(periods.channelId, sentChannelId),
        periodHolds(reader.t, sql`${messageId}`),
      ),
    );
  return inArray(users.id, during);
}

/** Settings are stored only where they differ from their default, which is to share it. */
const letsKnow = (settings: string) =>
  !settings.includes("send_read_receipts") || parseUserSettings(settings).send_read_receipts;
