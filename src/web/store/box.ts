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
  /** The view that the recipient was chosen in: in another view it counts no more. */
  readonly view: string;
  readonly target: Target;
  /** The draft that the box edits: its recipient may still change. */
  readonly key: string;
}

const choice = signal<Choice | undefined>(undefined);

const viewKey = computed(() => narrowKey(place.value.narrow, me.value));

const chosen = computed((): Choice | undefined =>
  choice.value?.view === viewKey.value ? choice.value : choiceOfDraft(),
);

/** A recipient that was chosen for the text of a conversation before a reload, or in another tab. */
function choiceOfDraft(): Choice | undefined {
  const conversation = conversationOf(place.value.narrow);
  const draft = conversation && draftOf(draftKey(conversation, me.value));
  if (!draft || keyWhenLeft(draft, me.value) === draft.key) return undefined;
  return { view: viewKey.value, target: draft.target, key: draft.key };
}

/** The conversation of a view that is one. */
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

/** Draft that the box edits. */
export const boxKey = computed(() => {
  if (chosen.value) return chosen.value.key;
  const narrow = place.value.narrow;
  const conversation = conversationOf(narrow);
  return conversation ? draftKey(conversation, me.value) : newKey(targetOf(narrow));
});

/** The text in the box. */
export const boxText = computed(() => draftOf(boxKey.value)?.content ?? "");

/** The recipient of the box, as far as it is chosen: that of the view, or another. */
export const boxTarget = computed((): Target => {
  if (chosen.value) return chosen.value.target;
  const narrow = place.value.narrow;
  return conversationOf(narrow) ?? draftOf(boxKey.value)?.target ?? targetOf(narrow);
});

/** Whether the recipient is that of the view, and is only shown. */
export const isFixed = computed(
  () => chosen.value === undefined && conversationOf(place.value.narrow) !== undefined,
);

/** Whether the box writes to the conversation or the channel that is open. */
export const isOfView = computed(() => {
  const { kind } = kindOf(place.value.narrow);
  return chosen.value === undefined && kind !== "all" && kind !== "search";
});

/** Chooses the recipient of the text that is in the box. */
export function chooseTarget(target: Target): void {
  choice.value = { view: viewKey.value, target, key: boxKey.value };
  writeDraft(boxKey.value, target, boxText.value);
}

export const writeText = (text: string): void => writeDraft(boxKey.value, boxTarget.value, text);

/** Forgets a recipient that was chosen in the view: the box is the view's own again. */
export function closeChoice(): void {
  choice.value = undefined;
  // The text stays in the box, and is for the view's conversation from now on.
  const conversation = conversationOf(place.peek().narrow);
  const kept = choiceOfDraft();
  if (conversation && kept) writeDraft(kept.key, conversation, draftOf(kept.key)?.content ?? "");
}

/**
 * Forgets a recipient that was chosen for a message which is on its way. In the view of a channel its
 * topic stays for the next one, which most often belongs to it and would go to no topic otherwise.
 */
export function endChoice(recipient: Recipient): void {
  const { narrow } = place.peek();
  const hasTopic = recipient.kind === "topic" && recipient.topic !== "";
  if (hasTopic && kindOf(narrow).kind === "channel" && goesTo(narrow, recipient))
    choice.value = { view: viewKey.peek(), target: recipient, key: newKey(targetOf(narrow)) };
  else closeChoice();
}

/** Takes a text that was given another recipient out of the conversation that it was begun in. */
function settle(key: string | undefined): void {
  const draft = key === undefined ? undefined : draftOf(key);
  if (!draft) return;
  const rightKey = keyWhenLeft(draft, me.peek());
  if (rightKey !== draft.key) moveDraft(draft, draft.target, rightKey);
}

/** Whether the recipient was chosen in place of that of the view. */
export const isChosen = computed(() => chosen.value !== undefined);

/** Counts how often the field of the recipient was to get the focus. */
export const recipientAsked = signal(0);

/** Opens the fields of a recipient for the text in the box, with the focus in the first one. */
export function openRecipient(target: Target): void {
  chooseTarget(target);
  recipientAsked.value += 1;
}

/** Counts how often the text was to get the focus. */
export const focusAsked = signal(0);

