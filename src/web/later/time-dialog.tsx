import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { fieldValueOf, momentOfField, sendTimes } from "../model/send-times";
import { Refusal } from "../net/refusal";
import { DialogForm, showDialog } from "../parts/dialog";
import { serverSeconds } from "../store/server-time";
import { laterWords } from "../words/later";

interface Asked {
  title: string;
  /** Words of the button that sends. */
  action: string;
  /** Moment that is proposed; tomorrow morning where none is given. */
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

/** The moment that is proposed first: tomorrow morning. */
export function proposed(): Date {
  const now = serverNow();
  return sendTimes(now).find(({ name }) => name === "tomorrow")?.at ?? now;
}

const serverNow = (): Date => new Date(serverSeconds() * 1_000);

/** The moment of a field; refused where it is over, or no moment. */
export const toCome = (value: string): Date => stillToCome(momentOfField(value));

/** A moment; refused where it is over, or none. */
export function stillToCome(moment: Date | undefined): Date {
  if (!moment || moment <= serverNow()) throw new Refusal(400, "BAD_REQUEST", laterWords.pastTime);
  return moment;
}

interface TimeFieldProps {
  value: string;
  set: (value: string) => void;
  children?: ComponentChildren;
}

/** A field for a date and a time, in the zone of the reader. */
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
