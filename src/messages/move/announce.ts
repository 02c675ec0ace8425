import { and, eq } from "drizzle-orm";
import { privacyRule } from "../../channels/queries";
import { isSubscribed } from "../../channels/subscribers";
import type { Context, Person, Tx } from "../../core/context";
import { isOpenTo } from "../../core/reading-right/predicate";
import { mayNotRead } from "../../core/reading-right/sql";
import type { TopicLink } from "../../markdown/linkifiers";
import { linksInTopic } from "../../reading/links-in-topic";
import { mentionedBotsOutside } from "../../reading/message-audience";
import { type ContentEdit, editFields } from "../content/change";
import { messageUpdated } from "../content/events";
import { announceGoneIn } from "../delete/events";
import { groupByReaders } from "../delete/group-by-readers";
import { changesChannel, type Move, type MovedMessage } from "./plan";

/**
 * Announces `update_message` to people who may read the messages, with the fields of `edit` for the
 * edited one, and to bots outside that they mention; and to people who lose them only the deletion
 * (B3).
 */
export async function announceMoveIn(
  tx: Tx,
  ctx: Context<Person>,
  move: Move,
  moved: readonly MovedMessage[],
  edit: ContentEdit | undefined,
) {
  const { into } = move;
  const links = await linksInTopic(tx, ctx.realm, move.topic);
  const isLost = changesChannel(move) && (await hasLosers(tx, move));
  for (const { place, messages } of await groupByReaders(tx, move.from, moved)) {
    const update = updateOf(ctx, move, { messages, links }, edit);
    if (!changesChannel(move)) {
      await tx.emit({ to: "subscribers", ...place }, update);
      continue;
    }
    const ends = { from: place, into: { channelId: into.id, ...privacyRule(into) } };
    await tx.emit({ to: "readers", ...ends }, update);
    if (!isLost) continue;
    const old = { stream_id: move.from.id, topic: move.message.topic };
    const ids = messages.map(({ id }) => id);
    await announceGoneIn(tx, { to: "losers", ...ends }, ids, old);
  }
  const ids = await botsOutside(tx, move, moved, edit);
  if (ids.length === 0) return;
  const update = updateOf(ctx, move, { messages: [...moved], links }, edit);
  await tx.emit({ to: "users", ids }, update);
}

/**
 * Bots in neither channel that have received some of the messages by a mention, and may read them
 * in the new place. If they may not, they hear with others who lose flags (`takeFromLosersIn`).
 */
async function botsOutside(
  tx: Tx,
  { from, into }: Move,
  moved: readonly MovedMessage[],
  edit: ContentEdit | undefined,
): Promise<number[]> {
  const ids = moved.map(({ id }) => id);
  const receipts = [...(await mentionedBotsOutside(tx, from, ids)), ...(edit?.bots ?? [])];
  const readers = receipts.filter(({ role }) => isOpenTo(role, into)).map(({ userId }) => userId);
  const outside = [];
  for (const userId of new Set(readers)) {
    if (!(await isSubscribed(tx, into.realmId, userId, into.id))) outside.push(userId);
  }
  return outside;
}

/**
 * Whether anybody could receive the messages in the old place and may not read the new one:
 * otherwise no deletions are announced, which repeat the ids of all messages.
 */
async function hasLosers(tx: Tx, { from, into }: Move): Promise<boolean> {
  if (into.isWebPublic) return false;
  const { subscriptions: s } = tx.t;
  const losers = await tx.db
    .select({ userId: s.userId })
    .from(s)
    .where(
      and(
        eq(s.realmId, from.realmId),
        eq(s.channelId, from.id),
        eq(s.isActive, true),
        mayNotRead(tx, into, s.userId),
      ),
    )
    .limit(1);
  return losers.length > 0;
}

function updateOf(
  ctx: Context<Person>,
  move: Move,
  { messages, links }: { messages: MovedMessage[]; links: TopicLink[] },
  edit: ContentEdit | undefined,
) {
  const { message, from, into, topic, renames, namesChannel, wanted } = move;
  const ids = messages.map(({ id }) => id);
  const isNamed = ids.includes(message.id);
  return messageUpdated({
    user_id: ctx.actor.user.id,
    edit_timestamp: ctx.now,
    rendering_only: false,
    message_id: isNamed ? message.id : (ids[0] ?? message.id),
    message_ids: ids,
    stream_name: from.name,
    stream_id: from.id,
    propagate_mode: wanted.propagateMode,
    orig_subject: message.topic,
    ...(renames ? { subject: topic, topic_links: links } : {}),
    ...(namesChannel ? { new_stream_id: into.id } : {}),
    ...(edit && isNamed ? editFields(edit) : {}),
  });
}
