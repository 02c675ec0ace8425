import type { Event, Message } from "../model/wire";
import { post, Refusal, remove } from "../net/api";
import { type Emoji, noteEmojiUse } from "./emoji-use";
import { messageOf } from "./feeds";
import { me, mutedUsers } from "./state";
import { switches } from "./switches";

/** An emoji on a message, with the people who have reacted with it. */
export interface Chip {
  readonly key: string;
  readonly emoji: Emoji;
  readonly userIds: readonly number[];
  readonly isMine: boolean;
}

const emojiKey = ({ reaction_type, emoji_code }: Emoji) => `${reaction_type} ${emoji_code}`;
const keyOf = (messageId: number, emoji: Emoji) =>
  `${messageId} ${emojiKey(emoji)} ${emoji.emoji_name}`;

function partsOf(key: string): { messageId: number; emoji: Emoji } {
  const [id, reaction_type = "", emoji_code = "", emoji_name = ""] = key.split(" ");
  return { messageId: Number(id), emoji: { reaction_type, emoji_code, emoji_name } };
}

const isOnMessage = ({ reactions }: Pick<Message, "reactions">, emoji: Emoji): boolean =>
  reactions.some((one) => one.user_id === me.value && emojiKey(one) === emojiKey(emoji));

const alreadySo: readonly string[] = ["REACTION_ALREADY_EXISTS", "REACTION_DOES_NOT_EXIST"];

/** The person's own reactions. */
const own = switches({
  send(key, isOn) {
    const { messageId, emoji } = partsOf(key);
    const asked = { message_id: messageId, ...emoji };
    const request = isOn
      ? post("/messages/{message_id}/reactions", asked)
      : remove("/messages/{message_id}/reactions", asked);
    return request.catch((error: unknown) => {
      // Another tab of the person was faster.
      if (!(error instanceof Refusal) || !alreadySo.includes(error.code)) throw error;
    });
  },
  isTold(key) {
    const { messageId, emoji } = partsOf(key);
    const message = messageOf(messageId);
    return message && isOnMessage(message, emoji);
  },
});

/** Adds or removes the person's reaction to a message. */
export function toggleReaction(messageId: number, emoji: Emoji): void {
  const message = messageOf(messageId);
  if (!message) return;
  // A reaction is removed by the name under which it was added.
  const there = message.reactions.find((one) => emojiKey(one) === emojiKey(emoji));
  const { emoji_name, emoji_code, reaction_type } = there ?? emoji;
  const meant = { emoji_name, emoji_code, reaction_type };
  const key = keyOf(messageId, meant);
  const isOn = !own.isOn(key, isOnMessage(message, emoji));
  if (isOn) noteEmojiUse(meant);
  void own.wish(key, isOn);
}

/**
 * The emoji on a message in the order in which they were added, including the person's changes that
 * the server has not confirmed, and without those of muted people.
 */
export function chipsOf(message: Message): readonly Chip[] {
  const groups = Map.groupBy(message.reactions, emojiKey);
  const chips = [...groups.values()].flatMap((reactions): Chip[] => {
    const [emoji] = reactions;
    if (!emoji) return [];
    const isMine = own.isOn(keyOf(message.id, emoji), isOnMessage(message, emoji));
    const others = reactions
      .map(({ user_id }) => user_id)
      .filter((id) => id !== me.value && !mutedUsers.value.has(id));
    return [chipOf(emoji, isMine ? [me.value, ...others] : others, isMine)];
  });
  const wished = own
    .keysOn()
    .map(partsOf)
    .filter(({ messageId, emoji }) => messageId === message.id && !groups.has(emojiKey(emoji)))
    .map(({ emoji }) => chipOf(emoji, [me.value], true));
  return [...chips, ...wished].filter(({ userIds }) => userIds.length > 0);
}

const chipOf = (emoji: Emoji, userIds: readonly number[], isMine: boolean): Chip => ({
  key: emojiKey(emoji),
  emoji,
  userIds,
  isMine,
});

/** Applies events about the person's reactions. */
export function applyToReactions(events: readonly Event[]): void {
  for (const event of events)
    if (event.type === "reaction" && event.user_id === me.value)
      own.told(keyOf(event.message_id, event), event.op === "add");
}

/** To be called when the messages have been loaded again. */
export const renewReactions = (): void => own.toldAll();
