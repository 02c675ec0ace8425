import { computed, effect, signal } from "@preact/signals";
import { now } from "../clock";
import { conversationKey } from "../model/conversations";
import { recipientKey, recipientOf } from "../model/recipient";
import { loadPart } from "../net/build";
import { boxKey, boxTarget, boxText } from "../store/box";
import { feedOf } from "../store/feeds";
import { membersOf, openMembers } from "../store/members";
import { names } from "../store/names";
import { place } from "../store/place";
import { me, model } from "../store/state";
import { openTopics, topicsOf } from "../store/topics";
import { applyChange } from "./field";
import { type EmojiName, type Offer, offersFor, type Surroundings } from "./offers";
import { type Query, queryAt } from "./query";

interface Caret {
  readonly text: string;
  readonly at: number;
}

/** The caret of the box; undefined while nobody writes in it, or something is selected. */
const caret = signal<Caret | undefined>(undefined);
/** Place of the words for which no offers are wanted. */
const dismissed = signal<number | undefined>(undefined);
/** The offer that Enter takes. */
export const activeOffer = signal(0);

const query = computed((): Query | undefined => {
  const isCurrent = caret.value?.text === boxText.value;
  const asked = isCurrent && caret.value ? queryAt(caret.value.text, caret.value.at) : undefined;
  return asked && asked.from !== dismissed.value ? asked : undefined;
});

/** Things that may stand in the place of the words at the caret. */
export const offers = computed((): readonly Offer[] =>
  query.value ? offersFor(query.value, surroundings()) : [],
);

export const queryKind = computed(() => query.value?.kind);

const emojiNames = signal<readonly EmojiName[]>([]);

const surroundings = (): Surroundings => ({
  model: model.value,
  target: boxTarget.value,
  writers: writersHere(),
  members: membersHere(),
  topicsOf: (channelId) => (topicsOf(channelId) ?? []).map(({ name }) => name),
  emojiNames: emojiNames.value,
  names,
  now: now(),
});

/** People who have written in the conversation of the box, as far as its messages are loaded. */
function writersHere(): readonly number[] {
  const recipient = recipientOf(boxTarget.value);
  const key = recipient && recipientKey(recipient, me.value);
  const messages = feedOf(place.value.narrow)?.messages ?? [];
  const here = messages.filter((message) => conversationKey(message, me.value) === key);
  const ids = here.map(({ sender_id: id }) => id).reverse();
  return [...new Set(ids)].filter((id) => id !== me.value);
}

function membersHere(): ReadonlySet<number> {
  const target = boxTarget.value;
  const channelId = target.kind === "topic" ? target.channelId : undefined;
  return (channelId === undefined ? undefined : membersOf(channelId)) ?? new Set();
}

/** Takes note of where somebody writes, after each key and each click. */
export function noteCaret(element: HTMLTextAreaElement | undefined): void {
  const isOne = element && element.selectionStart === element.selectionEnd;
  const before = query.peek();
  caret.value = isOne ? { text: element.value, at: element.selectionStart } : undefined;
  const after = query.peek();
  if (after?.from !== before?.from || after?.kind !== before?.kind || hasChanged(before, after))
    activeOffer.value = 0;
  if (queryAtCaret()?.from !== dismissed.peek()) dismissed.value = undefined;
}

const queryAtCaret = () => caret.peek() && queryAt(caret.peek()?.text ?? "", caret.peek()?.at ?? 0);

const hasChanged = (before: Query | undefined, after: Query | undefined): boolean =>
  before?.typed !== after?.typed;

/** Puts an offer in the place of what was typed. */
export function takeOffer(offer: Offer): void {
  const [asked, at] = [query.peek(), caret.peek()?.at];
  if (!asked || at === undefined) return;
  const text = caret.peek()?.text[at] === " " ? offer.text.trimEnd() : offer.text;
  const after = asked.from + text.length;
  applyChange({ from: asked.from, to: at, text, start: after, end: after });
}

/** Does what a key means while something is offered; answers whether it means something then. */
export function offerKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const { length } = offers.peek();
  if (length === 0 || ctrlKey || metaKey || altKey) return false;
  const index = activeOffer.peek();
  if (key === "ArrowDown" || key === "ArrowUp") {
    activeOffer.value = (index + (key === "ArrowDown" ? 1 : length - 1)) % length;
    return true;
  }
  if (key === "Escape") {
    dismissed.value = query.peek()?.from;
    return true;
  }
  const offer = offers.peek()[index];
  if (!offer || shiftKey || (key !== "Enter" && key !== "Tab")) return false;
  takeOffer(offer);
  return true;
}

let isEmojiAsked = false;

/** Emoji and topics are loaded when they are wanted first. */
export function followOffers(): void {
  effect(() => {
    const asked = query.value;
    if (asked?.kind === "emoji" && !isEmojiAsked) void loadEmoji();
    const target = boxTarget.value;
    if (asked?.kind === "person" && target.kind === "topic" && target.channelId !== undefined)
      void openMembers(target.channelId);
    if (asked?.kind === "topic") openTopicsOf(asked.channelName);
  });
  effect(() => {
    if (boxKey.value) caret.value = undefined;
  });
}

function openTopicsOf(channelName: string): void {
  for (const { stream_id, name } of model.peek().channels.values())
    if (name.toLowerCase() === channelName.toLowerCase()) void openTopics(stream_id);
}

async function loadEmoji(): Promise<void> {
  isEmojiAsked = true;
  try {
    const part = await loadPart(() => import("../parts/emoji-names"));
    emojiNames.value = Object.entries(part.emojiNames).flatMap(([code, named]) =>
      named.split(" ").map((name) => ({ name, code })),
    );
  } catch {
    // The next key asks anew, because the connection may be back by then.
    isEmojiAsked = false;
  }
}
