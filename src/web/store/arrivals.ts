import { signal } from "@preact/signals";
import { now } from "../clock";
import { firstWords, wordsOf } from "../model/arrivals";
import { belongs, factsOf } from "../model/narrow";
import type { Event, EventOf } from "../model/wire";
import { words } from "../words/words";
import { place } from "./place";
import { me, model, mutedUsers } from "./state";

/**
 * Text for screen readers: messages that arrive in the open conversation, and searches without
 * results. The number distinguishes equal texts.
 */
export const liveWords = signal({ text: "", number: 0 });

/** Lets screen readers read a text. */
export function readAloud(text: string): void {
  liveWords.value = { text, number: liveWords.peek().number + 1 };
}

const pauseMilliseconds = 1_000;
const waiting: EventOf<"message">["message"][] = [];
let spokenAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Announces arriving messages at most once a second: the first of them, and the number of others.
 */
export function applyToArrivals(events: readonly Event[]): void {
  for (const event of events)
    if (event.type === "message" && isHere(event)) waiting.push(event.message);
  if (waiting.length === 0 || timer !== undefined) return;
  const rest = spokenAt + pauseMilliseconds - now();
  if (rest <= 0) speak();
  else timer = setTimeout(speak, rest);
}

function isHere({ message, flags }: EventOf<"message">): boolean {
  const { view, narrow } = place.value;
  const { sender_id: senderId } = message;
  if (view !== "messages" || senderId === me.value || mutedUsers.value.has(senderId)) return false;
  return belongs(message, narrow, factsOf(model.value, { ...message, flags })) === true;
}

function speak(): void {
  timer = undefined;
  const [first, ...others] = waiting.splice(0);
  if (!first) return;
  spokenAt = now();
  const text = firstWords(wordsOf(first));
  const { one, more } = words.arrivals;
  const name = first.sender_full_name;
  readAloud(others.length === 0 ? one(name, text) : more(name, text, others.length));
}
