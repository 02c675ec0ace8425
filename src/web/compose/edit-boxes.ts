import { computed } from "@preact/signals";
import { peopleOf } from "../model/conversations";
import type { Target } from "../model/recipient";
import { changeText, editKey, editOf, tellEditor } from "../store/editing";
import { messageOf } from "../store/feeds";
import { type TextBox, textBox } from "./text-box";

/**
 * Boxes of messages that are being edited. They outlive their rows, because uploaded files are
 * added to them.
 */
const boxes = new Map<number, TextBox>();

/** The box in which a message is edited. */
export function editBoxOf(messageId: number): TextBox {
  const before = boxes.get(messageId);
  if (before) return before;
  const key = editKey(messageId);
  const text = computed(() => editOf(messageId)?.text ?? "");
  const box = textBox(`edit-${messageId}`, {
    key: computed(() => key),
    text,
    target: computed(() => targetOf(messageId)),
    write: (written) => changeText(messageId, written),
    replaceAway: (_, line, after) =>
      changeText(
        messageId,
        text.peek().replace(line, () => after),
      ),
    tell: (reason) => tellEditor(messageId, reason),
  });
  boxes.set(messageId, box);
  return box;
}

/** The conversation of a message. */
function targetOf(messageId: number): Target {
  const message = messageOf(messageId);
  if (message?.stream_id !== undefined)
    return { kind: "topic", channelId: message.stream_id, topic: message.subject };
  return { kind: "direct", userIds: message ? peopleOf(message) : [] };
}
