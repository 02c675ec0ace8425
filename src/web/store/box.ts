import { computed, effect, signal, untracked } from "@preact/signals";
import { draftKey, joined, keyWhenLeft, type LocalDraft, newKey } from "../model/local-drafts";
import { writtenName } from "../model/mentions";
import type { Narrow } from "../model/narrow";
import {
  channelNarrow,
  directNarrow,
  everything,
  kindOf,
  narrowKey,
  topicNarrow,
} from "../model/narrow-kind";
import { mayEdit } from "../model/permissions";
import { type Recipient, recipientKey, recipientOf, type Target } from "../model/recipient";
import type { User } from "../model/wire";
import { draftOf, dropDraft, moveDraft, writeDraft } from "./drafts";
import { openEdit } from "./editing";
import { feedOf } from "./feeds";
import { fragmentOf } from "./names";
import { place, pushPlace } from "./place";
import { serverSeconds } from "./server-time";
import { me, model } from "./state";

interface Choice {
  /** The view in which the recipient was chosen. The choice is not valid in other views. */
  readonly view: string;
  readonly target: Target;
  /** The draft that the box edits. Its recipient may still change. */
  readonly key: string;
}

const choice = signal<Choice | undefined>(undefined);

const viewKey = computed(() => narrowKey(place.value.narrow, me.value));

const chosen = computed((): Choice | undefined =>
  choice.value?.view === viewKey.value ? choice.value : choiceOfDraft(),
);

/** A recipient that was chosen for a conversation's text before a reload, or in another tab. */
function choiceOfDraft(): Choice | undefined {
  const conversation = conversationOf(place.value.narrow);
  const draft = conversation && draftOf(draftKey(conversation, me.value));
  if (!draft || keyWhenLeft(draft, me.value) === draft.key) return undefined;
  return { view: viewKey.value, target: draft.target, key: draft.key };
}

/** The conversation of a view; undefined if the view is not a conversation. */
function conversationOf(narrow: Narrow): Recipient | undefined {
  const view = kindOf(narrow);
  return view.kind === "topic" || view.kind === "direct" ? view : undefined;
}

const nobody: Target = { kind: "topic", channelId: undefined, topic: "" };

function targetOf(narrow: Narrow): Target {
  const view = kindOf(narrow);
  if (view.kind === "topic" || view.kind === "direct") return view;
  return view.kind === "channel" ? { kind: "topic", channelId: view.channelId, topic: "" } : nobody;
}

/** The key of the draft that the box edits. */
export const boxKey = computed(() => {
  if (chosen.value) return chosen.value.key;
  const narrow = place.value.narrow;
  const conversation = conversationOf(narrow);
  return conversation ? draftKey(conversation, me.value) : newKey(targetOf(narrow));
});

/** The text in the box. */
export const boxText = computed(() => draftOf(boxKey.value)?.content ?? "");

/** The recipient of the box, which may be incomplete: the view's, or a chosen one. */
export const boxTarget = computed((): Target => {
  if (chosen.value) return chosen.value.target;
  const narrow = place.value.narrow;
  return conversationOf(narrow) ?? draftOf(boxKey.value)?.target ?? targetOf(narrow);
});

/** Whether the recipient is the view's. Then it is only shown, and cannot be edited. */
export const isFixed = computed(
  () => chosen.value === undefined && conversationOf(place.value.narrow) !== undefined,
);

/** Whether the box writes to the open conversation or channel. */
export const isOfView = computed(() => {
  const { kind } = kindOf(place.value.narrow);
  return chosen.value === undefined && kind !== "all" && kind !== "search";
});

/** Chooses the recipient of the text in the box. */
export function chooseTarget(target: Target): void {
  choice.value = { view: viewKey.value, target, key: boxKey.value };
  writeDraft(boxKey.value, target, boxText.value);
}

export const writeText = (text: string): void => writeDraft(boxKey.value, boxTarget.value, text);

/** Forgets the chosen recipient, so that the box writes to the view's recipient again. */
export function closeChoice(): void {
  choice.value = undefined;
  // The text stays in the box, and now belongs to the view's conversation.
  const conversation = conversationOf(place.peek().narrow);
  const kept = choiceOfDraft();
  if (conversation && kept) writeDraft(kept.key, conversation, draftOf(kept.key)?.content ?? "");
}

/**
 * Forgets the recipient that was chosen for a message that is being sent. In the view of a channel
 * the topic is kept for the next message, because it mostly belongs to that topic too, and
 * otherwise would have none.
 */
export function endChoice(recipient: Recipient): void {
  const { narrow } = place.peek();
  const hasTopic = recipient.kind === "topic" && recipient.topic !== "";
  if (hasTopic && kindOf(narrow).kind === "channel" && goesTo(narrow, recipient))
    choice.value = { view: viewKey.peek(), target: recipient, key: newKey(targetOf(narrow)) };
  else closeChoice();
}

/** Moves a text that was given another recipient out of the conversation in which it was begun. */
function settle(key: string | undefined): void {
  const draft = key === undefined ? undefined : draftOf(key);
  if (!draft) return;
  const rightKey = keyWhenLeft(draft, me.peek());
  if (rightKey !== draft.key) moveDraft(draft, draft.target, rightKey);
}

/** Whether a recipient was chosen instead of the view's. */
export const isChosen = computed(() => chosen.value !== undefined);

/** Changes each time when the field of the recipient should take the focus. */
export const recipientAsked = signal(0);

/** Opens the fields for the recipient of the text in the box, and focuses the first empty one. */
export function openRecipient(target: Target): void {
  chooseTarget(target);
  focusRecipient();
}

