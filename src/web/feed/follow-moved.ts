import { batch, effect } from "@preact/signals";
import { topicKey } from "../model/conversations";
import type { Narrow } from "../model/narrow";
import { conversationNarrow, kindOf, topicNarrow } from "../model/narrow-kind";
import type { Event, EventOf, Message } from "../model/wire";
import { Refusal, readMessage } from "../net/api";
import { draftOf, moveDraft } from "../store/drafts";
import { feedOf } from "../store/feeds";
import { fragmentOf } from "../store/names";
import { notify } from "../store/notices";
import { place, replacePlace } from "../store/place";
import { channels, isConnected, me } from "../store/state";
import { changeWords } from "../words/changes";
import { anchorIn, atEnd } from "./anchor";

/** Follows the open topic to its new place, if all of it was moved or renamed. */
export function followMovedTopic(events: readonly Event[]): void {
  for (const event of events) if (event.type === "update_message") follow(event);
}

function follow(event: EventOf<"update_message">): void {
  const open = kindOf(place.value.narrow);
  const { orig_subject: before, stream_id: from, new_stream_id: to = from } = event;
  if (open.kind !== "topic" || place.value.view !== "messages") return;
  if (before === undefined || event.propagate_mode !== "change_all") return;
  if (from !== open.channelId || before.toLowerCase() !== open.topic.toLowerCase()) return;
  if (to === undefined || !channels.value.has(to)) return;
  replacePlace(fragmentOf([...topicNarrow(to, event.subject ?? before), ...placeInSight()]));
}

/**
 * A term that opens the new place at the message that is being read; empty at the end of the topic,
 * where new messages are expected.
 */
function placeInSight(): Narrow {
  const scroller = document.querySelector<HTMLElement>(".feed");
  const anchor = scroller ? anchorIn(scroller, true) : atEnd;
  const operand = anchor.isAtEnd ? undefined : anchor.rows[0]?.id;
  return operand === undefined ? [] : [{ operator: "near", operand, negated: false }];
}

/** Ids of the newest messages that were seen in topics of this page, by the keys of the topics. */
const newestSeen = new Map<string, number>();

/**
 * Follows the open topic to its new place where no event tells that it was moved: the events were
 * missed, or Back leads to its former name. All its messages have left it, and one of them tells
 * where they are.
 */
export function followEmptiedTopics(): void {
  effect(() => {
    const key = openTopic();
    const newest = key !== undefined && feedOf(place.value.narrow)?.messages.at(-1);
    if (key !== undefined && newest) newestSeen.set(key, newest.id);
    else if (key !== undefined && isEmptied() && isConnected.value) void followEmptied(key);
  });
}

function openTopic(): string | undefined {
  const open = kindOf(place.value.narrow);
  return open.kind === "topic" && place.value.view === "messages"
    ? topicKey(open.channelId, open.topic)
    : undefined;
}

function isEmptied(): boolean {
  const feed = feedOf(place.value.narrow);
  if (!feed?.isOldest || !feed.isNewest || feed.isStale) return false;
  return feed.messages.length === 0;
}

async function followEmptied(key: string): Promise<void> {
  const newest = newestSeen.get(key);
  if (newest === undefined) return;
  // Only once, so that a topic can be begun anew under its former name.
  newestSeen.delete(key);
  try {
    const { message } = await readMessage(newest);
    const { stream_id: channelId, subject } = message;
    if (channelId === undefined || topicKey(channelId, subject) === key) return;
    if (openTopic() !== key || !isEmptied() || !channels.value.has(channelId)) return;
    goAfter(key, message);
    notify(changeWords.topicMovedHere);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code !== "BAD_REQUEST") newestSeen.set(key, newest);
  }
}

/** Opens the topic in which a message is now, with the text for its former one. */
function goAfter(key: string, message: Message): void {
  const { stream_id: channelId, subject: topic } = message;
  const row = draftOf(key);
  batch(() => {
    if (row && channelId !== undefined)
      moveDraft(row, { kind: "topic", channelId, topic }, topicKey(channelId, topic));
    replacePlace(fragmentOf(conversationNarrow(message, me.value)));
  });
}
