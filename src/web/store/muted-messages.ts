import { signal } from "@preact/signals";
import type { Message } from "../model/wire";
import { mutedUsers } from "./state";

/** Messages of muted people that are shown in this page. */
const revealed = signal<ReadonlySet<number>>(new Set());

export function revealMessage(messageId: number): void {
  revealed.value = new Set(revealed.value).add(messageId);
}

/** Whether a message is only a line, because its sender is muted. */
export const isHiddenMessage = ({ id, sender_id }: Pick<Message, "id" | "sender_id">): boolean =>
  mutedUsers.value.has(sender_id) && !revealed.value.has(id);
