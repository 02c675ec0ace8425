import { computed, signal } from "@preact/signals";
import { type Narrow, readFragment } from "../model/narrow";
import { conversationNarrow, everything, kindOf, type NarrowKind } from "../model/narrow-kind";
import type { UserSettings } from "../model/wire";
import { Refusal, read } from "../net/api";
import { openFeed } from "./feeds";
import { focusMessage } from "./focused";
import { takeKeptPlace } from "./kept-place";
import { fragmentOf, names } from "./names";
import { me, settings } from "./state";

/** Views by the word that their fragments begin with; `#narrow/…` leads to messages too. */
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

/** A place that a fragment of an address leads to: a view, and of messages those that it shows. */
export interface Place {
  readonly view: View;
  /** Part of the view that the address names behind its word: a section, or the id of a channel. */
  readonly part: string;
  /** Messages of the view; all of them where it shows none. */
  readonly narrow: Narrow;
  /** Message that the view is opened at. */
  readonly messageId: number | undefined;
  /** Whether the address leads nowhere, so that this is the home view instead. */
  readonly isLost: boolean;
}

/** Fragment of the list of conversations, beside which large screens show the home view. */
export const conversationsFragment = "#conversations";

const homeViews: Readonly<Record<UserSettings["web_home_view"], View>> = {
  inbox: "inbox",
  recent: "recent",
  all_messages: "messages",
};

/** Fragment of the home view that the person has chosen. */
export function homeFragment(): string {
  const home = settings.value.web_home_view;
  return home === "all_messages" ? "#feed" : `#${home}`;
}

export const fragment = signal(location.hash);

/** The place that the address leads to. */
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

/** Whether an operator is `with`, beside the conversation that its message was in. */
const isNamedTwice = (operator: string, narrow: Narrow): boolean =>
  operator === "with" &&
  isOfConversation(narrow) &&
  narrow.some((term) => !["with", "near"].includes(term.operator));

/** Whether a narrow has nothing but a conversation, and is no search in one. */
const isOfConversation = (narrow: Narrow): boolean =>
  narrow.every(({ operator }) => ["channel", "topic", "dm", "near", "with"].includes(operator));

/** The place of the list of a channel's topics: `#topics/channel/7-general`. */
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

/** The kind of the messages that are shown; undefined where another view is. */
export const shownKind = (): NarrowKind | undefined =>
  place.value.view === "messages" ? kindOf(place.value.narrow) : undefined;

const smallScreen = matchMedia("(width < 760px)");
const isSmall = signal(smallScreen.matches);

const wideScreen = matchMedia("(width >= 1280px)");
const isWide = signal(wideScreen.matches);

/** Whether there is no place beside the messages, so that people are shown above them. */
export const isSideASheet = computed(() => !isWide.value);

/**
 * Panes that are seen: on a small screen the messages, or, where the address names no place, the
 * conversations.
 */
export const panes = computed(() => {
  if (!isSmall.value) return "both";
  return isHome(fragment.value) ? "conversations" : "messages";
});

/** Follows the address: the feed of a place with messages is opened. */
export function followAddress(): void {
  const follow = () => {
    fragment.value = location.hash;
    openPlace();
    void followMoved(location.hash);
  };
  addEventListener("hashchange", follow);
  smallScreen.addEventListener("change", ({ matches }) => {
    isSmall.value = matches;
  });
  wideScreen.addEventListener("change", ({ matches }) => {
    isWide.value = matches;
  });
  follow();
}

/** Goes to a fragment in place of the one that is open, which leaves the history. */
export function replacePlace(hash: string): void {
  history.replaceState(history.state, "", hash);
  fragment.value = hash;
  openPlace();
}

/** Goes to a fragment by a new entry of the history, which keeps a state. */
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

/** Leads a link by `with` to the conversation that its message is in now. */
async function followMoved(hash: string): Promise<void> {
  const narrow = readFragment(hash, names) ?? [];
  const messageId = operandOf(narrow, "with");
  if (messageId === undefined || !isOfConversation(narrow)) return;
  try {
    const { message } = await read("/messages/{message_id}", {
      message_id: messageId,
      allow_empty_topic_name: true,
    });
    if (location.hash === hash) replacePlace(fragmentOf(conversationNarrow(message, me.value)));
  } catch (error) {
    // The place that the link names stays open where nobody may know of the message.
    if (!(error instanceof Refusal)) throw error;
  }
}
