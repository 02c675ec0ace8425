import { and, eq, sql } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { isRowOf } from "../../../db/sql/json";
import type { ChannelRow } from "../../channels/queries";
import { topicKey } from "../../channels/topics/empty-topic";
import { selectFollowers } from "../../channels/user-topics/queries";
import type { Context, Person, Tx } from "../../core/context";
import { namedInNotice } from "../../core/notice-actor";
import { placedAt } from "../../core/reading-right/sql";
import { parseStoredSettings } from "../../core/rights/group-setting";
import { removeFromTopicIn } from "../delete/remove";
import { noticeReaders } from "../flags/notice-readers";
import { sendNoticeIn } from "../send/notice";

type Resolution = "resolved" | "unresolved";

/** Time within which an undo removes the notice. */
const undoSeconds = 60;

const marked = (resolution: Resolution) => ` has marked this topic as ${resolution}.`;

/**
 * Posts a notice that a topic was resolved or unresolved. If this undoes a change of the last
 * minute, it deletes the former notice instead. The notice counts as read for those of
 * `noticeReaders` who do not follow the topic, or by their setting. Source:
 * `docs/protocol/recorded.md`, 6; `test/recorded/api/register.json`,
 * resolved_topic_notice_auto_read_policy.
 */
export async function tellResolution(
  tx: Tx,
  ctx: Context<Person>,
  channel: ChannelRow,
  topic: string,
  resolution: Resolution,
) {
  if (await takeBackIn(tx, ctx, channel, topic, resolution)) return;
  const content = `${namedInNotice(ctx)}${marked(resolution)}`;
  await sendNoticeIn(tx, ctx, {
    channel,
    topic,
    content,
    readBy: await readersOf(tx, channel, topic),
  });
}

/** Deletes the opposite notice if it is the topic's newest message and not older than a minute. */
async function takeBackIn(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
  topic: string,
  resolution: Resolution,
) {
  const { messages, users } = tx.t;
  const [newest] = await tx.db
    .select({
      id: messages.id,
      placedAt: placedAt(tx.t),
      content: messages.content,
      sentAt: messages.sentAt,
    })
    .from(messages)
    .innerJoin(
      users,
      and(
        eq(users.realmId, messages.realmId),
        eq(users.id, messages.senderId),
        eq(users.isSystemBot, true),
      ),
    )
    .where(
      and(
        eq(messages.realmId, channel.realmId),
        eq(messages.channelId, channel.id),
        eq(messages.topicKey, topicKey(topic)),
        eq(messages.id, newestOf(tx, channel, topic)),
      ),
    );
  const opposite = marked(resolution === "resolved" ? "unresolved" : "resolved");
  if (!newest?.content.endsWith(opposite) || newest.content.includes("\n")) return false;
  if (ctx.now - newest.sentAt > undoSeconds) return false;
  await removeFromTopicIn(tx, ctx, channel, topic, [newest]);
  return true;
}

const newestOf = ({ t }: Tx, { realmId, id }: ChannelRow, topic: string) =>
  sql<number>`(select max(m.id) from ${t.messages} m where m.realm_id = ${realmId} and m.channel_id = ${id}
    and m.topic_key = ${topicKey(topic)})`;

const setting = "resolved_topic_notice_auto_read_policy";

/** The subscribers for whom the notice counts as read from the start. */
async function readersOf(tx: Tx, channel: ChannelRow, topic: string): Promise<number[]> {
  const { realmId, id: channelId } = channel;
  const followers = await selectFollowers(tx, { realmId, channelId, topicKey: topicKey(topic) });
  const followerIds = new Set(followers.map(({ userId }) => userId));
  const readers = await noticeReaders(tx, channel);
  const rows = await selectSettings(tx, { realmId, userIds: JSON.stringify(readers) });
  return rows.flatMap(({ id, settings }) => {
    const policy = settings.includes(setting) ? parseStoredSettings(settings)[setting] : undefined;
    const isUnread = policy === "never" || (policy !== "always" && followerIds.has(id));
    return isUnread ? [] : [id];
  });
}

const selectSettings = statement(
  (db, { users }, given: Given<{ realmId: number; userIds: string }>, dialect) =>
    db
      .select({ id: users.id, settings: users.settings })
      .from(users)
      .where(isRowOf(dialect, users, given.realmId, given.userIds)),
);
