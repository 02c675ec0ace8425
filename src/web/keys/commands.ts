import { directKey, topicKey } from "../model/conversations";
import { nextUnread, type UnreadKind } from "../model/inbox";
import {
  alertsNarrow,
  channelNarrow,
  directNarrow,
  everything,
  filesNarrow,
  mentionsNarrow,
  placeNarrow,
  reactionsNarrow,
  starredNarrow,
  topicNarrow,
} from "../model/narrow-kind";
import { withRarePart } from "../parts/rare";
import { singleKeys } from "../store/choices";
import { messageOf } from "../store/feeds";
import { inbox } from "../store/inbox";
import { fragmentOf, peopleOfKey } from "../store/names";
import { togglePeople } from "../store/people-pane";
import { addressedKind, type View } from "../store/place";
import { railFilter } from "../store/rail-lists";
import { markEverythingRead } from "../store/reading";
import { openSearch } from "../store/search";
import { me } from "../store/state";
import type { keyWords } from "../words/keys";
import type { Keyed } from "./dispatch";
import { leave } from "./leave";
import { messageCommands } from "./message-commands";
import { openHelp, openPalette } from "./overlay";
import { goToEnd, selectedMessage, step, stepInRail, turnPage } from "./selection";

export type CommandId = keyof typeof keyWords.commands;

/** A command: it can be run by a key, from the palette, and is in the list of keys. */
export interface Command extends Keyed<View> {
  readonly id: CommandId;
  readonly group: keyof typeof keyWords.groups;
  run(): void;
}

const goTo = (fragment: string) => () => {
  location.hash = fragment;
};

/** Goes to the next unread conversation of a kind, if there is one. */
const goToUnread = (kind: UnreadKind) => () => {
  const next = nextUnread(inbox.value, kind, currentKey());
  if (!next) return;
  const { key, channelId, topic } = next;
  location.hash = fragmentOf(
    channelId === undefined || topic === undefined
      ? directNarrow(peopleOfKey(key))
      : topicNarrow(channelId, topic),
  );
};

/** The conversation of the address, because a key may be pressed again before it is shown. */
function currentKey(): string | undefined {
  const kind = addressedKind();
  if (kind?.kind === "topic") return topicKey(kind.channelId, kind.topic);
  return kind?.kind === "direct" ? directKey(kind.userIds, me.value) : undefined;
}

/** Goes to the conversation or the channel of the message on which keys act. */
const goFromMessage = (to: "conversation" | "channel") => () => {
  const message = messageOf(selectedMessage() ?? 0);
  if (!message) return;
  const { stream_id: channelId } = message;
  if (to === "channel" && channelId !== undefined)
    location.hash = fragmentOf(channelNarrow(channelId));
  else location.hash = fragmentOf(placeNarrow(message, me.value));
};

const openFilter = (): void => {
  railFilter.value ??= "";
};

const newChannel = (): void => {
  void withRarePart("settings", ({ openNewChannel }) => openNewChannel());
};

/** Ends the session of this browser. */
export const logOut = (): void => {
  void withRarePart("settings", (part) => void part.logOut());
};

const newWidget = (kind: "poll" | "todo") => () =>
  void withRarePart("widgets", ({ openNewWidget }) => openNewWidget(kind));

const setStatus = (): void => {
  void withRarePart("cards", ({ openStatus }) => openStatus());
};

const switchSingleKeys = (): void => {
  singleKeys.value = singleKeys.value === "on" ? "off" : "on";
};

const turnOnNotifications = (): void =>
  void withRarePart("notifications", ({ turnOn }) => void turnOn());

