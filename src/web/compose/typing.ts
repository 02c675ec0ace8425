import { now } from "../clock";
import { type Recipient, recipientKey, recipientOf } from "../model/recipient";
import { type Parameters, post, Refusal } from "../net/api";
import { boxTarget, boxText } from "../store/box";
import { me, server, settings } from "../store/state";

interface Typing {
  readonly recipient: Recipient;
  /** When the others were last notified, in milliseconds. */
  readonly toldAt: number;
}

let typing: Typing | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Notifies the others that the person is typing. To be called after each change of the text. */
export function noteTyping(): void {
  const recipient = recipientOf(boxTarget.peek());
  if (!recipient || boxText.peek() === "" || !isWanted(recipient)) {
    endTyping();
    return;
  }
  if (typing && keyOf(typing.recipient) !== keyOf(recipient)) endTyping();
  clearTimeout(timer);
  timer = setTimeout(endTyping, server.value.server_typing_stopped_wait_period_milliseconds);
  const pause = server.value.server_typing_started_wait_period_milliseconds;
  if (typing && now() - typing.toldAt < pause) return;
  typing = { recipient, toldAt: now() };
  void tell("start", recipient);
}

/** Notifies the others that the person has stopped typing, if they were notified before. */
export function endTyping(): void {
  clearTimeout(timer);
  if (typing) void tell("stop", typing.recipient);
  typing = undefined;
}

const keyOf = (recipient: Recipient): string => recipientKey(recipient, me.value);

/**
 * Whether the person shows others when they type. In a conversation with oneself there is nobody to
 * show it to.
 */
function isWanted(recipient: Recipient): boolean {
  const { send_private_typing_notifications, send_stream_typing_notifications } = settings.value;
  if (recipient.kind === "topic") return send_stream_typing_notifications;
  return send_private_typing_notifications && recipient.userIds.some((id) => id !== me.value);
}

async function tell(op: "start" | "stop", recipient: Recipient): Promise<void> {
  const to: Parameters =
    recipient.kind === "topic"
      ? { type: "stream", stream_id: recipient.channelId, topic: recipient.topic }
      : { type: "direct", to: recipient.userIds };
  try {
    await post("/typing", { op, ...to });
  } catch (error) {
    // A lost notification does no harm, because the next key press sends another one.
    if (!(error instanceof Refusal)) throw error;
  }
}
