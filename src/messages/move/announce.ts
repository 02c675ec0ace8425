import { and, eq, gte } from "drizzle-orm";
import { privacyRule } from "../../channels/queries";
import { isSubscribed, isSubscriptionTo } from "../../channels/subscribers";
import type { MoveAudience } from "../../core/audience";
import type { Context, Person, Tx } from "../../core/context";
import { isOpenTo } from "../../core/reading-right/predicate";
import { mayNotRead } from "../../core/reading-right/sql";
import { roles } from "../../core/rights/role";
import type { TopicLink } from "../../markdown/linkifiers";
import { linksInTopic } from "../../reading/links-in-topic";
import { mentionedBotsOutside } from "../../reading/message-audience";
import { type ContentEdit, editFields } from "../content/change";
import { messageUpdated } from "../content/events";
import { announceGoneIn } from "../delete/events";
import { groupByReaders } from "../delete/group-by-readers";
import { flagsAdded, starsRemoved } from "../flags/events";
import { changesChannel, type Move, type MovedMessage } from "./plan";

/**
 * Announces `update_message` to people who may read the messages, with the fields of `edit` for the
 * edited one, and to bots outside that they mention; and to people who lose them only the deletion
 * (B3). To people who may not read in the old channel, for example because they have left it since,
 * nothing tells the old topic (A16).
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
  const isForOutsiders = changesChannel(move) && (await mayHaveOutsiders(tx, move));
  for (const { place, messages } of await groupByReaders(tx, move.from, moved)) {
    const part = { messages, links };
    const update = updateOf(ctx, move, part, edit);
    if (!changesChannel(move)) {
      await tx.emit({ to: "subscribers", ...place }, update);
      continue;
    }
    const ends = { from: place, into: { channelId: into.id, ...privacyRule(into) } };
    await tx.emit({ to: "readers", ...ends }, update);
    if (isForOutsiders)
      await tx.emit({ to: "outsideReaders", ...ends }, arrivalOf(ctx, move, part));
    if (isLost) await announceLossIn(tx, move, ends, idsOf(messages), isForOutsiders);
  }
  const ids = await botsOutside(tx, move, moved, edit);
  if (ids.length === 0) return;
  const update = updateOf(ctx, move, { messages: [...moved], links }, edit);
  await tx.emit({ to: "users", ids }, update);
}

/**
 * Announces `delete_message` to people who lose messages. It names the topic, so people who have
 * left the old channel since hear only that they have no star and nothing unread there any more:
 * `takeFromLosersIn` then takes these, unread marks within its limits.
 */
async function announceLossIn(
  tx: Tx,
  { message, from }: Move,
  ends: Pick<MoveAudience, "from" | "into">,
  ids: number[],
  isForOutsiders: boolean,
) {
  const old = { stream_id: from.id, topic: message.topic };
  await announceGoneIn(tx, { to: "losers", ...ends }, ids, old);
  if (!isForOutsiders) return;
  const read = flagsAdded({ operation: "add", flag: "read", messages: ids, all: false });
  await tx.emit({ to: "outsideLosers", ...ends }, starsRemoved(ids));
  await tx.emit({ to: "outsideLosers", ...ends }, read);
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
  const ids = idsOf(moved);
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
        isSubscriptionTo(tx.t, { realmId: from.realmId, channelId: from.id }),
        mayNotRead(tx, into, s.userId),
      ),
    )
    .limit(1);
  return losers.length > 0;
}

/**
 * Whether anybody could have received the messages, or may know the old channel, who may not read
 * there once they have left it: in a public channel only guests. Otherwise no events are announced
 * for them, which repeat the ids of all messages.
 */
async function mayHaveOutsiders(tx: Tx, { from }: Move): Promise<boolean> {
  if (from.isWebPublic || from.inviteOnly) return from.inviteOnly;
  const { subscriptions: s, users: u } = tx.t;
  const guests = await tx.db
    .select({ userId: s.userId })
    .from(s)
    .innerJoin(u, and(eq(u.realmId, s.realmId), eq(u.id, s.userId)))
    .where(
      and(
        isSubscriptionTo(tx.t, { realmId: from.realmId, channelId: from.id }),
        gte(u.role, roles.guest),
      ),
    )
    .limit(1);
  return guests.length > 0;
}

/** Messages of a move, all with equal readers, and the links of the new topic. */
interface Part {
  messages: MovedMessage[];
  links: TopicLink[];
}

function updateOf(ctx: Context<Person>, move: Move, part: Part, edit: ContentEdit | undefined) {
  const { message, from, into, topic, renames, namesChannel, wanted } = move;
  const fields = commonFields(ctx, move, part);
  return messageUpdated({
    ...fields,
    stream_name: from.name,
    propagate_mode: wanted.propagateMode,
    orig_subject: message.topic,
    ...(renames ? { subject: topic, topic_links: part.links } : {}),
    ...(namesChannel ? { new_stream_id: into.id } : {}),
    ...(edit && fields.message_id === message.id ? editFields(edit) : {}),
  });
}

/**
 * A move for people who may not know where the messages were: the new place in full, of the old one
 * only the id of the channel. The old topic is another than the new one and says nothing, because
 * clients take an event for a move only if it has an old topic, and change the topic only if the
 * two differ. `change_one` keeps clients from following a topic to the new place. A client that
 * counts unread messages by the old topic, as Zulip's mobile app does, finds them there until it
 * registers again.
 */
const arrivalOf = (ctx: Context<Person>, move: Move, part: Part) =>
  messageUpdated({
    ...commonFields(ctx, move, part),
    propagate_mode: "change_one",
    orig_subject: move.topic === "" ? "…" : "",
    subject: move.topic,
    topic_links: part.links,
    new_stream_id: move.into.id,
  });

function commonFields(ctx: Context<Person>, { message, from }: Move, { messages }: Part) {
  const ids = idsOf(messages);
  return {
    user_id: ctx.actor.user.id,
    edit_timestamp: ctx.now,
    rendering_only: false,
    message_id: ids.includes(message.id) ? message.id : (ids[0] ?? message.id),
    message_ids: ids,
    stream_id: from.id,
  };
}

const idsOf = (messages: readonly MovedMessage[]) => messages.map(({ id }) => id);
