import { findChannel } from "../channels/queries";
import type { Context, Person } from "../core/context";
import { badRequest, channelIdUnknown } from "../core/errors";
import { either, id, type Input, ids, optional, record, text, word } from "../core/params";
import { normalizeTopic } from "../messages/addressee";
import { protocolLimits } from "../realm/limits";
import { parseUserSettings } from "../settings/user-settings";
import { isSubscribed } from "../subscriptions/queries";
import { findUsersByIds } from "../users/queries";
import { typingStarted, typingStopped } from "./events";

export const SetTypingStatus = record({
  type: optional(word("direct", "stream", "channel")),
  op: word("start", "stop"),
  to: optional(either(ids(), id())),
  streamId: optional(id()),
  topic: optional(text()),
});

const roleGuest = 600;

/**
 * Tells others that the actor is writing, or no longer is: the participants of a direct conversation, or a channel's
 * subscribers. Announces `typing`, which is not stored. Source: `spec/seed.md`, POST /typing.
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
  const asked = Array.isArray(to) ? to : [to];
  if (asked.length === 0) throw badRequest("Empty 'to' list.");
  const { user } = ctx.actor;
  const userIds = [...new Set([user.id, ...asked])].sort((a, b) => a - b);
  const people = await findUsersByIds(ctx.reader, ctx.realm.id, userIds);
  const known = new Set(people.map(({ id: userId }) => userId));
  const unknown = userIds.find((userId) => !known.has(userId));
  if (unknown !== undefined) throw badRequest(`Invalid user ID ${unknown}.`);
  const recipients = userIds.flatMap((userId) => {
    const person = people.find((one) => one.id === userId);
    return person ? [{ user_id: userId, email: person.email }] : [];
  });
  const event = constructors[op]({ message_type: "direct", sender: senderOf(ctx), recipients });
  ctx.app.events.sendEphemeral(ctx.realm.id, { to: "users", ids: userIds }, event);
}

async function typeInChannel(ctx: Context<Person>, { op, streamId, topic }: Input<typeof SetTypingStatus>) {
  if (streamId === undefined) throw badRequest("Missing 'stream_id' argument.");
  if (topic === undefined) throw badRequest("Missing 'topic' argument.");
  const { user } = ctx.actor;
  const channel = await findChannel(ctx.reader, ctx.realm.id, streamId);
  if (!channel) throw channelIdUnknown(streamId);
  const mustBeSubscribed = channel.inviteOnly || user.role === roleGuest;
  if (mustBeSubscribed && !(await isSubscribed(ctx.reader, ctx.realm.id, user.id, streamId))) {
    throw badRequest("Invalid channel ID.");
  }
  const normalized = normalizeTopic(topic, protocolLimits.maxTopicLength);
  const event = constructors[op]({ message_type: "stream", sender: senderOf(ctx), stream_id: streamId, topic: normalized });
  const audience = { to: "subscribers" as const, channelId: streamId, isPrivate: channel.inviteOnly };
  ctx.app.events.sendEphemeral(ctx.realm.id, audience, event);
}

const senderOf = ({ actor }: Context<Person>) => ({ user_id: actor.user.id, email: actor.user.email });
