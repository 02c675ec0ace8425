import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { watchConversation } from "../../channels/guest-visibility";
import { unknownChannel } from "../../channels/queries";
import { requireMayPost } from "../../channels/topics/posting";
import type { Context, Person, Tx, UserRow } from "../../core/context";
import { badRequest, refusedFor } from "../../core/errors";
import { flag, type Input, optional, record, text, word } from "../../core/params";
import { mayKnowChannel, mayReadChannel } from "../../core/reading-right/predicate";
import { write } from "../../core/write";
import { loadQueue } from "../../events/queues";
import { findBotRow } from "../../people/bots/queries";
import { findMuters } from "../../people/muted-users/queries";
import { findUserByEmail, findUsersByIds } from "../../people/users/queries";
import { renewSender } from "../../people/users/renew-context";
import { mayName, viewerFor } from "../../people/users/viewer";
import { findConversation, makeConversation } from "../../reading/conversations";
import type { Words } from "../../uploads/opening-right";
import { type Attention, readAttention } from "../attention/attention";
import { requireMayMention } from "../attention/mention-rights";
import { renderWritten } from "../rendering/render";
import { normalizeContent } from "../rendering/source";
import { type AddressedChannel, findPlace } from "./addressed-channel";
import {
  Addressee,
  type ChannelName,
  channelAddressed,
  normalizeTopic,
  peopleAddressed,
} from "./addressee";
import { requireDirectPermission } from "./direct-permission";
import { followSent } from "./follow-sent";
import {
  type LocalName,
  type MessagePlace,
  placeInChannel,
  placeInConversation,
  storeMessage,
} from "./store";

export const SendMessage = record({
  type: word("stream", "channel", "private", "direct"),
  to: optional(Addressee),
  content: text(),
  topic: optional(text()),
  queueId: optional(text()),
  localId: optional(text()),
  readBySender: optional(flag()),
  sender: optional(text()),
  forged: optional(text()),
  time: optional(text()),
});

const localIdLengthMax = 200;

/** A message that is ready to be stored. */
export interface PreparedMessage extends Words {
  to:
    | { kind: "channel"; channel: ChannelName; topic: string }
    | { kind: "direct"; people: (number | string)[] };
  content: string;
  rendered: string;
  /** People whom it mentions, or whose alert words it contains. */
  attention: Attention;
  readBySender: boolean;
  local: LocalName | undefined;
  /** Users who mute the sender: for them it counts as read. */
  readBy?: readonly number[] | undefined;
}

/** Words that a program or people elsewhere have chosen, which may repeat anybody's words. */
export const foreignWords: Words = { authorId: null };

export const SentMessage = record({
  id: Type.Integer(),
  automatic_new_visibility_policy: Type.Optional(
    Type.Integer({
      description:
        "2: the sender has unmuted the topic by sending to it; 3: they follow it. Absent where nothing changed.",
    }),
  ),
});

export type Sent = Static<typeof SentMessage>;

/**
 * Sends a message to a channel's topic or to people. Announces `message` to the channel's
 * subscribers or to the participants, and to the sender `user_topic` when their settings make them
 * follow or unmute the topic for that. With `queueId` and `localId` a repetition is answered with
 * the first message's id. Refuses an empty message, a channel or person that does not exist or that
 * the sender may not write to, and mentions that the sender may not make (`requireMayMention`).
 * Source: `docs/protocol/specification.md`, Message object; recorded behaviour of the reference
 * server.
 */
export async function sendMessage(
  ctx: Context<Person>,
  input: Input<typeof SendMessage>,
): Promise<Sent> {
  return sendWords(ctx, input, {});
}

/** Sends a message as `sendMessage` does; `words`: their origin. */
export async function sendWords(
  ctx: Context<Person>,
  input: Input<typeof SendMessage>,
  words: Words,
): Promise<Sent> {
  const prepared = await prepareMessage(ctx, input, words);
  return write(ctx, (tx) => sendPrepared(tx, ctx, prepared), 1);
}

/**
 * The part before the write: trims, renders, and computes the digest for `localId`. `words`: their
 * origin, where the sender has not chosen them.
 */
