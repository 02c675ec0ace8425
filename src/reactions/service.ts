import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { Audience } from "../core/audience";
import type { Context, LoggedEvent, Person, Tx } from "../core/context";
import { ApiError, badRequest } from "../core/errors";
import { type Input, id, optional, record, text } from "../core/params";
import { roles } from "../core/role";
import type { Onlooker } from "../core/sight";
import { write } from "../core/write";
import { emojiCode, emojiNames, extraEmojiName } from "../emoji/table";
import { loadChangeableMessage } from "../messages/changeable";
import { audienceOf } from "../messages/message-audience";
import type { MessageRow } from "../messages/queries";
import { followParticipant } from "../user-topics/automatic";
import { partsByAddress } from "../users/announce";
import { renewContext } from "../users/renew-context";
import { shownPerson } from "../users/shown";
import { strangersIn } from "../users/sight";
import { reactionAdded, reactionRemoved } from "./events";

export const AddReaction = record({
  messageId: id(),
  emojiName: text(),
  emojiCode: optional(text()),
  reactionType: optional(text()),
});

export const RemoveReaction = record({
  messageId: id(),
  emojiName: optional(text()),
  emojiCode: optional(text()),
  reactionType: optional(text()),
});

interface Emoji {
  emojiName: string;
  emojiCode: string;
  reactionType: string;
}

/** How many different emoji a message may carry. */
const emojiPerMessageMax = 100;
const extraEmojiType = "service_extra_emoji";
const extraEmojiTypes = new Set([extraEmojiType, "zulip_extra_emoji"]);

/**
 * Puts an emoji on a message that the actor may read. Announces `reaction` to those who received the message, and
 * `user_topic` to the actor when their settings make them follow the topic for that. Refuses an emoji that does not exist, and one that the actor has put there already.
 */
export async function addReaction(ctx: Context<Person>, input: Input<typeof AddReaction>): Promise<undefined> {
  const { realm, actor } = ctx;
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const { message } = await loadChangeableMessage(tx, current, input.messageId);
    const emoji = await canonicalName(tx, realm.id, message.id, resolveEmoji(input));
    const { reactions } = tx.t;
    const rows = await tx.db
      .insert(reactions)
      .values({ ...emoji, realmId: realm.id, messageId: message.id, userId: actor.user.id })
      .onConflictDoNothing()
      .returning({ id: reactions.id });
    if (rows.length === 0) throw new ApiError("REACTION_ALREADY_EXISTS", "Reaction already exists.");
    const audiences = await audiencesOf(tx, realm.id, message);
    const event = wire(message.id, actor.user.id, emoji);
    await announce(tx, current, message, audiences, (user) => reactionAdded({ ...event, user }));
    const { channelId, topic } = message;
    if (channelId !== null) await followParticipant(tx, realm.id, current.actor.user, { channelId, topic });
  });
}

/** Takes the actor's emoji off a message. Announces `reaction`; refuses when it is not there. */
export async function removeReaction(ctx: Context<Person>, input: Input<typeof RemoveReaction>): Promise<undefined> {
  const { realm, actor } = ctx;
  if (input.emojiName === undefined && input.emojiCode === undefined) {
    throw badRequest("Send emoji_name, or emoji_code with reaction_type, to say which reaction.");
  }
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const { message } = await loadChangeableMessage(tx, current, input.messageId);
    const { reactions } = tx.t;
    const audiences = await audiencesOf(tx, realm.id, message);
    const [removed] = await tx.db
      .delete(reactions)
      .where(
        and(
          eq(reactions.realmId, realm.id),
          eq(reactions.messageId, message.id),
          eq(reactions.userId, actor.user.id),
          whichEmoji(tx, input),
        ),
      )
      .returning();
    if (!removed) throw new ApiError("REACTION_DOES_NOT_EXIST", "Reaction doesn't exist.");
    const event = wire(message.id, actor.user.id, removed);
    await announce(tx, current, message, audiences, (user) => reactionRemoved({ ...event, user }));
  });
}

const wire = (messageId: number, userId: number, emoji: Emoji) => ({
  message_id: messageId,
  user_id: userId,
  emoji_name: emoji.emojiName,
  emoji_code: emoji.emojiCode,
  reaction_type: emoji.reactionType,
});

const unknownEmoji = (name: string) => badRequest(`Emoji '${name}' does not exist.`);

