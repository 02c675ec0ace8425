import { eq, sql } from "drizzle-orm";
import { directScope } from "../../reading/read-blocks";
import type { StageWriter } from "./stage-writer";

/**
 * Marks all messages up to one as read, so that nobody has years of unread messages. Writes a mark
 * only for the channels to which somebody has been subscribed, because messages of other channels
 * count as read, and marks for all of them would be as many as people times channels.
 */
export async function markAllRead(writer: StageWriter, lastId: number): Promise<void> {
  const { realmId } = writer;
  await writer.change(async ({ db, t }) => {
    const { readWatermarks, subscriptionPeriods: periods, conversationMembers: members } = t;
    const inChannels = db
      .selectDistinct({
        realmId: periods.realmId,
        userId: periods.userId,
        scope: periods.channelId,
        readUpTo: sql<number>`${lastId}`.as("read_up_to"),
      })
      .from(periods)
      .where(eq(periods.realmId, realmId))
      .orderBy(periods.userId, periods.channelId);
    await db.insert(readWatermarks).select(inChannels);
    const directly = db
      .selectDistinct({
        realmId: members.realmId,
        userId: members.userId,
        scope: sql<number>`${directScope}`.as("scope"),
        readUpTo: sql<number>`${lastId}`.as("read_up_to"),
      })
      .from(members)
      .where(eq(members.realmId, realmId))
      .orderBy(members.userId);
    await db.insert(readWatermarks).select(directly);
  });
}
