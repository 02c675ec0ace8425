import { emptyBox, type MessageInBox, messageInBox } from "../compose/send";
import { messageText } from "../model/outgoing";
import { showMenu } from "../parts/menu";
import { draftOf } from "../store/drafts";
import { moments } from "../store/moments";
import { attempt, notify } from "../store/notices";
import { keepAsDraft, schedule, unschedule } from "../store/scheduled";
import { composeWords } from "../words/compose";
import { laterWords } from "../words/later";
import { openTimeDialog } from "./time-dialog";
import { timeItems } from "./time-items";

/** Whether a message is being scheduled: a second click would schedule it twice. */
let isBusy = false;

/** Asks, beside a button, when the text in the box is to be sent. */
export function openSendLater(anchor: HTMLElement): void {
  if (!messageInBox()) return;
  showMenu({
    label: composeWords.sendLater,
    anchor,
    groups: [
      timeItems((at) => void attempt(() => sendAt(at))),
      [
        {
          name: laterWords.chooseTime,
          icon: "clock",
          run: () =>
            openTimeDialog({
              title: composeWords.sendLater,
              action: laterWords.schedule,
              send: sendAt,
            }),
        },
        {
          name: laterWords.scheduled.list,
          icon: "list",
          run: () => {
            location.hash = "#scheduled";
          },
        },
      ],
    ],
  });
}

/** Has the server send the text in the box at a moment; it stays in the box where that is refused. */
async function sendAt(at: Date): Promise<void> {
  const message = messageInBox();
  if (!message || isBusy) return;
  isBusy = true;
  try {
    const id = await schedule(message.recipient, message.content, at);
    const isUnchanged = messageText(draftOf(message.key)?.content ?? "") === message.content;
    if (isUnchanged) emptyBox(message);
    notify(laterWords.scheduledFor(moments.value.near(at)), () => void takeBack(id, message));
  } finally {
    isBusy = false;
  }
}

/** Puts a scheduled message back into the text of its conversation. */
async function takeBack(id: number, { recipient, content }: MessageInBox): Promise<void> {
  if (await attempt(() => unschedule(id))) keepAsDraft(recipient, content);
}