/** The emoji that is meant; its code and type follow from the name when they are left out. */
function resolveEmoji({ emojiName, emojiCode: code, reactionType }: Input<typeof AddReaction>): Emoji {
  if (extraEmojiTypes.has(reactionType ?? "") || (reactionType === undefined && emojiName === extraEmojiName)) {
    if (emojiName !== extraEmojiName || (code ?? emojiName) !== emojiName) throw unknownEmoji(emojiName);
    return { emojiName, emojiCode: emojiName, reactionType: extraEmojiType };
  }
  if (reactionType === "realm_emoji") throw badRequest("Invalid custom emoji.");
  if (reactionType !== undefined && reactionType !== "unicode_emoji") throw badRequest("Invalid emoji type.");
  const known = emojiCode(emojiName);
  if (known === undefined) throw unknownEmoji(emojiName);
  if (code !== undefined && code !== known && !emojiNames(code).includes(emojiName))
    throw badRequest("Invalid emoji name.");
  return { emojiName, emojiCode: known, reactionType: "unicode_emoji" };
}

/** An emoji that others have put on the message keeps the name that the first of them gave it. */
async function canonicalName(tx: Tx, realmId: number, messageId: number, emoji: Emoji): Promise<Emoji> {
  const { reactions } = tx.t;
  const onMessage = and(eq(reactions.realmId, realmId), eq(reactions.messageId, messageId));
  const rows = await tx.db
    .select({ code: reactions.emojiCode, type: reactions.reactionType, name: sql<string>`min(${reactions.emojiName})` })
    .from(reactions)
    .where(onMessage)
    .groupBy(reactions.emojiCode, reactions.reactionType);
  const same = rows.find(({ code, type }) => code === emoji.emojiCode && type === emoji.reactionType);
  if (same) return { ...emoji, emojiName: same.name };
  if (rows.length >= emojiPerMessageMax) throw badRequest(`A message can carry ${emojiPerMessageMax} different emoji.`);
  return emoji;
}

function whichEmoji(tx: Tx, { emojiName, emojiCode: code, reactionType }: Input<typeof RemoveReaction>) {
  const { reactions } = tx.t;
  const named = emojiName === undefined ? undefined : emojiName === extraEmojiName ? emojiName : emojiCode(emojiName);
  if (code === undefined && named === undefined) throw unknownEmoji(emojiName ?? "");
  const type = reactionType === "zulip_extra_emoji" ? extraEmojiType : (reactionType ?? "unicode_emoji");
  return and(eq(reactions.emojiCode, code ?? named ?? ""), eq(reactions.reactionType, type));
}

type Announced = (user: { user_id: number; email: string; full_name: string }) => LoggedEvent;

/** Everybody hears of it with as much of who it was as they may know. */
async function announce(
  tx: Tx,
  { realm, actor: { user } }: Context<Person>,
  { channelId }: MessageRow,
  audiences: Audience[],
  make: Announced,
) {
  const shownTo = (onlooker: Onlooker) => {
    const { email, fullName: full_name } = shownPerson(user, { onlooker, realmHost: realm.host });
    return make({ user_id: user.id, email, full_name });
  };
  const strangers = channelId === null ? undefined : await strangersIn(tx, realm, channelId, user);
  for (const audience of audiences) {
    const seeing = strangers ? { ...audience, except: [...(audience.except ?? []), ...strangers] } : audience;
    for (const part of partsByAddress(seeing, user)) await tx.emit(part.audience, shownTo(part.onlooker));
  }
  const stranger: Onlooker = { userId: 0, role: roles.guest, seen: new Set() };
  if (strangers) await tx.emit({ to: "users", ids: [...strangers] }, shownTo(stranger));
}

/** Those who receive what is sent there, and in a public channel those beside them who have put an emoji on the message. */
async function audiencesOf(tx: Tx, realmId: number, message: MessageRow): Promise<Audience[]> {
  const audience = await audienceOf(tx, realmId, message);
  if (audience.to !== "subscribers" || audience.isPrivate) return [audience];
  const others = await reactingOutside(tx, realmId, audience.channelId, message.id);
  return others.length === 0 ? [audience] : [audience, { to: "users", ids: others }];
}

/** Who has put an emoji on a message of a public channel without being subscribed, and may still read it. */
async function reactingOutside(tx: Tx, realmId: number, channelId: number, messageId: number): Promise<number[]> {
  const { reactions, subscriptions, users } = tx.t;
  const isSubscription = and(
    eq(subscriptions.realmId, realmId),
    eq(subscriptions.userId, reactions.userId),
    eq(subscriptions.channelId, channelId),
    eq(subscriptions.isActive, true),
  );
  const rows = await tx.db
    .selectDistinct({ id: reactions.userId })
    .from(reactions)
    .innerJoin(users, and(eq(users.realmId, realmId), eq(users.id, reactions.userId), ne(users.role, roles.guest)))
    .leftJoin(subscriptions, isSubscription)
    .where(and(eq(reactions.realmId, realmId), eq(reactions.messageId, messageId), isNull(subscriptions.userId)));
  return rows.map(({ id: userId }) => userId);
}
