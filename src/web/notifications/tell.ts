import { arrived, type FlaggedMessage } from "../model/message";
import { isNotable } from "../model/notable";
import type { Event, EventOf } from "../model/wire";
import { Refusal, readMessage } from "../net/api";
import { isActiveElsewhere } from "../store/presence";
import { snapshot } from "../store/snapshot";
import { model } from "../store/state";
import { isInSight } from "./in-sight";
import { endNotifications, showMessage } from "./screen";
import { canSound, playSound } from "./sound";

/** The id of the newest message that the page knows. Newer messages may be unread. */
let newestId = snapshot.max_message_id;
/** Ids of the messages that mentioned the person before the newest events. */
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

/** Removes notifications of messages that are read, including those of an earlier page. */
export function endRead(): void {
  const { topics, direct } = model.peek().unread;
  const unread = new Set([
    ...[...topics.values()].flatMap(({ ids }) => ids),
    ...[...direct.values()].flat(),
  ]);
  void endNotifications((id) => unread.has(id) || id > newestId);
}

/**
 * Removes notifications of messages that are read, up to the newest message that the page knows
 * now.
 */
export function endReadBefore(newest: number): void {
  newestId = Math.max(newestId, newest);
  mentionsBefore = model.peek().unread.mentions;
  endRead();
}

/** Notifies of messages. Several messages at once make one sound. */
function tellOfMessages(messages: readonly FlaggedMessage[]): void {
  const news = messages.filter((message) => !isInSight(message) && !isActiveElsewhere());
  const shown = news.filter((message) => isNotable(message, model.peek(), "desktop"));
  const sound = model.peek().settings.notification_sound;
  const isToSound = (message: FlaggedMessage) =>
    sound !== "none" && isNotable(message, model.peek(), "sound");
  // The page plays the sound that the person has chosen. If it may not, the system plays its own.
  const sounding = canSound() ? undefined : shown.find(isToSound);
  for (const message of shown) void showMessage(message, message !== sounding);
  if (news.some(isToSound)) void playSound(sound);
}

/** Whether an edit has added a mention of the person to an unread message. */
const isNewMention = (event: Event): event is EventOf<"update_message"> =>
  event.type === "update_message" &&
  model.peek().unread.mentions.has(event.message_id) &&
  !mentionsBefore.has(event.message_id);

async function tellOfEdited(id: number): Promise<void> {
  try {
    const { message } = await readMessage(id);
    tellOfMessages([message]);
  } catch (error) {
    // A message that no longer exists is not told of.
    if (!(error instanceof Refusal)) throw error;
  }
}
