import { and, asc, eq, isNull } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { strangersIn } from "../../channels/guest-visibility";
import type { ChannelRow } from "../../channels/queries";
import { followParticipant } from "../../channels/user-topics/automatic";
import type { Audience } from "../../core/audience";
import type { Context, LoggedEvent, Person, Tx } from "../../core/context";
import { ApiError, badRequest } from "../../core/errors";
import { type Input, id, optional, record, text } from "../../core/params";
import type { Viewer } from "../../core/rights/person-visibility";
import { roles } from "../../core/rights/role";
import { write } from "../../core/write";
import { emojiTypeOf, emojiTypes, realmEmojiType, unicodeEmojiType } from "../../emoji/emoji-types";
import { emojiCode, extraEmojiName } from "../../emoji/table";
import { partsByAddress } from "../../people/users/announce";
import { renewContext } from "../../people/users/renew-context";
import { shownPerson } from "../../people/users/shown";
import { type ChangeableMessage, loadChangeableMessage } from "../../reading/changeable";
import { audienceOf, mentionedBotsOutside } from "../../reading/message-audience";
import type { MessageRow } from "../../reading/queries";
import { type Emoji, findEmoji, unknownEmoji } from "../../realm/realm-emoji/find";
import { findUsableEmoji } from "../../realm/realm-emoji/queries";
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

/** Number of different emoji on one message. */
const emojiPerMessageMax = 100;

type OnMessage = { realmId: number; messageId: number };

const insertReaction = statement(
  (db, { reactions }, given: Given<OnMessage & Emoji & { userId: number }>) =>
    db
      .insert(reactions)
      .values({
        realmId: given.realmId,
        messageId: given.messageId,
        userId: given.userId,
        emojiName: given.emojiName,
        emojiCode: given.emojiCode,
        reactionType: given.reactionType,
      })
      .onConflictDoNothing()
      .returning({ id: reactions.id }),
);

/**
 * Adds a reaction to a message that the actor may read. Announces `reaction` to everybody who
 * received the message, and `user_topic` to the actor when their settings make them follow the
 * topic for that. Refuses a missing emoji, and a reaction that the actor has already added.
 */
export async function addReaction(
  ctx: Context<Person>,
  input: Input<typeof AddReaction>,
): Promise<undefined> {
  const { realm, actor } = ctx;
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const changeable = await loadChangeableMessage(tx, current, input.messageId);
    const { message } = changeable;
    const emoji = await chooseEmoji(tx, { realmId: realm.id, messageId: message.id }, input);
    const rows = await insertReaction(tx, {
      ...emoji,
      realmId: realm.id,
      messageId: message.id,
      userId: actor.user.id,
    });
    if (rows.length === 0)
      throw new ApiError("REACTION_ALREADY_EXISTS", "Reaction already exists.");
    const audiences = await audiencesOf(tx, realm.id, changeable);
    const event = wire(message.id, actor.user.id, emoji);
    await announce(tx, current, message, audiences, (user) => reactionAdded({ ...event, user }));
    const { channelId, topic } = message;
    if (channelId !== null)
      await followParticipant(tx, realm.id, current.actor.user, { channelId, topic });
  });
}

/**
 * Removes the actor's reaction from a message. Announces `reaction`; refuses when it does not
 * exist.
 */
