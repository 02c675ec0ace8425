import { useEffect } from "preact/hooks";
import { parsePasted } from "../feed/content";
import type { FlaggedMessage } from "../model/message";
import { noteOf } from "../model/scheduled";
import type { Reminder } from "../model/wire";
import { linkToMessage } from "../store/links";
import { moments } from "../store/moments";
import { senderOf } from "../store/names";
import { attempt, notify } from "../store/notices";
import { reminderList, removeReminder, restoreReminder } from "../store/reminders";
import { singleMessage, wantMessages } from "../store/single-messages";
import { laterWords } from "../words/later";
import { words } from "../words/words";
import { excerptOf, KeptAction, KeptList } from "./kept-list";
import { openReminderChange } from "./reminder-dialog";

/** The person's reminders, with the actions for each. */
export function Reminders() {
  const rows = reminderList.value;
  const ids = rows.map((reminder) => reminder.reminder_target_message_id);
  useEffect(() => {
    wantMessages(ids);
  }, [ids.join(" ")]);
  return (
    <KeptList
      label={words.views.reminders}
      rows={rows}
      none={laterWords.reminders}
      draw={(reminder) => <ReminderLine key={reminder.reminder_id} reminder={reminder} />}
    />
  );
}

function ReminderLine({ reminder }: { reminder: Reminder }) {
  const { scheduled_delivery_timestamp: seconds, reminder_target_message_id: id } = reminder;
  const at = new Date(seconds * 1_000);
  const note = noteOf(reminder);
  const target = singleMessage(id);
  const name = target && target !== "gone" ? textOf(target) : "";
  const excerpt = excerptOf(note || name);
  return (
    <li>
      <div class="to">
        {target && target !== "gone" && <b dir="auto">{senderOf(target).full_name}</b>}
        <time dateTime={at.toISOString()}>{moments.value.near(at)}</time>
      </div>
      {note !== "" && (
        <p class="text" dir="auto">
          {note}
        </p>
      )}
      <Target target={target} text={name} />
      <div class="choices">
        <KeptAction
          name={laterWords.change}
          label={laterWords.changeNamed(excerpt)}
          run={() => openReminderChange(reminder)}
        />
        <KeptAction
          name={laterWords.remove}
          label={laterWords.removeNamed(excerpt)}
          run={() => void deleteReminder(reminder)}
        />
      </div>
    </li>
  );
}

/** The message of a reminder, as a link to the message. */
function Target({ target, text }: { target: FlaggedMessage | "gone" | undefined; text: string }) {
  if (target === undefined) return null;
  if (target === "gone") return <p class="quiet">{laterWords.gone}</p>;
  return (
    <a class="text" dir="auto" href={linkToMessage(target)}>
      {text}
    </a>
  );
}

const textLength = 300;

/** The text of a message without formatting. */
const textOf = ({ content, id }: FlaggedMessage): string =>
  parsePasted(content).body.textContent?.trim().slice(0, textLength) || `#${id}`;

async function deleteReminder(reminder: Reminder): Promise<void> {
  if (!(await attempt(() => removeReminder(reminder)))) return;
  notify(laterWords.reminderDeleted, () => void attempt(() => restoreReminder(reminder)));
}
