import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { statement } from "../../db/reader";
import { type ChannelRow, findChannel, findChannelByName, mayKnowChannel, mayReadChannel } from "../channels/queries";
import type { Context, Person, Tx, UserRow } from "../core/context";
import { badRequest, channelIdUnknown, channelNameUnknown, unauthorized } from "../core/errors";
import { flag, type Input, optional, record, text, word } from "../core/params";
import { write } from "../core/write";
import { loadQueue } from "../events/queues";
import { renderMarkdown } from "../markdown/render";
import { protocolLimits } from "../realm/limits";
import { isSubscribed } from "../subscriptions/queries";
import { findUser, findUserByEmail, findUsersByIds } from "../users/queries";
import {
  Addressee,
  type ChannelName,
  channelAddressed,
  normalizeContent,
  normalizeTopic,
  peopleAddressed,
} from "./addressee";
import { findConversation, makeConversation } from "./conversations";
import { requireDirectPermission } from "./direct-permission";
import { type LocalName, type MessagePlace, placeInChannel, placeInConversation, storeMessage } from "./store";

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

/** A message that only needs its place in the order. */
export interface PreparedMessage {
  to: { kind: "channel"; channel: ChannelName; topic: string } | { kind: "direct"; people: (number | string)[] };
  content: string;
  rendered: string;
  readBySender: boolean;
  local: LocalName | undefined;
}

/**
 * Sends a message to a channel's topic or to people. Announces `message` to the channel's subscribers or to the
 * participants. With `queueId` and `localId` a repetition is answered with the first message's id.
 * Refuses what is empty, a channel or person that does not exist or may not be written to.
 * Source: `spec/seed.md`, Message object; recorded behaviour of the reference server.
 */
export async function sendMessage(ctx: Context<Person>, input: Input<typeof SendMessage>): Promise<{ id: number }> {
  const prepared = prepareMessage(ctx, input);
  return write(ctx, (tx) => sendPrepared(tx, ctx, prepared));
}

/** The part that needs no database: trims, renders, and names what was sent. */
export function prepareMessage(ctx: Context, input: Input<typeof SendMessage>): PreparedMessage {
  refuseForgery(input);
  const content = normalizeContent(input.content, protocolLimits.maxMessageLength);
  const isDirect = input.type === "private" || input.type === "direct";
  const to: PreparedMessage["to"] = isDirect
    ? { kind: "direct", people: peopleAddressed(input.to) }
    : {
        kind: "channel",
        channel: channelAddressed(input.to),
        topic: normalizeTopic(input.topic, protocolLimits.maxTopicLength),
      };
  return {
    to,
    content,
    rendered: renderMarkdown(content).html,
    readBySender: input.readBySender ?? isInteractive(ctx.client),
    local: nameLocally(input, to, content),
  };
}

/** Everybody sends in their own name and now. Some bridges ask for another sender or time, which takes a right that nobody has. */
function refuseForgery({ sender, forged, time }: Input<typeof SendMessage>) {
  const given = Object.entries({ sender, forged, time }).find(([, value]) => value !== undefined);
  if (given) throw badRequest(`You may not send messages in another's name: leave out '${given[0]}'.`);
}

/** Programs through which a person writes: their own message counts as read. */
const isInteractive = (client: string) =>
  /^(website|zulip(electron|mobile|terminal|flutter)|ios|android)/i.test(client);

function nameLocally({ queueId, localId }: Input<typeof SendMessage>, to: PreparedMessage["to"], content: string) {
  if (queueId === undefined || localId === undefined) return undefined;
  if (localId.length > localIdLengthMax) throw badRequest(`local_id is longer than ${localIdLengthMax} characters.`);
  const digest = createHash("sha256")
    .update(JSON.stringify([to, content]))
    .digest("hex");
  return { queueId, localId, digest };
}

const selectSent = statement((db, t) =>
  db
    .select({ messageId: t.sentLocals.messageId, digest: t.sentLocals.digest })
    .from(t.sentLocals)
    .where(
      and(
        eq(t.sentLocals.realmId, sql.placeholder("realmId")),
        eq(t.sentLocals.userId, sql.placeholder("userId")),
        eq(t.sentLocals.queueId, sql.placeholder("queueId")),
        eq(t.sentLocals.localId, sql.placeholder("localId")),
      ),
    ),
);

