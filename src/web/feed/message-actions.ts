import type { FlaggedMessage } from "../model/message";
import {
  hasHistory,
  hasReceipts,
  hasReports,
  mayDelete,
  mayEdit,
  mayMoveToChannel,
  mayMoveToTopic,
} from "../model/permissions";
import { mayReact } from "../model/reacting";
import { copyText } from "../parts/copying";
import { pickEmoji } from "../parts/emoji-picker-host";
import { isFocusFree } from "../parts/focus-free";
import { keyName } from "../parts/key-names";
import { type MenuItem, showMenu } from "../parts/menu";
import { withRarePart } from "../parts/rare";
import { pinned } from "../store/active-message";
import { isCollapsed, toggleCollapsed } from "../store/collapsing";
import { openEdit } from "../store/editing";
import type { Emoji } from "../store/emoji-use";
import { messageOf } from "../store/feeds";
import { linkToMessage } from "../store/links";
import { notify } from "../store/notices";
import { place } from "../store/place";
import { toggleReaction } from "../store/reactions";
import { markUnreadFrom } from "../store/reading";
import { serverSeconds } from "../store/server-time";
import { isStarred, toggleStar } from "../store/stars";
import { model } from "../store/state";
import { keyWords } from "../words/keys";
import { words } from "../words/words";
import { openSenderCard } from "./card-at";
import { openDelete } from "./delete-dialog";
import { openHistory } from "./edit-history";
import { openSource } from "./message-source";
import { openMove } from "./move-dialog";
import { openReaders } from "./readers";
import { openForward, openQuotation, openReply, openReplyToSender } from "./reply";

/*
 * Commands for one message, each by the message's id, for buttons, menus and keys. They do nothing
 * where the person may not do it, or the message is gone.
 */

/** Calls a function with a loaded message. */
function withMessage(messageId: number, run: (message: FlaggedMessage) => void): void {
  const message = messageOf(messageId);
  if (message) run(message);
}

/** Opens the box for a reply in the conversation of a message. */
export function replyTo(messageId: number): void {
  withMessage(messageId, openReply);
}

/** Opens the box for a direct message to the sender of a message. */
export function replyToSender(messageId: number): void {
  withMessage(messageId, openReplyToSender);
}

/** Opens the box with a quotation of a message. */
export function quoteMessage(messageId: number): void {
  withMessage(messageId, (message) => void openQuotation(message));
}

/** Opens the box with a quotation of a message, whose recipient is still to be chosen. */
export function forwardMessage(messageId: number): void {
  withMessage(messageId, (message) => void openForward(message));
}

const thumbsUp: Emoji = {
  emoji_name: "+1",
  emoji_code: "1f44d",
  reaction_type: "unicode_emoji",
};

/** Adds or removes the person's 👍 on a message. */
export const reactThumbsUp = (messageId: number): void => react(messageId, thumbsUp);

/** Adds the first emoji that others have put on a message, or removes one's own. */
export function reactLikeFirst(messageId: number): void {
  withMessage(messageId, ({ reactions: [first] }) => {
    if (first) react(messageId, first);
  });
}

function react(messageId: number, emoji: Emoji): void {
  withMessage(messageId, (message) => {
    if (mayReact(model.value, message)) toggleReaction(messageId, emoji);
  });
}

/** Lets the person choose an emoji for a message. */
export function openReactionPicker(messageId: number, anchor = rowOf(messageId)): void {
  if (!anchor) return;
  withMessage(messageId, (message) => {
    if (!mayReact(model.value, message)) return;
    pickEmoji({
      anchor,
      pick: (emoji) => toggleReaction(messageId, emoji),
      onClose: () => unpin(messageId),
    });
    // This comes last, because a picker that was open at the message unpins it.
    pin(messageId);
  });
}

/** Opens a message for editing. If the person may not edit it, shows its source. */
export function editMessage(messageId: number): void {
  withMessage(messageId, (message) => {
    if (mayEdit(model.value, message, serverSeconds())) void openEdit(messageId);
    else showSource(messageId);
  });
}

/** Shows the Markdown source of a message. */
export const showSource = (messageId: number): void => void openSource(messageId);

/** Asks where to move a message. */
export function moveMessage(messageId: number): void {
  withMessage(messageId, (message) => {
    if (!mayMove(message)) return;
    openMove(message, "change_one");
  });
}

const mayMove = (message: FlaggedMessage): boolean =>
  mayMoveToTopic(model.value, message, serverSeconds()) ||
  mayMoveToChannel(model.value, message, serverSeconds());

/** Copies the address of a message. */
export function copyLink(messageId: number): void {
  withMessage(messageId, (message) => void copy(linkToMessage(message), words.actions.linkCopied));
}

/** Copies the text of a message without formatting. */
function copyContent(messageId: number): void {
  const content = rowOf(messageId)?.querySelector<HTMLElement>(".rendered");
  if (content) void copy(textWritten(content), words.actions.textCopied);
}

/** The text of a message as its author wrote it, without the buttons at its code. */
function textWritten(content: HTMLElement): string {
  const tools = content.querySelectorAll<HTMLElement>(".code-tools");
  for (const one of tools) one.style.display = "none";
  const text = content.innerText;
  for (const one of tools) one.style.display = "";
  return text;
}

