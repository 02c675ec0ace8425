import type { FlaggedMessage } from "../model/message";
import { type Names, type Narrow, writeFragment } from "../model/narrow";
import type { Recipient } from "../model/recipient";
import { words } from "../words/words";
import { channels, me, users } from "./state";

/** Last names of channels that have gone since the page was opened, because their views stay open. */
const lastNames = new Map<number, string>();
let channelsBefore = channels.peek();

channels.subscribe((current) => {
  for (const [id, { name }] of channelsBefore) if (!current.has(id)) lastNames.set(id, name);
  channelsBefore = current;
});

/** Name of a channel, or the last one; its number, where the page has not known it. */
export const channelName = (channelId: number): string =>
  channels.value.get(channelId)?.name ?? lastNames.get(channelId) ?? String(channelId);

/** The topic as people see it. */
export const topicName = (topic: string): string => (topic === "" ? words.noTopic : topic);

export const userName = (userId: number): string =>
  users.value.get(userId)?.full_name ?? words.unknownUser;

/** Ids of the others in a direct conversation, by its key; one's own of notes to oneself. */
export const peopleOfKey = (key: string): readonly number[] => key.split(",").map(Number);

/** Names of the others in a direct conversation. */
export const directName = (userIds: readonly number[]): string => {
  const others = userIds.filter((id) => id !== me.value);
  return others.length === 0 ? words.notes : others.map(userName).join(", ");
};

/** Name of the conversation that a message goes to. */
export const recipientName = (recipient: Recipient): string =>
  recipient.kind === "direct"
    ? directName(recipient.userIds)
    : `${channelName(recipient.channelId)} › ${topicName(recipient.topic)}`;

/** The person who has sent a message, as they are now. */
export const senderOf = (message: FlaggedMessage) =>
  users.value.get(message.sender_id) ?? {
    user_id: message.sender_id,
    full_name: message.sender_full_name,
    avatar_url: message.avatar_url,
  };

/** Names of channels and people, as links have them. */
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

/** The fragment of a narrow, for links to it. */
export const fragmentOf = (narrow: Narrow): string => writeFragment(narrow, names);