/** Puts the caret in the text. */
export function focusText(): void {
  focusAsked.value += 1;
}

interface Opening {
  readonly recipient: Target;
  /** Text that is added to what is in the box. */
  readonly text?: string;
}

/**
 * Opens the box for a recipient, with what was written to it before, and puts the caret in it. For
 * other pieces: reply, quote, a new conversation.
 */
export function openBox({ recipient, text = "" }: Opening): void {
  const full = recipientOf(recipient);
  const isComplete = full !== undefined && (full.kind === "direct" || full.topic !== "");
  const key = isComplete ? draftKey(full, me.value) : newKey(recipient);
  settle(boxKey.peek());
  choice.value = isKeyOfView(key) ? undefined : { view: viewKey.value, target: recipient, key };
  if (text !== "") addText(text);
  focusText();
}

const isKeyOfView = (key: string): boolean => {
  const conversation = conversationOf(place.value.narrow);
  return conversation !== undefined && draftKey(conversation, me.value) === key;
};

/** Adds text to what is in the box, as a paragraph of its own. */
export function addText(text: string): void {
  const before = boxText.value.trimEnd();
  writeText(before === "" ? text : `${before}\n\n${text}`);
}

/** Goes to the conversation that the box writes to. */
export function goToTarget(): void {
  const recipient = recipientOf(boxTarget.value);
  if (!recipient) return;
  location.hash = fragmentOf(narrowOf(recipient));
}

/** Writes the name of somebody at the end of the text: for other pieces. */
export function mention(user: Pick<User, "user_id" | "full_name">): void {
  const before = boxText.value;
  const blank = before === "" || /\s$/.test(before) ? "" : " ";
  writeText(`${before}${blank}@**${writtenName(user, model.value)}** `);
  focusText();
}

/** Opens the person's last message of the view that they may change; answers whether there is one. */
export function editLast(): boolean {
  const messages = feedOf(place.value.narrow)?.messages ?? [];
  const seconds = serverSeconds();
  const last = messages.findLast(
    (message) => message.sender_id === me.value && mayEdit(model.value, message, seconds),
  );
  if (last) void openEdit(last.id);
  return last !== undefined;
}

/** Goes to where a draft is written, with the caret in it. */
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

/** Goes to a view with the box for a recipient that is still to be completed, and the caret in it. */
export function openBoxIn(
  narrow: Narrow,
  { target, key }: Pick<LocalDraft, "target" | "key">,
): void {
  // Views that are not of messages may have the key of the one that is meant.
  const isThere = narrowKey(narrow, me.value) === viewKey.peek();
  if (isThere) {
    settle(boxKey.peek());
    choice.value = { view: viewKey.peek(), target, key };
  } else pending = { target, key };
  // The page follows at once, so that the key that is pressed next is written already.
  const hash = fragmentOf(narrow);
  if (hash !== location.hash) pushPlace(hash, null);
  focusText();
}

/** Adds another text for a conversation to the one that it has. */
function addToConversation(recipient: Recipient, content: string, key: string): void {
  dropDraft(key);
  const own = draftKey(recipient, me.value);
  writeDraft(own, recipient, joined(draftOf(own)?.content ?? "", content));
}

/** A draft that is opened in the view that the address is going to. */
let pending: Pick<LocalDraft, "target" | "key"> | undefined;

/** Whether a view shows the messages that go to a recipient. */
export function goesTo(narrow: Narrow, recipient: Recipient): boolean {
  const view = kindOf(narrow);
  if (view.kind === "all") return true;
  if (view.kind === "search") return false;
  if (view.kind === "channel")
    return recipient.kind === "topic" && recipient.channelId === view.channelId;
  return recipientKey(recipient, me.value) === recipientKey(view, me.value);
}

/** The narrow of the conversation that a message goes to. */
export const narrowOf = (recipient: Recipient): Narrow =>
  recipient.kind === "topic"
    ? topicNarrow(recipient.channelId, recipient.topic)
    : directNarrow(recipient.userIds);

/** The draft of the conversation that was open last. */
let lastKey: string | undefined;

/** A recipient that was chosen in one view is forgotten in another, and its text goes to it. */
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
