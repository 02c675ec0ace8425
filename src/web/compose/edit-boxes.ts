import { computed } from "@preact/signals";
import { peopleOf } from "../model/conversations";
import type { Target } from "../model/recipient";
import { changeText, editKey, editOf, tellEditor } from "../store/editing";
import { messageOf } from "../store/feeds";
import { type TextBox, textBox } from "./text-box";

/** Boxes of messages that are changed. They outlive their rows, because files arrive in them. */
const boxes = new Map<number, TextBox>();

/** The box in which a message is changed. */
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

/** The conversation that a message is in. */
function targetOf(messageId: number): Target {
  const message = messageOf(messageId);
  if (message?.stream_id !== undefined)
    return { kind: "topic", channelId: message.stream_id, topic: message.subject };
  return { kind: "direct", userIds: message ? peopleOf(message) : [] };
}
