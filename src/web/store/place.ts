import { computed, signal } from "@preact/signals";
import { isGoWord } from "../model/go-word";
import { type Narrow, readFragment } from "../model/narrow";
import { conversationNarrow, everything, kindOf, type NarrowKind } from "../model/narrow-kind";
import type { UserSettings } from "../model/wire";
import { Refusal, readMessage } from "../net/api";
import { openFeed } from "./feeds";
import { focusMessage } from "./focused";
import { takeKeptPlace } from "./kept-place";
import { fragmentOf, names } from "./names";
import { me, settings } from "./state";

/** Views by the first word of their fragments. `#narrow/…` leads to messages too. */
const views = {
  inbox: "inbox",
  recent: "recent",
  feed: "messages",
  drafts: "drafts",
  topics: "topics",
  scheduled: "scheduled",
  reminders: "reminders",
  snippets: "snippets",
  files: "ownFiles",
  settings: "settings",
  channels: "channels",
  invitations: "invitations",
} as const;

export type View = (typeof views)[keyof typeof views];

/** The place to which a fragment leads: a view, and, if it shows messages, which of them. */
export interface Place {
  readonly view: View;
  /**
   * The part of the view that the address names after the view: a section, or the id of a channel.
   */
  readonly part: string;
  /** The messages of the view; all messages if it shows none. */
  readonly narrow: Narrow;
  /** The message at which the view is opened. */
  readonly messageId: number | undefined;
  /** Whether the address leads nowhere. Then the place is the home view. */
  readonly isLost: boolean;
}

/** The fragment of the list of conversations. On large screens the home view is shown beside it. */
export const conversationsFragment = "#conversations";

const homeViews: Readonly<Record<UserSettings["web_home_view"], View>> = {
  inbox: "inbox",
  recent: "recent",
  all_messages: "messages",
};

/** The fragment of the home view that the person has chosen. */
export function homeFragment(): string {
  const home = settings.value.web_home_view;
  return home === "all_messages" ? "#feed" : `#${home}`;
}

export const fragment = signal(location.hash);

/** The place to which the address leads. */
export const place = computed<Place>(() => placeOf(fragment.value));

function placeOf(hash: string): Place {
  const [word = "", part = ""] = hash.slice(1).split("/");
  const view = isViewWord(word) ? views[word] : homeViews[settings.value.web_home_view];
  const plain = { view, part, narrow: everything, messageId: undefined, isLost: false };
  if (word === "topics") return topicsPlaceOf(hash, plain);
  if (isHome(hash) || isViewWord(word)) return plain;
  const narrow = readFragment(hash, names);
  if (narrow === undefined) return { ...plain, isLost: true };
  return {
    view: "messages",
    part: "",
    narrow: narrow.filter(({ operator }) => operator !== "near" && !isNamedTwice(operator, narrow)),
    messageId: operandOf(narrow, "near"),
    isLost: false,
  };
}

/** Whether an operator is `with` in a narrow that also names the conversation of its message. */
const isNamedTwice = (operator: string, narrow: Narrow): boolean =>
  operator === "with" &&
  isOfConversation(narrow) &&
  narrow.some((term) => !["with", "near"].includes(term.operator));

/** Whether a narrow is exactly a conversation, and not a search in one. */
const isOfConversation = (narrow: Narrow): boolean =>
  narrow.every(({ operator }) => ["channel", "topic", "dm", "near", "with"].includes(operator));

