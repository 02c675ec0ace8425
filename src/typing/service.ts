import { loadReadableChannel } from "../channels/queries";
import type { Context, Person, UserRow } from "../core/context";
import { badRequest } from "../core/errors";
import { type Input, id, ids, optional, record, text, word } from "../core/params";
import { normalizeTopic } from "../messages/addressee";
import { protocolLimits } from "../realm/limits";
import { parseUserSettings } from "../settings/user-settings";
import { findUsersByIds } from "../users/queries";
import { typingStarted, typingStopped } from "./events";
import { subscribersWithoutTyping } from "./queries";

export const SetTypingStatus = record({
  type: optional(word("direct", "stream", "channel")),
  op: word("start", "stop"),
  to: optional(ids()),
  streamId: optional(id()),
  topic: optional(text()),
});

/**
 * Tells others that the actor is writing, or no longer is: the participants of a direct conversation, or a channel's
 * subscribers. Announces `typing`, which is not stored, to those of them who want it. Refuses who has turned it off, and a
 * channel that the actor may not read like one that does not exist. Source: `spec/seed.md`, POST /typing.
 */
export async function setTypingStatus(ctx: Context<Person>, input: Input<typeof SetTypingStatus>): Promise<undefined> {
  const settings = parseUserSettings(ctx.actor.user.settings);
  const isDirect = (input.type ?? "direct") === "direct";
  const isAllowed = isDirect ? settings.send_private_typing_notifications : settings.send_stream_typing_notifications;
  if (!isAllowed) throw badRequest("You have turned off typing notifications in your settings.");
  await (isDirect ? typeToPeople(ctx, input) : typeInChannel(ctx, input));
}

const constructors = { start: typingStarted, stop: typingStopped };

async function typeToPeople(ctx: Context<Person>, { op, to }: Input<typeof SetTypingStatus>) {
  if (to === undefined) throw badRequest("Missing 'to' argument.");
  if (to.length === 0) throw badRequest("Empty 'to' list.");
  const { user } = ctx.actor;
  const userIds = [...new Set([user.id, ...to])].sort((a, b) => a - b);
  const people = await findUsersByIds(ctx.reader, ctx.realm.id, userIds);
  const known = new Set(people.map(({ id: userId }) => userId));
  const unknown = userIds.find((userId) => !known.has(userId));
  if (unknown !== undefined) throw badRequest(`Invalid user ID ${unknown}.`);
  const recipients = userIds.flatMap((userId) => {
    const person = people.find((one) => one.id === userId);
    return person ? [{ user_id: userId, email: person.email }] : [];
  });
  const event = constructors[op]({ message_type: "direct", sender: senderOf(ctx), recipients });
  const wanting = people.filter(wantsTyping).map((person) => person.id);
  ctx.app.events.sendEphemeral(ctx.realm.id, { to: "users", ids: wanting }, event);
}

const wantsTyping = ({ settings }: UserRow) => parseUserSettings(settings).receives_typing_notifications;

async function typeInChannel(ctx: Context<Person>, { op, streamId, topic }: Input<typeof SetTypingStatus>) {
  if (streamId === undefined) throw badRequest("Missing 'stream_id' argument.");
  if (topic === undefined) throw badRequest("Missing 'topic' argument.");
  const { channel } = await loadReadableChannel(ctx, ctx.reader, { id: streamId });
  if (channel.isArchived) throw badRequest(`Channel '${channel.name}' is archived.`);
  const normalized = normalizeTopic(topic, protocolLimits.maxTopicLength);
  const event = constructors[op]({
    message_type: "stream",
    sender: senderOf(ctx),
    stream_id: streamId,
    topic: normalized,
  });
  const except = await subscribersWithoutTyping(ctx.reader, ctx.realm.id, streamId);
  const audience = { to: "subscribers" as const, channelId: streamId, isPrivate: channel.inviteOnly, except };
  ctx.app.events.sendEphemeral(ctx.realm.id, audience, event);
}

const senderOf = ({ actor }: Context<Person>) => ({ user_id: actor.user.id, email: actor.user.email });
