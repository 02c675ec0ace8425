import { and, eq, sql } from "drizzle-orm";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest, incompatibleParameters } from "../../core/errors";
import { type Input, id, integer, optional, record, text, word } from "../../core/params";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { lengthsMax } from "../../protocol/limits";
import { topicPolicies } from "../../protocol/topics";
import { loadReadableChannel } from "../queries";
import { namedTopic } from "../topics/empty-topic";
import { findPolicy } from "./queries";
import { setVisibilityIn, type TopicPlace } from "./set";

export const UpdateUserTopic = record({
  streamId: id(),
  topic: text(),
  visibilityPolicy: integer({ minimum: topicPolicies.inherit, maximum: topicPolicies.followed }),
});

/** Number of policies for topics that one person may have. */
const userTopicsMax = 10_000;

/**
 * Sets the actor's policy for a topic, which need not have messages: 0 none, 1 muted, 2 unmuted, 3
 * followed. Announces the events of `setVisibilityIn`, nothing when it is unchanged. Refuses a
 * channel that they may not read like one that does not exist, except to remove a policy there.
 * Source: recorded behaviour of the reference server.
 */
export async function updateUserTopic(
  ctx: Context<Person>,
  { streamId, topic, visibilityPolicy }: Input<typeof UpdateUserTopic>,
): Promise<undefined> {
  const place = { channelId: streamId, topic: requireTopic(topic) };
  await write(ctx, async (tx) => setOwn(tx, await renewContext(tx, ctx), place, visibilityPolicy));
}

export const UpdateMutedTopic = record({
  streamId: optional(id()),
  stream: optional(text()),
  topic: text(),
  op: word("add", "remove"),
});

/**
 * Mutes or unmutes a topic, for clients that know no other policies. The channel is given by id or
 * by name; both together are refused (BAD_REQUEST), because they may name two channels.
 */
export async function updateMutedTopic(
  ctx: Context<Person>,
  { streamId, stream, topic, op }: Input<typeof UpdateMutedTopic>,
): Promise<undefined> {
  const reference = streamId ?? stream;
  if (streamId !== undefined && stream !== undefined)
    throw incompatibleParameters(["stream_id", "stream"], "Name the channel by one of them.");
  if (reference === undefined) throw badRequest("Name the channel by 'stream_id' or 'stream'.");
  const named = requireTopic(topic);
  await write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    const { channel } = await loadReadableChannel(
      renewed,
      tx,
      typeof reference === "number" ? { id: reference } : { name: reference },
    );
    const place = { channelId: channel.id, topic: named };
    const isMuted =
      (await findPolicy(tx, ctx.realm.id, ctx.actor.user.id, place)) === topicPolicies.muted;
    if (op === "add") await setOwn(tx, renewed, place, topicPolicies.muted);
    else if (isMuted) await setOwn(tx, renewed, place, topicPolicies.inherit);
  });
}

function requireTopic(topic: string): string {
  const named = namedTopic(topic);
  const lengthMax = lengthsMax.topic;
  if ([...named].length > lengthMax)
    throw badRequest(`A topic has at most ${lengthMax} characters.`);
  return named;
}

async function setOwn(tx: Tx, ctx: Context<Person>, place: TopicPlace, policy: number) {
  const { realm, actor } = ctx;
  const userId = actor.user.id;
  const before = await findPolicy(tx, realm.id, userId, place);
  const takesBack = policy === topicPolicies.inherit && before !== topicPolicies.inherit;
  if (!takesBack) await loadReadableChannel(ctx, tx, { id: place.channelId });
  if (before === topicPolicies.inherit && policy !== before)
    await requireRoom(tx, realm.id, userId);
  await setVisibilityIn(tx, { realmId: realm.id, userId }, place, policy);
}

async function requireRoom(tx: Tx, realmId: number, userId: number) {
  const { userTopics } = tx.t;
  const [row] = await tx.db
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(userTopics)
    .where(and(eq(userTopics.realmId, realmId), eq(userTopics.userId, userId)));
  if ((row?.count ?? 0) < userTopicsMax) return;
  throw badRequest(`You have policies for ${userTopicsMax} topics: remove some of them first.`);
}