/** The part inside the write: the same answers as `sendMessage`. */
export async function sendPrepared(tx: Tx, ctx: Context<Person>, prepared: PreparedMessage): Promise<{ id: number }> {
  const { to } = prepared;
  const [sender, repeated, queue, channel] = await Promise.all([
    findUser(tx, ctx.realm.id, ctx.actor.user.id),
    findRepeated(tx, ctx, prepared),
    prepared.local && loadQueue(tx, ctx.realm.id, prepared.local.queueId),
    to.kind === "channel" ? findAddressed(tx, ctx.realm.id, to.channel) : undefined,
  ]);
  if (!sender?.isActive) throw unauthorized();
  if (repeated !== undefined) return { id: repeated };
  const place = await (to.kind === "channel"
    ? resolveChannel(tx, ctx, sender, to, channel)
    : resolveConversation(tx, ctx, sender, to.people));
  const local = queue?.userId === sender.id ? prepared.local : undefined;
  const id = await storeMessage(tx, ctx, { sender, place, ...prepared, local });
  return { id };
}

/** The message that was sent before under the same local id, if it is the same; another one is refused. */
async function findRepeated(
  tx: Tx,
  { realm, actor }: Context<Person>,
  { local }: PreparedMessage,
): Promise<number | undefined> {
  if (!local) return undefined;
  const { queueId, localId } = local;
  const [sent] = await selectSent(tx, { realmId: realm.id, userId: actor.user.id, queueId, localId });
  if (!sent) return undefined;
  if (sent.digest === local.digest) return sent.messageId;
  throw badRequest(`Another message was already sent with local_id ${localId} on this queue.`);
}

const findAddressed = (tx: Tx, realmId: number, name: ChannelName) =>
  "id" in name ? findChannel(tx, realmId, name.id) : findChannelByName(tx, realmId, name.name);

async function resolveChannel(
  tx: Tx,
  { realm }: Context,
  sender: UserRow,
  to: { channel: ChannelName; topic: string },
  channel: ChannelRow | undefined,
): Promise<MessagePlace> {
  const unknown = "id" in to.channel ? channelIdUnknown(to.channel.id) : channelNameUnknown(to.channel.name);
  if (!channel) throw unknown;
  const isOpen = mayReadChannel(sender.role, channel, false);
  if (!isOpen && !(await isSubscribed(tx, realm.id, sender.id, channel.id))) {
    const isKnown = mayKnowChannel(sender.role, channel, false);
    throw badRequest(isKnown ? `Not authorized to send to channel '${channel.name}'.` : unknown.message);
  }
  if (channel.isArchived) throw badRequest(`Channel '${channel.name}' is archived.`);
  return placeInChannel(channel, to.topic);
}

async function resolveConversation(
  tx: Tx,
  ctx: Context,
  sender: UserRow,
  people: (number | string)[],
): Promise<MessagePlace> {
  const { realm } = ctx;
  const recipients = await loadPeople(tx, realm.id, people);
  const participants = [...new Map([sender, ...recipients].map((user) => [user.id, user])).values()];
  participants.sort((a, b) => a.id - b.id);
  const others = participants.filter(({ id }) => id !== sender.id);
  const inactive = others.find(({ isActive }) => !isActive);
  if (inactive) throw badRequest(`'${inactive.email}' is no longer using chatd.`);
  const ids = participants.map(({ id }) => id);
  const known = await findConversation(tx, realm.id, ids);
  await requireDirectPermission(tx, ctx, { sender, others, isNew: known === undefined });
  const conversationId = known ?? (await makeConversation(tx, realm.id, ids));
  return placeInConversation(conversationId, participants);
}

/** People by id or e-mail address; refuses the first that does not exist. */
export async function loadPeople(tx: Tx, realmId: number, people: (number | string)[]): Promise<UserRow[]> {
  const ids = people.filter((one) => typeof one === "number");
  const known = new Map((await findUsersByIds(tx, realmId, ids)).map((user) => [user.id, user]));
  const found: UserRow[] = [];
  for (const one of people) {
    const user = typeof one === "number" ? known.get(one) : await findUserByEmail(tx, realmId, one);
    if (!user) throw badRequest(typeof one === "number" ? `Invalid user ID ${one}.` : `Invalid email '${one}'.`);
    found.push(user);
  }
  return found;
}
