import type { Message } from "../model/wire";
import { words } from "../words/words";
import { channels, me, users } from "./state";

/** Name of a channel; that which a message had for it, where it is not known (any more). */
export const channelName = (channelId: number): string =>
  channels.value.get(channelId)?.name ?? String(channelId);

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

/** The person who has sent a message, as they are now. */
export const senderOf = (message: Message) =>
  users.value.get(message.sender_id) ?? {
    user_id: message.sender_id,
    full_name: message.sender_full_name,
    avatar_url: message.avatar_url,
  };