export async function removeReaction(
  ctx: Context<Person>,
  input: Input<typeof RemoveReaction>,
): Promise<undefined> {
  const { realm, actor } = ctx;
  if (input.emojiName === undefined && input.emojiCode === undefined) {
    throw badRequest("Send emoji_name, or emoji_code with reaction_type, to say which reaction.");
  }
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const changeable = await loadChangeableMessage(tx, current, input.messageId);
    const { message } = changeable;
    const reaction = await findOwn(tx, current, message.id, input);
    if (!reaction) throw await notThere(tx, realm.id, input);
    const audiences = await audiencesOf(tx, realm.id, changeable);
    await deleteReaction(tx, { realmId: realm.id, id: reaction.id });
    const event = wire(message.id, actor.user.id, reaction);
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

type OfEmoji = OnMessage & { reactionType: string; emojiCode: string };

/** The name of an emoji on a message: the first in the alphabet that a reaction has for it. */
const firstNameOf = statement((db, { reactions }, given: Given<OfEmoji>) =>
  db
    .select({ emojiName: reactions.emojiName })
    .from(reactions)
    .where(
      and(
        eq(reactions.realmId, given.realmId),
        eq(reactions.messageId, given.messageId),
        eq(reactions.reactionType, given.reactionType),
        eq(reactions.emojiCode, given.emojiCode),
      ),
    )
    .orderBy(asc(reactions.emojiName))
    .limit(1),
);

/** An emoji as it is on a message, if somebody has added it there. */
async function findOn(
  tx: Tx,
  on: OnMessage,
  emoji: { reactionType: string; emojiCode: string },
): Promise<Emoji | undefined> {
  const { reactionType, emojiCode: code } = emoji;
  const [first] = await firstNameOf(tx, { ...on, reactionType, emojiCode: code });
  return first && { emojiName: first.emojiName, emojiCode: code, reactionType };
}

/** The different emoji on a message; reads all its reactions. */
const kindsOn = statement((db, { reactions }, given: Given<OnMessage>) =>
  db
    .selectDistinct({ reactionType: reactions.reactionType, emojiCode: reactions.emojiCode })
    .from(reactions)
    .where(and(eq(reactions.realmId, given.realmId), eq(reactions.messageId, given.messageId)))
    .limit(emojiPerMessageMax),
);

/**
 * An emoji that is already on the message can be added too, even if it was deactivated since, or if
 * its name means another one now. The kinds are counted only for one that is new there, so that the
 * cost does not grow with the number of people who join in.
 */
async function chooseEmoji(
  tx: Tx,
  on: OnMessage,
  input: Input<typeof AddReaction>,
): Promise<Emoji> {
  const { emojiName: name, emojiCode: code, reactionType: type } = input;
  if (code !== undefined) {
    for (const reactionType of type === undefined ? emojiTypes : [emojiTypeOf(type)]) {
      const shown = await findOn(tx, on, { reactionType, emojiCode: code });
      if (shown && (type !== undefined || shown.emojiName === name)) return shown;
    }
  }
  const emoji = await findEmoji(tx, on.realmId, { name, code, type });
  const shown = await findOn(tx, on, emoji);
  if (shown) return shown;
  if ((await kindsOn(tx, on)).length >= emojiPerMessageMax)
    throw badRequest(`A message can carry ${emojiPerMessageMax} different emoji.`);
  return emoji;
}

const selectOwn = statement((db, { reactions }, given: Given<OnMessage & { userId: number }>) =>
  db
    .select()
    .from(reactions)
    .where(
      and(
        eq(reactions.realmId, given.realmId),
        eq(reactions.messageId, given.messageId),
        eq(reactions.userId, given.userId),
      ),
    )
    .orderBy(asc(reactions.id)),
);

const deleteReaction = statement(
  (db, { reactions }, given: Given<{ realmId: number; id: number }>) =>
    db
      .delete(reactions)
      .where(and(eq(reactions.realmId, given.realmId), eq(reactions.id, given.id))),
);

/**
 * The actor's reaction that the input means: among several with one name, the organization's own
 * emoji, then the present meaning of the name. Reads all of the actor's on the message, because
 * they are few, and one statement then serves every form of the input.
 */
async function findOwn(
  tx: Tx,
  { realm, actor }: Context<Person>,
  messageId: number,
  input: Input<typeof RemoveReaction>,
) {
  const own = await selectOwn(tx, { realmId: realm.id, messageId, userId: actor.user.id });
  const meant = own.filter(emojiTest(input));
  const codeNow = emojiCode(input.emojiName ?? "");
  return (
    meant.find(({ reactionType }) => reactionType === realmEmojiType) ??
    meant.find((reaction) => reaction.emojiCode === codeNow) ??
    meant[0]
  );
}

/**
 * Makes a test for the emoji that the input means. A name alone means the organization's own emoji
 * with that name, or else the Unicode emoji, or one that had the name when it was added; the extra
 * emoji is removed only by its type. Source: recorded behaviour of the reference server.
 */
function emojiTest({
  emojiName: name = "",
  emojiCode: code,
  reactionType,
}: Input<typeof RemoveReaction>): (emoji: Emoji) => boolean {
  const type = emojiTypeOf(reactionType ?? unicodeEmojiType);
  if (code !== undefined) return (one) => one.emojiCode === code && one.reactionType === type;
  const isOwnEmoji = (one: Emoji) => one.emojiName === name && one.reactionType === realmEmojiType;
  if (reactionType === realmEmojiType) return isOwnEmoji;
  const named = name === extraEmojiName ? name : (emojiCode(name) ?? "");
  const isNamed = (one: Emoji) =>
    (one.emojiCode === named || one.emojiName === name) && one.reactionType === type;
  return reactionType === undefined ? (one) => isOwnEmoji(one) || isNamed(one) : isNamed;
}

/** Reason why there was nothing to remove. */
async function notThere(
  tx: Tx,
  realmId: number,
  { emojiName: name, emojiCode: code }: Input<typeof RemoveReaction>,
) {
  const isKnown = name === undefined || name === extraEmojiName || emojiCode(name) !== undefined;
  if (code !== undefined || isKnown || (await findUsableEmoji(tx, realmId, name)) !== undefined) {
    return new ApiError("REACTION_DOES_NOT_EXIST", "Reaction doesn't exist.");
  }
  return unknownEmoji(name);
}

type Announced = (user: { user_id: number; email: string; full_name: string }) => LoggedEvent;

/** Announces a reaction to everybody, with those facts about the person that each may know. */
async function announce(
  tx: Tx,
  { realm, actor: { user } }: Context<Person>,
  { channelId }: MessageRow,
  audiences: Audience[],
  make: Announced,
) {
  const shownTo = (viewer: Viewer) => {
    const { email, fullName: full_name } = shownPerson(user, { viewer, realmHost: realm.host });
    return make({ user_id: user.id, email, full_name });
  };
  const strangers = channelId === null ? undefined : await strangersIn(tx, realm, channelId, user);
  for (const audience of audiences) {
    const seeing = strangers
      ? { ...audience, except: [...(audience.except ?? []), ...strangers] }
      : audience;
    for (const part of partsByAddress(seeing, user))
      await tx.emit(part.audience, shownTo(part.viewer));
  }
  const stranger: Viewer = { userId: 0, role: roles.guest, seen: new Set() };
  if (strangers) await tx.emit({ to: "users", ids: [...strangers] }, shownTo(stranger));
}

/**
 * Audiences of a reaction: the recipients of messages there, and in a public channel also outsiders
 * who have reacted to the message and bots that it mentions.
 */
async function audiencesOf(
  tx: Tx,
  realmId: number,
  { message, channel }: ChangeableMessage,
): Promise<Audience[]> {
  const audience = await audienceOf(tx, realmId, message);
  if (!channel || channel.inviteOnly) return [audience];
  const bots = await mentionedBotsOutside(tx, channel, [message.id]);
  const others = new Set([
    ...(await reactingOutside(tx, channel, message.id)),
    ...bots.map(({ userId }) => userId),
  ]);
  return others.size === 0 ? [audience] : [audience, { to: "users", ids: [...others] }];
}

/**
 * People who have reacted to a message of a public channel without being subscribed, and may still
 * read it.
 */
async function reactingOutside(
  tx: Tx,
  { realmId, id: channelId, isWebPublic }: ChannelRow,
  messageId: number,
): Promise<number[]> {
  const rows = await selectOutsiders(tx, { realmId, channelId, messageId });
  return rows
    .filter(({ role }) => isWebPublic || role !== roles.guest)
    .map(({ id: userId }) => userId);
}

const selectOutsiders = statement(
  (db, { reactions, subscriptions, users }, given: Given<OnMessage & { channelId: number }>) => {
    const isPerson = and(eq(users.realmId, given.realmId), eq(users.id, reactions.userId));
    const isSubscription = and(
      eq(subscriptions.realmId, given.realmId),
      eq(subscriptions.userId, reactions.userId),
      eq(subscriptions.channelId, given.channelId),
      eq(subscriptions.isActive, true),
    );
    return db
      .selectDistinct({ id: reactions.userId, role: users.role })
      .from(reactions)
      .innerJoin(users, isPerson)
      .leftJoin(subscriptions, isSubscription)
      .where(
        and(
          eq(reactions.realmId, given.realmId),
          eq(reactions.messageId, given.messageId),
          isNull(subscriptions.userId),
        ),
      );
  },
);