/** Copies a text and tells of it with the given words, or that the browser has refused. */
export const copy = async (text: string, done: string): Promise<void> =>
  notify((await copyText(text)) ? done : words.actions.notCopied);

/** Marks a message and those after it as unread. */
export function markUnreadFromHere(messageId: number): void {
  void markUnreadFrom(messageId, place.value.narrow);
}

/** Opens the first picture of a message in the lightbox. */
export const viewPicture = (messageId: number): void =>
  void withRarePart("lightbox", ({ openLightbox }) => openLightbox(messageId));

/** Asks when to remind the person of a message. */
export const remindOf = (messageId: number): void =>
  void withRarePart("later", ({ openReminder }) => openReminder(messageId));

/** Shows the edit history of a message. */
export function showHistory(messageId: number): void {
  withMessage(messageId, (message) => {
    if (!hasHistory(model.value, message)) return;
    openHistory(messageId);
  });
}

/** Shows who has read a message. */
export function showReaders(messageId: number): void {
  if (!hasReceipts(model.value)) return;
  openReaders(messageId);
}

/** Asks what is wrong with a message, to report it to the moderators. */
export function reportMessage(messageId: number): void {
  withMessage(messageId, (message) => {
    if (hasReports(model.value))
      void withRarePart("report", ({ openReport }) => openReport(message));
  });
}

/** Deletes a message after the person has confirmed it. */
export function deleteMessage(messageId: number): void {
  withMessage(messageId, (message) => {
    if (!mayDelete(model.value, message, serverSeconds())) return;
    openDelete(messageId);
  });
}

/** Opens the menu of a message, beside its button or the message itself. */
export function openMessageMenu(messageId: number, anchor = rowOf(messageId)): void {
  if (!anchor) return;
  withMessage(messageId, (message) => {
    pin(messageId);
    showMenu({
      label: words.actions.ofMessage,
      groups: menuOf(message),
      anchor,
      onClose: () => unpin(messageId),
    });
  });
}

function menuOf(message: FlaggedMessage): readonly (readonly MenuItem[])[] {
  const { id } = message;
  const { actions } = words;
  const isMine = mayEdit(model.value, message, serverSeconds());
  const answers: (MenuItem | false)[] = [
    { name: actions.reply, icon: "reply", keys: "r", run: () => replyTo(id) },
    { name: actions.quote, icon: "quote", keys: ">", run: () => quoteMessage(id) },
    { name: actions.forward, icon: "right", keys: "<", run: () => forwardMessage(id) },
    mayReact(model.value, message) && {
      name: actions.react,
      icon: "smile",
      keys: ":",
      run: () => openReactionPicker(id),
    },
  ];
  const changes: (MenuItem | false)[] = [
    {
      name: isMine ? actions.edit : actions.viewSource,
      icon: isMine ? "draft" : "code",
      keys: "e",
      run: () => editMessage(id),
    },
    mayMove(message) && { name: actions.move, icon: "move", keys: "m", run: () => moveMessage(id) },
  ];
  const own: (MenuItem | false)[] = [
    {
      name: isStarred(id) ? actions.unstar : actions.star,
      icon: "star",
      keys: keyName("Ctrl S"),
      run: () => toggleStar(id),
    },
    { name: actions.unreadFromHere, icon: "unread", keys: "⇧U", run: () => markUnreadFromHere(id) },
    {
      name: isCollapsed(id) ? actions.expand : actions.collapse,
      icon: "down",
      keys: "-",
      run: () => toggleCollapsed(id),
    },
    { name: actions.remind, icon: "bell", run: () => remindOf(id) },
    { name: actions.copyLink, icon: "link", run: () => copyLink(id) },
    { name: actions.copyText, icon: "copy", run: () => copyContent(id) },
  ];
  return [answers, changes, own, factsOf(message), dangersOf(message)].map((group) =>
    group.filter((item) => item !== false),
  );
}

const factsOf = (message: FlaggedMessage): (MenuItem | false)[] => [
  {
    name: keyWords.commands.senderCard,
    icon: "people",
    keys: "u",
    run: () => openSenderCard(message.id),
  },
  hasHistory(model.value, message) && {
    name: words.actions.viewHistory,
    icon: "clock",
    keys: "⇧H",
    run: () => showHistory(message.id),
  },
  hasReceipts(model.value) && {
    name: words.actions.viewReaders,
    icon: "eye",
    keys: "⇧V",
    run: () => showReaders(message.id),
  },
];

const dangersOf = (message: FlaggedMessage): (MenuItem | false)[] => [
  hasReports(model.value) && {
    name: words.actions.report,
    icon: "flag",
    run: () => reportMessage(message.id),
  },
  mayDelete(model.value, message, serverSeconds()) && {
    name: words.actions.delete,
    icon: "trash",
    isDangerous: true,
    run: () => deleteMessage(message.id),
  },
];

const pin = (messageId: number): void => {
  pinned.value = messageId;
};

/**
 * Returns the focus to the message, because its button may have disappeared together with the
 * pointer.
 */
function unpin(messageId: number): void {
  if (pinned.value === messageId) pinned.value = undefined;
  if (isFocusFree()) rowOf(messageId)?.focus({ preventScroll: true });
}

const rowOf = (messageId: number): HTMLElement | undefined =>
  document.querySelector<HTMLElement>(`article[data-id="${messageId}"]`) ?? undefined;