export async function prepareMessage(
  ctx: Context,
  input: Input<typeof SendMessage>,
  words: Words = {},
): Promise<PreparedMessage> {
  refuseForgery(input);
  const content = normalizeContent(input.content);
  const isDirect = input.type === "private" || input.type === "direct";
  const to: PreparedMessage["to"] = isDirect
    ? { kind: "direct", people: peopleAddressed(input.to) }
    : {
        kind: "channel",
        channel:
          (input.to === undefined ? await defaultChannel(ctx) : undefined) ??
          channelAddressed(input.to),
        topic: normalizeTopic(input.topic),
      };
  const { html, mentions } = await renderWritten(ctx.reader, ctx, content, words);
  return {
    ...words,
    to,
    content,
    rendered: html,
    attention: await readAttention(ctx.reader, ctx.realm, content, mentions),
    readBySender: input.readBySender ?? isInteractive(ctx.client),
    local: nameLocally(input, to, content),
    readBy:
      "user" in ctx.actor
        ? await findMuters(ctx.reader, ctx.realm.id, ctx.actor.user.id)
        : undefined,
  };
}

/** Default channel of a bot that names none, as its owner has set it. */
async function defaultChannel({ actor, reader, realm }: Context): Promise<ChannelName | undefined> {
  if (!("user" in actor) || actor.user.botType === null) return undefined;
  const row = await findBotRow(reader, realm.id, actor.user.id);
  return row?.defaultSendingChannelId == null ? undefined : { id: row.defaultSendingChannelId };
}

/**
 * Everybody sends as themself and with the present time. Some bridges ask for another sender or
 * time, which needs a right that nobody has.
 */
function refuseForgery({ sender, forged, time }: Input<typeof SendMessage>) {
  const given = Object.entries({ sender, forged, time }).find(([, value]) => value !== undefined);
  if (given)
    throw badRequest(`You may not send messages in somebody else's name: leave out '${given[0]}'.`);
}

/** Client programs that a person types in: their own message counts as read. */
const isInteractive = (client: string) =>
  /^(website|zulip(electron|mobile|terminal|flutter)|ios|android)/i.test(client);

function nameLocally(
  { queueId, localId }: Input<typeof SendMessage>,
  to: PreparedMessage["to"],
  content: string,
) {
  if (queueId === undefined || localId === undefined) return undefined;
  if (localId.length > localIdLengthMax)
    throw badRequest(`local_id is longer than ${localIdLengthMax} characters.`);
  const digest = new Bun.CryptoHasher("sha256").update(JSON.stringify([to, content])).digest("hex");
  return { queueId, localId, digest };
}

const selectSent = statement(
  (db, t, given: Given<{ realmId: number; userId: number; queueId: string; localId: string }>) =>
    db
      .select({ messageId: t.sentLocals.messageId, digest: t.sentLocals.digest })
      .from(t.sentLocals)
      .where(
        and(
          eq(t.sentLocals.realmId, given.realmId),
          eq(t.sentLocals.userId, given.userId),
          eq(t.sentLocals.queueId, given.queueId),
          eq(t.sentLocals.localId, given.localId),
        ),
      ),
);

/** The part of `sendMessage` that runs in a write. */
export async function sendPrepared(
  tx: Tx,
  ctx: Context<Person>,
  prepared: PreparedMessage,
): Promise<Sent> {
  const { to } = prepared;
  const who = { realmId: ctx.realm.id, userId: ctx.actor.user.id };
  const [renewed, repeated, queue, found] = await Promise.all([
    renewSender(tx, ctx),
    findRepeated(tx, ctx, prepared),
    prepared.local && loadQueue(tx, who.realmId, prepared.local.queueId),
    to.kind === "channel" ? findPlace(tx, who, to) : undefined,
  ]);
  if (repeated !== undefined) return { id: repeated };
  const sender = renewed.actor.user;
  const addressed = found?.addressed;
  const place =
    to.kind === "channel"
      ? resolveChannel(sender, { ...to, ...found }, addressed)
      : await resolveConversation(tx, renewed, sender, to.people);
  if (addressed) await requireMayPost(tx, renewed, addressed, place.topic);
  await requireMayMention(tx, renewed, place, prepared.attention.mentions);
  const local = queue?.userId === sender.id ? prepared.local : undefined;
  const id = await storeMessage(tx, renewed, { sender, place, ...prepared, local });
  const policy = addressed && (await followSent(tx, sender, addressed, { id, topic: place.topic }));
  return policy === undefined ? { id } : { id, automatic_new_visibility_policy: policy };
}

/**
 * The id of a message that was sent before with this local id, if its digest is equal. Refuses when
 * another message was sent with it.
 */
async function findRepeated(
  tx: Tx,
  { realm, actor }: Context<Person>,
  { local }: PreparedMessage,
): Promise<number | undefined> {
  if (!local) return undefined;
  const { queueId, localId } = local;
  const [sent] = await selectSent(tx, {
    realmId: realm.id,
    userId: actor.user.id,
    queueId,
    localId,
  });
  if (!sent) return undefined;
  if (sent.digest === local.digest) return sent.messageId;
  throw badRequest(`Another message was already sent with local_id ${localId} on this queue.`);
}

