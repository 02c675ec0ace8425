import { openCard } from "../store/card";
import { messageOf } from "../store/feeds";

/**
 * Opens the card of the person at the pressed element: a sender's picture or name, or a mention.
 */
export function openCardAt({ target }: Event): void {
  const selection = "img.avatar, .avatar, header > b, .user-mention, .user-group-mention";
  const anchor = target instanceof Element ? target.closest<HTMLElement>(selection) : null;
  if (!anchor) return;
  const { userId, userGroupId } = anchor.dataset;
  const groupId = Number(userGroupId);
  if (userGroupId !== undefined) openCard({ kind: "group", id: groupId, anchor });
  else if (userId === undefined) openSenderCard(idOf(anchor), anchor);
  // A mention of everybody names no person.
  else if (/^\d+$/.test(userId)) openCard({ kind: "person", id: Number(userId), anchor });
}

const idOf = (element: Element): number =>
  Number(element.closest<HTMLElement>("article[data-id]")?.dataset["id"]);

/** Opens the card of a message's sender, beside an element, or beside the message. */
export function openSenderCard(messageId: number, beside?: HTMLElement): void {
  const message = messageOf(messageId);
  const row = `article[data-id="${messageId}"] .row`;
  const anchor = beside ?? document.querySelector<HTMLElement>(`${row} .avatar, ${row} time`);
  if (message && anchor) openCard({ kind: "person", id: message.sender_id, anchor });
}