const go: readonly Command[] = [
  { id: "palette", keys: ["Ctrl K"], group: "go", run: openPalette },
  { id: "search", keys: ["/"], group: "go", run: openSearch },
  { id: "inbox", keys: ["Shift I"], group: "go", run: goTo("#inbox") },
  { id: "recent", keys: ["t"], group: "go", run: goTo("#recent") },
  { id: "combined", keys: ["a"], group: "go", run: () => goTo(fragmentOf(everything))() },
  { id: "mentions", keys: [], group: "go", run: () => goTo(fragmentOf(mentionsNarrow))() },
  { id: "starred", keys: ["*"], group: "go", run: () => goTo(fragmentOf(starredNarrow))() },
  {
    id: "reactions",
    keys: [],
    group: "go",
    run: () => goTo(fragmentOf(reactionsNarrow(me.value)))(),
  },
  { id: "alerts", keys: [], group: "go", run: () => goTo(fragmentOf(alertsNarrow))() },
  { id: "files", keys: [], group: "go", run: () => goTo(fragmentOf(filesNarrow))() },
  { id: "drafts", keys: ["d"], group: "go", run: goTo("#drafts") },
  { id: "scheduled", keys: [], group: "go", run: goTo("#scheduled") },
  { id: "reminders", keys: [], group: "go", run: goTo("#reminders") },
  { id: "channels", keys: [], group: "go", run: goTo("#channels/all") },
  { id: "invitations", keys: [], group: "go", run: goTo("#invitations") },
  { id: "settings", keys: [], group: "go", run: goTo("#settings") },
  { id: "ownFiles", keys: [], group: "go", run: goTo("#files") },
  { id: "snippets", keys: [], group: "go", run: goTo("#snippets") },
  { id: "nextUnreadTopic", keys: ["n"], group: "go", run: goToUnread("topic") },
  { id: "nextUnreadDirect", keys: ["p"], group: "go", run: goToUnread("direct") },
  { id: "nextUnreadFollowed", keys: ["Shift N"], group: "go", run: goToUnread("followed") },
  { id: "nextConversation", keys: ["Alt ↓"], group: "go", run: () => stepInRail(1) },
  { id: "previousConversation", keys: ["Alt ↑"], group: "go", run: () => stepInRail(-1) },
];

const messages: readonly Command[] = [
  { id: "nextMessage", keys: ["j", "↓"], group: "messages", run: () => step(1) },
  { id: "previousMessage", keys: ["k", "↑"], group: "messages", run: () => step(-1) },
  { id: "firstMessage", keys: ["Home", "g g"], group: "messages", run: () => goToEnd("first") },
  { id: "lastMessage", keys: ["End", "Shift G"], group: "messages", run: () => goToEnd("last") },
  {
    id: "pageDown",
    keys: ["Space", "Shift J", "PageDown"],
    group: "messages",
    run: () => turnPage(1),
  },
  {
    id: "pageUp",
    keys: ["Shift Space", "Shift K", "PageUp"],
    group: "messages",
    run: () => turnPage(-1),
  },
  {
    id: "topicOf",
    keys: ["s"],
    group: "messages",
    views: ["messages"],
    run: goFromMessage("conversation"),
  },
  {
    id: "channelOf",
    keys: ["Shift S"],
    group: "messages",
    views: ["messages"],
    run: goFromMessage("channel"),
  },
  ...messageCommands.map(({ views, ...command }) => ({
    ...command,
    group: "messages" as const,
    ...(views ? { views } : {}),
  })),
];

const page: readonly Command[] = [
  { id: "filterChannels", keys: ["q"], group: "lists", run: openFilter },
  { id: "people", keys: ["w"], group: "lists", run: togglePeople },
  { id: "help", keys: ["?"], group: "page", run: openHelp },
  { id: "leave", keys: ["Esc"], group: "page", run: leave },
  { id: "markAllRead", keys: [], group: "page", run: () => void markEverythingRead() },
  { id: "status", keys: [], group: "page", run: setStatus },
  { id: "newChannel", keys: [], group: "page", run: newChannel },
  { id: "newPoll", keys: [], group: "page", views: ["messages"], run: newWidget("poll") },
  { id: "newTaskList", keys: [], group: "page", views: ["messages"], run: newWidget("todo") },
  { id: "singleKeys", keys: [], group: "page", run: switchSingleKeys },
  { id: "notifications", keys: [], group: "page", run: turnOnNotifications },
  { id: "logOut", keys: [], group: "page", run: logOut },
];

/** All commands. Keys, tooltips, the palette and the list of keys are made from this table. */
export const commands: readonly Command[] = [...go, ...messages, ...page];