/** Focuses the first empty field of the recipient. */
export function focusRecipient(): void {
  recipientAsked.value += 1;
}

/** Changes each time when the text should take the focus. */
export const focusAsked = signal(0);

/** Puts the caret into the text. */
export function focusText(): void {
  focusAsked.value += 1;
}

interface Opening {
  readonly recipient: Target;
  /** Text to add to the text in the box. */
  readonly text?: string;
  /** Moves the focus; it goes to the text otherwise. */
  readonly focus?: () => void;
}

/**
 * Opens the box for a recipient, with the text that was written to it before, and puts the caret
 * into it. Other parts call it to reply, to quote, and to start a conversation.
 */
export function openBox({ recipient, text = "", focus = focusText }: Opening): void {
  const full = recipientOf(recipient);
  const isComplete = full !== undefined && (full.kind === "direct" || full.topic !== "");
  const key = isComplete ? draftKey(full, me.value) : newKey(recipient);
  settle(boxKey.peek());
  choice.value = isKeyOfView(key) ? undefined : { view: viewKey.value, target: recipient, key };
  if (text !== "") addText(text);
  focus();
}

const isKeyOfView = (key: string): boolean => {
  const conversation = conversationOf(place.value.narrow);
  return conversation !== undefined && draftKey(conversation, me.value) === key;
};

/** Adds a text to the text in the box, as a paragraph of its own. */
export function addText(text: string): void {
  const before = boxText.value.trimEnd();
  writeText(before === "" ? text : `${before}\n\n${text}`);
}

/** Opens the conversation to which the box writes. */
export function goToTarget(): void {
  const recipient = recipientOf(boxTarget.value);
  if (!recipient) return;
  location.hash = fragmentOf(narrowOf(recipient));
}

/** Adds a mention of somebody at the end of the text. */
export function mention(user: Pick<User, "user_id" | "full_name">): void {
  const before = boxText.value;
  const blank = before === "" || /\s$/.test(before) ? "" : " ";
  writeText(`${before}${blank}@**${writtenName(user, model.value)}** `);
  focusText();
}

/** Opens the person's last message in the view that they may edit; returns whether there is one. */
export function editLast(): boolean {
  const messages = feedOf(place.value.narrow)?.messages ?? [];
  const seconds = serverSeconds();
  const last = messages.findLast(
    (message) => message.sender_id === me.value && mayEdit(model.value, message, seconds),
  );
  if (last) void openEdit(last.id);
  return last !== undefined;
}

/** Opens the place where a draft is written, with the caret in its text. */
export function openDraft(draft: LocalDraft): void {
  const { key, target, content } = draft;
  const recipient = recipientOf(target);
  const isOwn = key === draftKey(target, me.value);
  if (recipient && !key.startsWith("new ")) {
    location.hash = fragmentOf(narrowOf(recipient));
    if (!isOwn) addToConversation(recipient, content, key);
    focusText();
    return;
  }
  const channelId = target.kind === "topic" ? target.channelId : undefined;
  openBoxIn(channelId === undefined ? everything : channelNarrow(channelId), draft);
}

/**
 * Opens a view with the box for a recipient that is still incomplete, and moves the focus into the
 * box.
 */
export function openBoxIn(
  narrow: Narrow,
  { target, key }: Pick<LocalDraft, "target" | "key">,
  focus = focusText,
): void {
  // A view without messages may have the key of the view that is meant.
  const isThere = narrowKey(narrow, me.value) === viewKey.peek();
  if (isThere) {
    settle(boxKey.peek());
    choice.value = { view: viewKey.peek(), target, key };
  } else pending = { target, key };
  // The page follows at once, so that the next key press already goes into the box.
  const hash = fragmentOf(narrow);
  if (hash !== location.hash) pushPlace(hash, null);
  focus();
}

/** Adds another text to the text of a conversation. */
function addToConversation(recipient: Recipient, content: string, key: string): void {
  dropDraft(key);
  const own = draftKey(recipient, me.value);
  writeDraft(own, recipient, joined(draftOf(own)?.content ?? "", content));
}

/** A draft to open in the view to which the address is changing. */
let pending: Pick<LocalDraft, "target" | "key"> | undefined;

/** Whether a view shows messages that are sent to a recipient. */
export function goesTo(narrow: Narrow, recipient: Recipient): boolean {
  const view = kindOf(narrow);
  if (view.kind === "all") return true;
  if (view.kind === "search") return false;
  if (view.kind === "channel")
    return recipient.kind === "topic" && recipient.channelId === view.channelId;
  return recipientKey(recipient, me.value) === recipientKey(view, me.value);
}

/** The narrow of the conversation to which a message is sent. */
export const narrowOf = (recipient: Recipient): Narrow =>
  recipient.kind === "topic"
    ? topicNarrow(recipient.channelId, recipient.topic)
    : directNarrow(recipient.userIds);

/** The key of the draft of the conversation that was open last. */
let lastKey: string | undefined;

/** Forgets a recipient that was chosen in another view, and moves its text to that recipient. */
function enterView(view: string): void {
  const conversation = conversationOf(place.value.narrow);
  const key = conversation && draftKey(conversation, me.value);
  if (choice.value && choice.value.view !== view) {
    settle(choice.value.key);
    choice.value = undefined;
  }
  if (lastKey !== key) settle(lastKey);
  lastKey = key;
  if (pending) choice.value = { view, ...pending };
  pending = undefined;
}

effect(() => {
  const view = viewKey.value;
  untracked(() => enterView(view));
});