/** The place of a channel's list of topics: `#topics/channel/7-general`. */
function topicsPlaceOf(hash: string, plain: Place): Place {
  const narrow = readFragment(hash.replace(/^#topics/, "#narrow"), names) ?? everything;
  if (kindOf(narrow).kind === "channel") return { ...plain, narrow };
  return { ...plain, view: homeViews[settings.value.web_home_view], isLost: true };
}

const isViewWord = (word: string): word is keyof typeof views => Object.hasOwn(views, word);

const isHome = (hash: string): boolean => ["", "#", conversationsFragment].includes(hash);

function operandOf(narrow: Narrow, operator: "near" | "with"): number | undefined {
  for (const term of narrow) if (term.operator === operator) return term.operand;
  return undefined;
}

/** The kind of the messages that are shown; undefined if the view shows none. */
export const shownKind = (): NarrowKind | undefined => kindAt(place.value);

/**
 * The kind of the messages to which the address leads. They are shown a moment after it changes.
 */
export const addressedKind = (): NarrowKind | undefined => kindAt(placeOf(location.hash));

/** The id of the message at which the address opens its view. */
export const addressedMessage = (): number | undefined => placeOf(location.hash).messageId;

const kindAt = ({ view, narrow }: Place): NarrowKind | undefined =>
  view === "messages" ? kindOf(narrow) : undefined;

const smallScreen = matchMedia("(width < 760px)");
const isSmall = signal(smallScreen.matches);

const wideScreen = matchMedia("(width >= 1280px)");
const isWide = signal(wideScreen.matches);

/** Whether there is no room beside the messages, so that people are shown above them. */
export const isSideASheet = computed(() => !isWide.value);

/**
 * The visible panes. A small screen shows either the messages, or, if the address names no place,
 * the conversations.
 */
export const panes = computed(() => {
  if (!isSmall.value) return "both";
  return isHome(fragment.value) ? "conversations" : "messages";
});

/** Follows the address, and opens the feed of a place with messages. */
export function followAddress(): void {
  const follow = () => {
    fragment.value = location.hash;
    openPlace();
    void followMoved(location.hash);
  };
  addEventListener("hashchange", follow);
  followClicks();
  smallScreen.addEventListener("change", ({ matches }) => {
    isSmall.value = matches;
  });
  wideScreen.addEventListener("change", ({ matches }) => {
    isWide.value = matches;
  });
  follow();
  if (history.state === pictureState) leavePicture();
}

/**
 * Goes where a clicked notification leads. The service worker tells it once, so the page listens
 * from its first script on.
 */
function followClicks(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (isGoWord(data)) location.hash = data.fragment;
  });
}

/** State of the history's entry that Back leaves to close a picture. */
export const pictureState = "picture";

/** Leaves the entry of a picture that was open before a reload, because it is open no more. */
function leavePicture(): void {
  const hash = location.hash;
  const stay = () => {
    // The topic may have moved while the picture was open, which has changed its entry alone.
    if (location.hash !== hash) replacePlace(hash);
  };
  addEventListener("popstate", stay, { once: true });
  history.back();
}

/** Replaces the open fragment by another, without a new entry in the history. */
export function replacePlace(hash: string): void {
  history.replaceState(history.state, "", hash);
  fragment.value = hash;
  openPlace();
}

/** Goes to a fragment with a new entry in the history, which stores a state. */
export function pushPlace(hash: string, state: unknown): void {
  history.pushState(state, "", hash);
  fragment.value = hash;
  openPlace();
}

/** Views that show no messages. */
const listViews: readonly View[] = [
  "inbox",
  "recent",
  "drafts",
  "scheduled",
  "reminders",
  "snippets",
  "ownFiles",
  "settings",
  "channels",
  "invitations",
];

function openPlace(): void {
  const { view, narrow, messageId } = place.value;
  const kept = takeKeptPlace();
  focusMessage(kept ? undefined : messageId);
  if (!listViews.includes(view)) openFeed(narrow, kept?.id ?? messageId, kept?.top);
}

/** Opens the conversation that contains the message of a `with` link now. */
async function followMoved(hash: string): Promise<void> {
  const narrow = readFragment(hash, names) ?? [];
  const messageId = operandOf(narrow, "with");
  if (messageId === undefined || !isOfConversation(narrow)) return;
  try {
    const { message } = await readMessage(messageId);
    if (location.hash === hash) replacePlace(fragmentOf(conversationNarrow(message, me.value)));
  } catch (error) {
    // The place in the link stays open if the reader may not know about the message.
    if (!(error instanceof Refusal)) throw error;
  }
}
