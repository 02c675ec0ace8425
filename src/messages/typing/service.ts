import { strangersAmong, strangersIn } from "../../channels/guest-visibility";
import { hasMoreSubscribers, loadReadableChannel } from "../../channels/queries";
import { requireMaySendTo } from "../../channels/topics/posting";
import type { Audience } from "../../core/audience";
import type { Context, Person, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { either, type Input, id, ids, optional, record, text, word } from "../../core/params";
import {
  guardedAmong,
  mayReadGuarded,
  sees,
  type Viewer,
} from "../../core/rights/person-visibility";
import { parseUserSettings } from "../../people/settings/user-settings";
import { partsByAddress } from "../../people/users/announce";
import { findUsersByIds } from "../../people/users/queries";
import { shownEmail } from "../../people/users/shown";
import { viewerOf } from "../../people/users/viewer";
import { loadChangeableMessage } from "../../reading/changeable";
import { findConversation } from "../../reading/conversations";
import { audienceOf } from "../../reading/message-audience";
import { participantIds } from "../../reading/queries";
import { requireMayEdit } from "../content/change";
import { normalizeTopic, requirePeopleMax } from "../send/addressee";
import { requireDirectPermission } from "../send/direct-permission";
import {
  channelTypingStarted,
  channelTypingStopped,
  typingEditStarted,
  typingEditStopped,
  typingStarted,
  typingStopped,
} from "./events";

/** `to` is ignored for channels, and `stream_id` for direct messages, whatever their values. */
export const SetTypingStatus = record({
  type: optional(word("direct", "stream", "channel")),
  op: word("start", "stop"),
  to: optional(either(ids(), text())),
  streamId: optional(either(id(), text())),
  topic: optional(text()),
});

/**
 * Announces that the actor has started or stopped typing, to the participants of a direct
 * conversation or a channel's subscribers. Event: `typing`, which is not stored, to everybody among
 * them who wants it and sees the actor; to nobody in channels with more than 100 subscribers.
 * Refuses an actor who has turned it off or may not send there, and a channel that the actor may
 * not read like one that does not exist. Source: `docs/protocol/specification.md`, POST /typing.
 */
export async function setTypingStatus(
  ctx: Context<Person>,
  input: Input<typeof SetTypingStatus>,
): Promise<undefined> {
  const isDirect = (input.type ?? "direct") === "direct";
  requireShown(ctx, isDirect);
  await (isDirect ? typeToPeople(ctx, input) : typeInChannel(ctx, input));
}

/** Refuses an actor who does not share that they are typing, to people or in channels. */
function requireShown({ actor }: Context<Person>, isDirect: boolean) {
  const settings = parseUserSettings(actor.user.settings);
  const isShown = isDirect
    ? settings.send_private_typing_notifications
    : settings.send_stream_typing_notifications;
  if (!isShown) throw badRequest("You have turned off typing notifications in your settings.");
}

const constructors = { start: typingStarted, stop: typingStopped };
const channelConstructors = { start: channelTypingStarted, stop: channelTypingStopped };

async function typeToPeople(ctx: Context<Person>, { op, to }: Input<typeof SetTypingStatus>) {
  if (to === undefined) throw badRequest("Missing 'to' argument.");
  if (typeof to === "string") throw badRequest("to is not a list of user IDs.");
  if (to.length === 0) throw badRequest("Empty 'to' list.");
  requirePeopleMax(to);
  const userIds = [...new Set([ctx.actor.user.id, ...to])].sort((a, b) => a - b);
  const people = await loadSeen(ctx, userIds);
  const isNew = (await findConversation(ctx.reader, ctx.realm.id, userIds)) === undefined;
  const sender = ctx.actor.user;
  const others = people.filter(({ id }) => id !== sender.id);
  await requireDirectPermission(ctx.reader, ctx, { sender, others, isNew });
  const strangers = await strangersAmong(ctx.reader, ctx.realm, people);
  const seeing = people.filter(({ id }) => !strangers.has(id));
  for (const { viewer, ids } of groupByAddresses(seeing, people)) {
    const event = constructors[op]({
      message_type: "direct",
      sender: shown(ctx, sender, viewer),
      recipients: people.map((person) => shown(ctx, person, viewer)),
    });
    ctx.app.events.sendEphemeral(ctx.realm.id, { to: "users", ids }, event);
  }
}

/**
 * Viewers in groups. Members of a group may read exactly those real addresses that its `viewer`
 * may read.
 */
function groupByAddresses(viewers: readonly UserRow[], people: readonly UserRow[]) {
  const guarded = guardedAmong(people);
  const groups = new Map<string, { viewer: Viewer; ids: number[] }>();
  for (const { id: userId, role } of viewers) {
    const viewer = { userId, role, seen: undefined };
    const key = guarded.map((person) => Number(mayReadGuarded(viewer, person))).join("");
    const group = groups.get(key);
    if (group) group.ids.push(userId);
    else groups.set(key, { viewer, ids: [userId] });
  }
  return groups.values();
}

/**
 * People by id, in that order. Refuses the first whom the actor does not see like one who does not
 * exist.
 */
async function loadSeen(ctx: Context<Person>, userIds: number[]): Promise<UserRow[]> {
  const people = new Map(
    (await findUsersByIds(ctx.reader, ctx.realm.id, userIds)).map((user) => [user.id, user]),
  );
  const viewer = await viewerOf(ctx.reader, ctx, userIds);
  return userIds.map((userId) => {
    const person = people.get(userId);
    if (!person || !sees(viewer, person)) throw badRequest(`Invalid user ID ${userId}.`);
    return person;
  });
}

const shown = ({ realm }: Context, person: UserRow, viewer: Viewer) => ({
  user_id: person.id,
  email: shownEmail(person, { viewer, realmHost: realm.host }),
});

async function typeInChannel(
  ctx: Context<Person>,
  { op, streamId, topic }: Input<typeof SetTypingStatus>,
) {
  if (streamId === undefined) throw badRequest("Missing 'stream_id' argument.");
  if (typeof streamId === "string") throw badRequest("stream_id is not the ID of a channel.");
  if (topic === undefined) throw badRequest("Missing 'topic' argument.");
  const { channel } = await loadReadableChannel(ctx, ctx.reader, { id: streamId });
  if (channel.isArchived) throw badRequest(`Channel '${channel.name}' is archived.`);
  await requireMaySendTo(ctx.reader, ctx, channel);
  const normalTopic = normalizeTopic(topic);
  const make = (viewer: Viewer) =>
    channelConstructors[op]({
      message_type: "stream",
      sender: shown(ctx, ctx.actor.user, viewer),
      stream_id: streamId,
      topic: normalTopic,
    });
  const audience: Audience = {
    to: "subscribers",
    channelId: streamId,
    isPrivate: channel.inviteOnly,
  };
  const seeing = await findSeeing(ctx, audience);
  for (const part of seeing ? partsByAddress(seeing, ctx.actor.user) : [])
    ctx.app.events.sendEphemeral(ctx.realm.id, part.audience, make(part.viewer));
}

/**
 * In channels with more subscribers typing is not announced, because there would be too many
 * events.
 */
const subscribersMax = 100;

/** People of an audience who see the actor; undefined in large channels. */
async function findSeeing(
  { reader, realm, actor }: Context<Person>,
  audience: Audience,
): Promise<Audience | undefined> {
  if (audience.to !== "subscribers") return audience;
  const { channelId } = audience;
  if (await hasMoreSubscribers(reader, realm.id, channelId, subscribersMax)) return undefined;
  const strangers = await strangersIn(reader, realm, channelId, actor.user);
  return strangers ? { ...audience, except: [...strangers] } : audience;
}

export const SetEditTypingStatus = record({ messageId: id(), op: word("start", "stop") });

const editConstructors = { start: typingEditStarted, stop: typingEditStopped };

/**
 * Announces that the actor has started or stopped editing a message of theirs. Event:
 * `typing_edit_message`, which is not stored, to everybody among the message's recipients who wants
 * it; to nobody in channels with more than 100 subscribers. Refuses an actor who has turned typing
 * off, and a message that the actor could not edit (`requireMayEdit`); one that the actor may not
 * read like one that does not exist. Source: recorded behaviour of the reference server.
 */
export async function setEditTypingStatus(
  ctx: Context<Person>,
  { messageId, op }: Input<typeof SetEditTypingStatus>,
): Promise<undefined> {
  const changeable = await loadChangeableMessage(ctx.reader, ctx, messageId);
  const { message } = changeable;
  const { channelId, conversationId, topic } = message;
  const { id: userId } = ctx.actor.user;
  await requireMayEdit(ctx.reader, ctx, changeable);
  requireShown(ctx, channelId === null);
  const recipient =
    channelId === null
      ? {
          type: "direct" as const,
          user_ids: await participantIds(ctx.reader, ctx.realm.id, conversationId ?? 0),
        }
      : { type: "channel" as const, channel_id: channelId, topic };
  const event = editConstructors[op]({ sender_id: userId, message_id: messageId, recipient });
  const seeing = await findSeeing(ctx, await audienceOf(ctx.reader, ctx.realm.id, message));
  if (seeing) ctx.app.events.sendEphemeral(ctx.realm.id, seeing, event);
}
