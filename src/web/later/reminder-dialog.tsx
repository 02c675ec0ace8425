import { useState } from "preact/hooks";
import { noteOf } from "../model/scheduled";
import { fieldValueOf } from "../model/send-times";
import type { Reminder } from "../model/wire";
import { DialogForm, showDialog } from "../parts/dialog";
import { moments } from "../store/moments";
import { notify } from "../store/notices";
import { changeReminder, remind } from "../store/reminders";
import { server } from "../store/state";
import { laterWords } from "../words/later";
import { words } from "../words/words";
import { proposed, TimeField, toCome } from "./time-dialog";

interface Asked {
  at: Date;
  note: string;
  action: string;
  send(at: Date, note: string): Promise<unknown>;
}

/** Asks when the person is to be reminded of a message. */
export const openReminder = (messageId: number): void =>
  open({
    at: proposed(),
    note: "",
    action: laterWords.remindAt,
    send: (at, note) => remind(messageId, at, note),
  });

/** Asks for another time, or another note, of a reminder. */
export const openReminderChange = (reminder: Reminder): void =>
  open({
    at: new Date(reminder.scheduled_delivery_timestamp * 1_000),
    note: noteOf(reminder),
    action: words.actions.save,
    send: (at, note) => changeReminder(reminder, at, note),
  });

const open = (asked: Asked): void =>
  showDialog({ title: words.actions.remind, body: () => <ReminderForm {...asked} /> });

function ReminderForm({ at, note: noteBefore, action, send }: Asked) {
  const [when, setWhen] = useState(fieldValueOf(at));
  const [note, setNote] = useState(noteBefore);
  const submit = async () => {
    const moment = toCome(when);
    await send(moment, note);
    notify(laterWords.reminderSet(moments.value.near(moment)));
  };
  return (
    <DialogForm action={action} send={submit}>
      <TimeField value={when} set={setWhen} />
      <label class="labelled">
        {laterWords.note}
        <textarea
          class="field"
          dir="auto"
          rows={2}
          maxLength={server.value.max_reminder_note_length}
          value={note}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
        />
      </label>
    </DialogForm>
  );
}
