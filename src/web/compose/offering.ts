import {
  computed,
  type ReadonlySignal,
  type Signal,
  signal,
  useSignalEffect,
} from "@preact/signals";
import { conversationKey } from "../model/conversations";
import { recipientKey, recipientOf, type Target } from "../model/recipient";
import { loadPart } from "../net/build";
import { feedOf } from "../store/feeds";
import { membersOf, openMembers } from "../store/members";
import { names } from "../store/names";
import { place } from "../store/place";
import { serverNow } from "../store/server-time";
import { me, model } from "../store/state";
import { openTopics, topicsOf } from "../store/topics";
import { applyChange } from "./field";
import { type EmojiName, type Offer, offersFor, type Surroundings } from "./offers";
import { type Query, queryAt } from "./query";
import type { TextBox, WrittenText } from "./text-box";

/** Suggestions for the words at the caret of a box. */
export interface Offering {
  readonly offers: ReadonlySignal<readonly Offer[]>;
  /** The words at the caret for which suggestions are shown. */
  readonly query: ReadonlySignal<Query | undefined>;
  /** The index of the suggestion that Enter chooses. */
  readonly active: Signal<number>;
  /** Notes the position of the caret. To be called after each key and each click. */
  noteCaret(element: HTMLTextAreaElement | undefined): void;
  /** Replaces the typed words by a suggestion. */
  take(offer: Offer): void;
  /** Handles a key while suggestions are shown; returns whether the key was handled. */
  takeKey(event: KeyboardEvent): boolean;
}

interface Caret {
  /** The key of the text. */
  readonly key: string;
  readonly text: string;
  readonly at: number;
}

/** Creates the suggestions for the text of a box. */
export function offeringOf(box: WrittenText & Pick<TextBox, "field">): Offering {
  /** The caret; undefined if nobody is writing in the box, or something is selected. */
  const caret = signal<Caret | undefined>(undefined);
  /** The start of the words whose suggestions were dismissed. */
  const dismissed = signal<number | undefined>(undefined);
  const active = signal(0);
  const atCaret = computed((): Query | undefined => {
    const { key, text, at } = caret.value ?? {};
    const isCurrent = key === box.key.value && text === box.text.value;
    return isCurrent && text !== undefined && at !== undefined ? queryAt(text, at) : undefined;
  });
  const query = computed(() =>
    atCaret.value?.from === dismissed.value ? undefined : atCaret.value,
  );
  const offers = computed((): readonly Offer[] =>
    query.value ? offersFor(query.value, surroundingsOf(box.target.value)) : [],
  );

  function noteCaret(element: HTMLTextAreaElement | undefined): void {
    const isOne = element && element.selectionStart === element.selectionEnd;
    const before = query.peek();
    const next = isOne
      ? { key: box.key.peek(), text: element.value, at: element.selectionStart }
      : undefined;
    if (isElsewhere(caret.peek(), next)) caret.value = next;
    if (hasChanged(before, query.peek())) active.value = 0;
    if (atCaret.peek()?.from !== dismissed.peek()) dismissed.value = undefined;
  }

  function take(offer: Offer): void {
    const [asked, at] = [query.peek(), caret.peek()?.at];
    if (!asked || at === undefined) return;
    const text = caret.peek()?.text[at] === " " ? offer.text.trimEnd() : offer.text;
    const after = asked.from + text.length;
    applyChange(box, { from: asked.from, to: at, text, start: after, end: after });
  }

  function takeKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    const { length } = offers.peek();
    if (length === 0 || ctrlKey || metaKey || altKey) return false;
    const index = active.peek();
    if (key === "ArrowDown" || key === "ArrowUp") {
      active.value = (index + (key === "ArrowDown" ? 1 : length - 1)) % length;
      return true;
    }
    if (key === "Escape") {
      dismissed.value = query.peek()?.from;
      return true;
    }
    const offer = offers.peek()[index];
    if (!offer || shiftKey || (key !== "Enter" && key !== "Tab")) return false;
    take(offer);
    return true;
  }

  return { offers, query, active, noteCaret, take, takeKey };
}

/**
 * Each key reports the caret twice, when it is pressed and when it is released. Suggestions are
 * computed once for both.
 */
const isElsewhere = (before: Caret | undefined, after: Caret | undefined): boolean =>
  before?.key !== after?.key || before?.text !== after?.text || before?.at !== after?.at;

const hasChanged = (before: Query | undefined, after: Query | undefined): boolean =>
  before?.from !== after?.from || before?.kind !== after?.kind || before?.typed !== after?.typed;

const emojiNames = signal<readonly EmojiName[]>([]);

const surroundingsOf = (target: Target): Surroundings => ({
  model: model.value,
  target,
  writers: writersIn(target),
  members: membersOfTarget(target),
  topicsOf: (channelId) => (topicsOf(channelId) ?? []).map(({ name }) => name),
  emojiNames: emojiNames.value,
  names,
  now: serverNow().getTime(),
});

/** People who have written in a conversation, according to its loaded messages. */
function writersIn(target: Target): readonly number[] {
  const recipient = recipientOf(target);
  const key = recipient && recipientKey(recipient, me.value);
  const messages = feedOf(place.value.narrow)?.messages ?? [];
  const here = messages.filter((message) => conversationKey(message, me.value) === key);
  const ids = here.map(({ sender_id: id }) => id).reverse();
  return [...new Set(ids)].filter((id) => id !== me.value);
}

function membersOfTarget(target: Target): ReadonlySet<number> {
  const channelId = target.kind === "topic" ? target.channelId : undefined;
  return (channelId === undefined ? undefined : membersOf(channelId)) ?? new Set();
}

let isEmojiAsked = false;

/** Emoji, members and topics are loaded when a box needs them for the first time. */
export function useOffers({ offering, target }: TextBox): void {
  useSignalEffect(() => {
    const asked = offering.query.value;
    if (asked?.kind === "emoji" && !isEmojiAsked) void loadEmoji();
    const to = target.value;
    if (asked?.kind === "person" && to.kind === "topic" && to.channelId !== undefined)
      void openMembers(to.channelId);
    if (asked?.kind === "topic") openTopicsOf(asked.channelName);
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
    // The next key tries again, because the connection may be back by then.
    isEmojiAsked = false;
  }
}
