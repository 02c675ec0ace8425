import { conversationKey } from "../model/conversations";
import { arrived, type FlaggedMessage } from "../model/message";
import { isNotable } from "../model/notable";
import type { Event, EventOf } from "../model/wire";
import { Refusal, read } from "../net/api";
import { isInSight } from "../store/in-sight";
import { isActiveElsewhere } from "../store/presence";
import { snapshot } from "../store/snapshot";
import { model } from "../store/state";
import { endNotifications, showMessage } from "./screen";
import { canSound, playSound } from "./sound";

/** The newest message that the page has heard of: one that is newer may be unread. */
let newestId = snapshot.max_message_id;
/** Messages that mention the person, as they were before the newest events. */
let mentionsBefore = model.peek().unread.mentions;

/**
 * Notifies the person of events, and removes notifications of messages that were read or deleted.
 */
export function tellOf(events: readonly Event[]): void {
  const messages = events.flatMap((event) => (event.type === "message" ? [arrived(event)] : []));
  newestId = Math.max(newestId, ...messages.map(({ id }) => id));
  if (events.some(mayEnd)) endRead();
  tellOfMessages(messages);
  for (const event of events) if (isNewMention(event)) void tellOfEdited(event.message_id);
  mentionsBefore = model.peek().unread.mentions;
}

const mayEnd = ({ type }: Event): boolean =>
  type === "update_message_flags" || type === "delete_message";

/** Ends notifications of messages that are not unread: those of an earlier page too. */
export function endRead(): void {
  const { topics, direct } = model.peek().unread;
  const unread = new Set([
    ...[...topics.values()].flatMap(({ ids }) => ids),
    ...[...direct.values()].flat(),
  ]);
  void endNotifications((id) => unread.has(id) || id > newestId);
}

/** Ends notifications of messages that are not unread, up to the newest that the page knows of now. */
export function endReadBefore(newest: number): void {
  newestId = Math.max(newestId, newest);
  mentionsBefore = model.peek().unread.mentions;
  endRead();
}

/** Tells of messages; several that come at once sound once. */
function tellOfMessages(messages: readonly FlaggedMessage[]): void {
  const news = messages.filter((message) => {
    const isSeen = isInSight(conversationKey(message, model.peek().me));
    return !isSeen && !isActiveElsewhere();
  });
  const shown = news.filter((message) => isNotable(message, model.peek(), "desktop"));
  const sound = model.peek().settings.notification_sound;
  const isToSound = (message: FlaggedMessage) =>
    sound !== "none" && isNotable(message, model.peek(), "sound");
  // The page plays the sound that the person has chosen; where it cannot, the system's own is heard.
  const sounding = canSound() ? undefined : shown.find(isToSound);
  for (const message of shown) void showMessage(message, message !== sounding);
  if (news.some(isToSound)) void playSound(sound);
}

/** Whether an edit has brought a mention of the person into a message that is unread. */
const isNewMention = (event: Event): event is EventOf<"update_message"> =>
  event.type === "update_message" &&
  model.peek().unread.mentions.has(event.message_id) &&
  !mentionsBefore.has(event.message_id);

async function tellOfEdited(id: number): Promise<void> {
  try {
    const { message } = await read("/messages/{message_id}", {
      message_id: id,
      allow_empty_topic_name: true,
    });
    tellOfMessages([message]);
  } catch (error) {
    // A message that is gone by now is not told of.
    if (!(error instanceof Refusal)) throw error;
  }
}
