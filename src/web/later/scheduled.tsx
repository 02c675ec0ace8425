import { recipientOfScheduled } from "../model/scheduled";
import { fieldValueOf } from "../model/send-times";
import type { ScheduledMessage } from "../model/wire";
import { refusedHere } from "../net/refusal";
import { useBegunForm } from "../parts/begun-form";
import { DialogForm, showDialog } from "../parts/dialog";
import { TargetName } from "../parts/target-name";
import { tooLong } from "../store/message-length";
import { moments } from "../store/moments";
import { attempt, notify, reasonOf } from "../store/notices";
import {
  changeScheduled,
  keepAsDraft,
  restoreScheduled,
  scheduledInOrder,
  sendScheduledNow,
  unschedule,
} from "../store/scheduled";
import { laterWords } from "../words/later";
import { words } from "../words/words";
import { excerptOf, KeptAction, KeptList } from "./kept-list";
import { TimeField, toCome } from "./time-dialog";

/** The person's scheduled messages, with the actions for each. */
export const Scheduled = () => (
  <KeptList
    label={words.views.scheduled}
    rows={scheduledInOrder.value}
    none={laterWords.scheduled}
    draw={(message) => <ScheduledLine key={message.scheduled_message_id} message={message} />}
  />
);

const momentOf = ({ scheduled_delivery_timestamp: seconds }: ScheduledMessage): Date =>
  new Date(seconds * 1_000);

function ScheduledLine({ message }: { message: ScheduledMessage }) {
  const { content, failed } = message;
  const at = momentOf(message);
  const excerpt = excerptOf(content);
  return (
    <li>
      <div class="to">
        <TargetName target={recipientOfScheduled(message)} />
        <time dateTime={at.toISOString()}>{moments.value.near(at)}</time>
      </div>
      <p class="text" dir="auto">
        {content}
      </p>
      {failed && <p class="refusal">{laterWords.failed}</p>}
      <div class="choices">
        <KeptAction
          name={laterWords.sendNow}
          label={laterWords.sendNowNamed(excerpt)}
          run={() => void sendNow(message)}
        />
        <KeptAction
          name={laterWords.change}
          label={laterWords.changeNamed(excerpt)}
          run={() => openChange(message)}
        />
        <KeptAction
          name={laterWords.remove}
          label={laterWords.removeNamed(excerpt)}
          run={() => void deleteScheduled(message)}
        />
      </div>
    </li>
  );
}

async function sendNow(message: ScheduledMessage): Promise<void> {
  if (await attempt(() => sendScheduledNow(message))) notify(laterWords.sendsNow);
}

async function deleteScheduled(message: ScheduledMessage): Promise<void> {
  if (!(await attempt(() => unschedule(message.scheduled_message_id)))) return;
  notify(laterWords.scheduled.deleted, () => void restore(message));
}

/** Schedules a deleted message again. If its time has passed, its text becomes a draft. */
async function restore(message: ScheduledMessage): Promise<void> {
  try {
    await restoreScheduled(message);
  } catch (error) {
    keepAsDraft(recipientOfScheduled(message), message.content);
    notify(laterWords.keptAsDraft(reasonOf(error)));
  }
}

interface Changed {
  readonly content: string;
  /** The value of the date and time field. */
  readonly when: string;
}

const openChange = (message: ScheduledMessage): void =>
  showDialog({
    title: laterWords.scheduled.edit,
    body: () => <ChangeForm message={message} />,
  });

function ChangeForm({ message }: { message: ScheduledMessage }) {
  const { scheduled_message_id: id, failed } = message;
  const { form, set, end } = useBegunForm<Changed>(`scheduled ${id}`, {
    content: message.content,
    when: failed ? "" : fieldValueOf(momentOf(message)),
  });
  const send = async () => {
    const over = tooLong(form.content);
    if (over !== undefined) throw refusedHere(over);
    await changeScheduled(message, { content: form.content, at: toCome(form.when) });
    end();
  };
  return (
    <DialogForm action={words.actions.save} send={send}>
      <label class="labelled">
        {laterWords.scheduled.text}
        <textarea
          class="field"
          dir="auto"
          rows={6}
          value={form.content}
          onInput={({ currentTarget }) => set({ content: currentTarget.value })}
        />
      </label>
      <TimeField value={form.when} set={(when) => set({ when })} />
    </DialogForm>
  );
}
