import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { fieldValueOf, momentOfField, sendTimes } from "../model/send-times";
import { refusedHere } from "../net/refusal";
import { DialogForm, showDialog } from "../parts/dialog";
import { serverNow } from "../store/server-time";
import { laterWords } from "../words/later";

interface Asked {
  title: string;
  /** Label of the button that sends. */
  action: string;
  /** The proposed moment; tomorrow morning if none is given. */
  at?: Date;
  send(at: Date): Promise<unknown>;
}

/** Asks for a date and a time. */
export const openTimeDialog = (asked: Asked): void =>
  showDialog({ title: asked.title, body: () => <TimeForm {...asked} /> });

function TimeForm({ action, at, send }: Asked) {
  const [value, setValue] = useState(fieldValueOf(at ?? proposed()));
  return (
    <DialogForm action={action} send={() => send(toCome(value))}>
      <TimeField value={value} set={setValue} />
    </DialogForm>
  );
}

/** The proposed moment: tomorrow morning. */
export function proposed(): Date {
  const now = serverNow();
  return sendTimes(now).find(({ name }) => name === "tomorrow")?.at ?? now;
}

/** The moment in a field; refused if it has passed or is not valid. */
export const toCome = (value: string): Date => stillToCome(momentOfField(value));

/** A moment; refused if it has passed or is undefined. */
export function stillToCome(moment: Date | undefined): Date {
  if (!moment || moment <= serverNow()) throw refusedHere(laterWords.pastTime);
  return moment;
}

interface TimeFieldProps {
  value: string;
  set: (value: string) => void;
  children?: ComponentChildren;
}

/** A date and time field, in the reader's time zone. */
export const TimeField = ({ value, set }: TimeFieldProps) => (
  <label class="labelled">
    {laterWords.when}
    <input
      class="field"
      type="datetime-local"
      required
      min={fieldValueOf(serverNow())}
      value={value}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  </label>
);
