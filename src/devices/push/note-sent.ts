import { and, isNull } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { isIn } from "../../../db/sql/json";
import { isSubscriptionTo, subscribersWanting } from "../../channels/subscribers";
import { selectFollowers } from "../../channels/user-topics/queries";
import { inChunks } from "../../core/chunks";
import type { Tx } from "../../core/context";
import type { SendStep, SentMessage } from "../../core/steps";
import { considerPush, type Trigger } from "./jobs";
import { pushHolders, streamPushHolders } from "./queries";

const selectWanting = subscribersWanting("pushNotifications");

const selectInheriting = statement(
  (db, t, given: Given<{ realmId: number; channelId: number | null; ids: string }>, dialect) =>
    db
      .select({ userId: t.subscriptions.userId })
      .from(t.subscriptions)
      .where(
        and(
          isSubscriptionTo(t, given),
          isIn(dialect, t.subscriptions.userId, given.ids),
          isNull(t.subscriptions.pushNotifications),
        ),
      ),
);

const selectSubscribed = statement(
  (db, t, given: Given<{ realmId: number; channelId: number | null; ids: string }>, dialect) =>
    db
      .select({ userId: t.subscriptions.userId })
      .from(t.subscriptions)
      .where(and(isSubscriptionTo(t, given), isIn(dialect, t.subscriptions.userId, given.ids))),
);

/**
 * Step with each new message: enqueues the check for notifications of people who have a device and
 * whom the message mentions, is addressed to, or who want notifications of all messages in its
 * topic or channel. Whether they get one is decided later. In an organization without devices it
 * costs only a lookup in memory.
 */
export const devicesTold: SendStep = {
  name: "devices told",
  async run(tx, { realm }, message) {
    const holders = await pushHolders(tx, realm.id);
    if (holders.size === 0) return;
    const found =
      message.channelId === null
        ? directOnes(message)
        : await inChannelOnes(tx, realm.id, message, holders);
    await enqueue(tx, realm.id, { ...message, senderId: message.sender.id }, holders, found);
  },
};

/** The facts about a message's mentions. */
interface Mentioning extends Pick<SentMessage, "id" | "groups"> {
  senderId: number;
}

/**
 * Enqueues notifications for people whom an edit of a message has newly mentioned. `named`: people
 * mentioned by name; the others are mentioned through a group.
 */
export async function notePushOfMentions(
  tx: Tx,
  realmId: number,
  message: Mentioning & Pick<SentMessage, "named">,
  userIds: ReadonlySet<number>,
): Promise<void> {
  if (userIds.size === 0) return;
  const named = new Set(message.named.map(({ id }) => id));
  const triggerOf = (userId: number): Trigger =>
    named.has(userId) ? "mentioned" : "group_mentioned";
  const found = new Map([...userIds].map((userId) => [userId, triggerOf(userId)]));
  await enqueue(tx, realmId, message, await pushHolders(tx, realmId), found);
}

async function enqueue(
  tx: Tx,
  realmId: number,
  { id: messageId, senderId, groups }: Mentioning,
  holders: ReadonlySet<number>,
  found: ReadonlyMap<number, Trigger>,
) {
  const recipients = [...found]
    .filter(([userId]) => userId !== senderId && holders.has(userId))
    .map(([userId, trigger]) => ({ userId, trigger }));
  const place = { app: { jobs: tx.jobs }, realm: { id: realmId } };
  for (const chunk of inChunks(recipients)) {
    await considerPush.enqueue(tx, place, { messageId, recipients: chunk, groups: [...groups] });
  }
}

const directOnes = ({ participants }: SentMessage): Map<number, Trigger> =>
  new Map(participants.map(({ id }) => [id, "direct_message"]));

/** More important reasons are added later and replace the others. */
async function inChannelOnes(
  tx: Tx,
  realmId: number,
  message: SentMessage,
  holders: ReadonlySet<number>,
) {
  const { channelId, topicKey, flags, named, mentionsAllOf } = message;
  const found = new Map<number, Trigger>();
  const add = (rows: readonly { userId: number }[], trigger: Trigger) => {
    for (const { userId } of rows) found.set(userId, trigger);
  };
  const ofAll = await streamPushHolders(tx, realmId);
  const among = (userIds: Iterable<number>) => ({
    realmId,
    channelId,
    ids: JSON.stringify([...userIds]),
  });
  // In parallel, which costs one round trip to the database.
  const [inheriting, wanting, followers, subscribed] = await Promise.all([
    ofAll.length > 0 ? selectInheriting(tx, among(ofAll)) : [],
    selectWanting(tx, { realmId, channelId }),
    selectFollowers(tx, { realmId, channelId, topicKey }),
    mentionsAllOf === null ? [] : selectSubscribed(tx, among(holders)),
  ]);
  add(inheriting, "stream_push_notify");
  add(wanting, "stream_push_notify");
  add(followers, "followed_topic");
  add(subscribed, "stream_wildcard_mentioned");
  for (const [userId, flagsOfUser] of flags) {
    if (flagsOfUser.includes("mentioned")) found.set(userId, "group_mentioned");
    else if (flagsOfUser.includes("topic_wildcard_mentioned"))
      found.set(userId, "topic_wildcard_mentioned");
  }
  for (const { id } of named) found.set(id, "mentioned");
  return found;
}
