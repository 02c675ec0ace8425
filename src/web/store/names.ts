import type { FlaggedMessage } from "../model/message";
import { type Names, type Narrow, writeFragment } from "../model/narrow";
import type { Recipient } from "../model/recipient";
import { words } from "../words/words";
import { channels, me, users } from "./state";

/**
 * The last names of channels that have disappeared since the page was loaded, because their views
 * stay open.
 */
const lastNames = new Map<number, string>();
let channelsBefore = channels.peek();

channels.subscribe((current) => {
  for (const [id, { name }] of channelsBefore) if (!current.has(id)) lastNames.set(id, name);
  channelsBefore = current;
});

/** The name of a channel, or its last name; its id if the page never knew the name. */
export const channelName = (channelId: number): string =>
  channels.value.get(channelId)?.name ?? lastNames.get(channelId) ?? String(channelId);

/** The name of a topic as people see it. */
export const topicName = (topic: string): string => (topic === "" ? words.noTopic : topic);

export const userName = (userId: number): string =>
  users.value.get(userId)?.full_name ?? words.unknownUser;

/**
 * Ids of the other people of a direct conversation, from its key; one's own id for a conversation
 * with oneself.
 */
export const peopleOfKey = (key: string): readonly number[] => key.split(",").map(Number);

/** The names of the other people of a direct conversation. */
export const directName = (userIds: readonly number[]): string => {
  const others = userIds.filter((id) => id !== me.value);
  return others.length === 0 ? words.notes : others.map(userName).join(", ");
};

/** The name of the conversation to which a message is sent. */
export const recipientName = (recipient: Recipient): string =>
  recipient.kind === "direct"
    ? directName(recipient.userIds)
    : `${channelName(recipient.channelId)} › ${topicName(recipient.topic)}`;

/** The sender of a message, with their present data. */
export const senderOf = (message: FlaggedMessage) =>
  users.value.get(message.sender_id) ?? {
    user_id: message.sender_id,
    full_name: message.sender_full_name,
    avatar_url: message.avatar_url,
  };

/** The names of channels and people for links. */
export const names: Names = {
  channelName: (id) => channels.value.get(id)?.name,
  channelId: (name) => keyWhere(channels.value, (channel) => channel.name === name),
  personName: (id) => users.value.get(id)?.full_name,
  personId: (email) =>
    email === "me"
      ? me.value
      : keyWhere(users.value, (user) => user.email === email || user.delivery_email === email),
};

function keyWhere<Row>(
  map: ReadonlyMap<number, Row>,
  isMeant: (row: Row) => boolean,
): number | undefined {
  for (const [id, row] of map) if (isMeant(row)) return id;
  return undefined;
}

/** The fragment of a narrow, for links. */
export const fragmentOf = (narrow: Narrow): string => writeFragment(narrow, names);
