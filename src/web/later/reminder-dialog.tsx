import { noteOf } from "../model/scheduled";
import { fieldValueOf } from "../model/send-times";
import type { Reminder } from "../model/wire";
import { useBegunForm } from "../parts/begun-form";
import { DialogForm, showDialog } from "../parts/dialog";
import { moments } from "../store/moments";
import { notify } from "../store/notices";
import { changeReminder, remind } from "../store/reminders";
import { server } from "../store/state";
import { laterWords } from "../words/later";
import { words } from "../words/words";
import { proposed, TimeField, toCome } from "./time-dialog";

interface Asked {
  /** The name under which the form's values are kept. */
  form: string;
  at: Date;
  note: string;
  action: string;
  send(at: Date, note: string): Promise<unknown>;
}

/** Asks when to remind the person of a message. */
export const openReminder = (messageId: number): void =>
  open({
    form: `reminder of message ${messageId}`,
    at: proposed(),
    note: "",
    action: laterWords.remindAt,
    send: (at, note) => remind(messageId, at, note),
  });

/** Asks for another time or note of a reminder. */
export const openReminderChange = (reminder: Reminder): void =>
  open({
    form: `reminder ${reminder.reminder_id}`,
    at: new Date(reminder.scheduled_delivery_timestamp * 1_000),
    note: noteOf(reminder),
    action: words.actions.save,
    send: (at, note) => changeReminder(reminder, at, note),
  });

const open = (asked: Asked): void =>
  showDialog({ title: words.actions.remind, body: () => <ReminderForm {...asked} /> });

function ReminderForm({ form: name, at, note, action, send }: Asked) {
  const { form, set, end } = useBegunForm(name, { when: fieldValueOf(at), note });
  const submit = async () => {
    const moment = toCome(form.when);
    await send(moment, form.note);
    end();
    notify(laterWords.reminderSet(moments.value.near(moment)));
  };
  return (
    <DialogForm action={action} send={submit}>
      <TimeField value={form.when} set={(when) => set({ when })} />
      <label class="labelled">
        {laterWords.note}
        <textarea
          class="field"
          dir="auto"
          rows={2}
          maxLength={server.value.max_reminder_note_length}
          value={form.note}
          onInput={({ currentTarget }) => set({ note: currentTarget.value })}
        />
      </label>
    </DialogForm>
  );
}
