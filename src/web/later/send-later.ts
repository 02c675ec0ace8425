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

/** Whether a message is being scheduled, because a second click would schedule it twice. */
let isBusy = false;

/** Asks, beside a button, when to send the text in the box. */
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

/** Schedules the text in the box. If that is refused, it stays in the box. */
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

/** Deletes a scheduled message, and puts its text back into the box of its conversation. */
async function takeBack(id: number, { recipient, content }: MessageInBox): Promise<void> {
  if (await attempt(() => unschedule(id))) keepAsDraft(recipient, content);
}