function resolveChannel(
  sender: UserRow,
  to: { channel: ChannelName; topic: string },
  addressed: AddressedChannel | undefined,
): MessagePlace {
  if (!addressed) throw unknownChannel(to.channel);
  if (!mayReadChannel(sender.role, addressed, addressed.isMuted !== null)) {
    if (!mayKnowChannel(sender.role, addressed, false)) throw unknownChannel(to.channel);
    throw refusedFor(
      "channel-post",
      `Not authorized to send to channel '${addressed.name}'.`,
      addressed.name,
    );
  }
  if (addressed.isArchived) {
    const message = `Channel '${addressed.name}' is archived.`;
    throw refusedFor("channel-archived", message, addressed.name);
  }
  return placeInChannel(addressed, to.topic);
}

/**
 * The participants of a direct message, by id, and their conversation if they have one. Refuses a
 * message that is not allowed.
 */
async function checkPeople(tx: Tx, ctx: Context, sender: UserRow, people: (number | string)[]) {
  const recipients = await loadPeople(tx, ctx, sender, people);
  const participants = [
    ...new Map([sender, ...recipients].map((user) => [user.id, user])).values(),
  ];
  participants.sort((a, b) => a.id - b.id);
  const others = participants.filter(({ id }) => id !== sender.id);
  const inactive = others.find(({ isActive }) => !isActive);
  if (inactive) {
    const message = `'${inactive.fullName}' is no longer using chatd.`;
    throw refusedFor("person-inactive", message, inactive.fullName);
  }
  const ids = participants.map(({ id }) => id);
  const existingId = await findConversation(tx, ctx.realm.id, ids);
  await requireDirectPermission(tx, ctx, { sender, others, isNew: existingId === undefined });
  return { participants, ids, existingId };
}

async function resolveConversation(
  tx: Tx,
  ctx: Context,
  sender: UserRow,
  people: (number | string)[],
): Promise<MessagePlace> {
  const { realm } = ctx;
  const { participants, ids, existingId } = await checkPeople(tx, ctx, sender, people);
  if (existingId !== undefined) return placeInConversation(existingId, participants);
  const watch = await watchConversation(tx, realm, participants);
  const conversationId = await makeConversation(tx, realm.id, ids);
  await watch.announceGained();
  return placeInConversation(conversationId, participants);
}

/**
 * Destination of a message: the channel's id, or the ids of its recipients (the sender's own only
 * if alone).
 */
export type Destination = { channelId: number } | { userIds: number[] };

/**
 * Refuses a scheduled message that `sendPrepared` would refuse now. `ctx` is the one renewed in the
 * write.
 */
export async function requireMaySend(
  tx: Tx,
  ctx: Context<Person>,
  { to, attention }: PreparedMessage,
): Promise<Destination> {
  const sender = ctx.actor.user;
  if (to.kind === "channel") {
    const who = { realmId: ctx.realm.id, userId: sender.id };
    const found = await findPlace(tx, who, to);
    const { addressed } = found;
    const { topic } = resolveChannel(sender, { ...to, ...found }, addressed);
    if (addressed) await requireMayPost(tx, ctx, addressed, topic);
    await requireMayMention(
      tx,
      ctx,
      { channelId: addressed?.id ?? null, topic },
      attention.mentions,
    );
    return { channelId: addressed?.id ?? 0 };
  }
  const { ids } = await checkPeople(tx, ctx, sender, to.people);
  await requireMayMention(tx, ctx, { channelId: null, topic: "" }, attention.mentions);
  return { userIds: ids.length === 1 ? ids : ids.filter((id) => id !== sender.id) };
}

/**
 * People by id or e-mail address; refuses the first that does not exist or that the sender may not
 * address so.
 */
export async function loadPeople(
  tx: Tx,
  { realm }: Context,
  sender: UserRow,
  people: (number | string)[],
): Promise<UserRow[]> {
  const ids = people.filter((one) => typeof one === "number");
  const users = await findUsersByIds(tx, realm.id, ids);
  const usersByKey = new Map<number | string, UserRow>(users.map((user) => [user.id, user]));
  for (const one of people) {
    const user = typeof one === "string" ? await findUserByEmail(tx, realm.id, one) : undefined;
    if (user) usersByKey.set(one, user);
  }
  const viewer = await viewerFor(
    tx,
    realm,
    sender,
    [...usersByKey.values()].map(({ id }) => id),
  );
  return people.map((one) => {
    const user = usersByKey.get(one);
    if (user && mayName(viewer, user, one)) return user;
    throw badRequest(
      typeof one === "number" ? `Invalid user ID ${one}.` : `Invalid email '${one}'`,
    );
  });
}
