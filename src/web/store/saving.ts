import { effect, signal } from "@preact/signals";
import { reasonOf } from "./notices";

/** The state of the newest change that was made with a control. */
export type Saving =
  | { readonly kind: "saving" | "saved" }
  | { readonly kind: "refused"; readonly why: string };

const savings = signal<ReadonlyMap<string, Saving>>(new Map());
/** Changes by control. Each waits for the one before it. */
const ends = new Map<string, Promise<boolean>>();
const newest = new Map<string, () => Promise<unknown>>();

/** The state of a control's newest change; undefined if nothing was changed. */
export const savingOf = (control: string): Saving | undefined => savings.value.get(control);

function note(control: string, saving: Saving | undefined): void {
  const all = new Map(savings.peek());
  if (saving) all.set(control, saving);
  else all.delete(control);
  savings.value = all;
}

/** Forgets the states, because the person has left the controls. */
export function forgetSavings(): void {
  savings.value = new Map([...savings.peek()].filter(([, { kind }]) => kind === "saving"));
}

/**
 * Saves a change of a control; returns whether the server has accepted it. Changes of one control
 * are sent one after the other. A waiting change that is replaced by a newer one is never sent.
 */
export function save(control: string, send: () => Promise<unknown>): Promise<boolean> {
  newest.set(control, send);
  note(control, { kind: "saving" });
  const end = sendAfter(ends.get(control), control, send);
  ends.set(control, end);
  return end;
}

async function sendAfter(
  before: Promise<boolean> | undefined,
  control: string,
  send: () => Promise<unknown>,
): Promise<boolean> {
  await before;
  const isNewest = () => newest.get(control) === send;
  if (!isNewest()) return false;
  try {
    await send();
    if (isNewest()) note(control, { kind: "saved" });
    return true;
  } catch (error) {
    if (isNewest()) note(control, { kind: "refused", why: reasonOf(error) });
    return false;
  }
}

/** The time within which an event arrives, if it arrives at all. */
const eventMilliseconds = 5_000;

/** Waits until events have confirmed a change that the server has accepted. */
export async function untilTold(isTold: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, eventMilliseconds);
  const stop = effect(() => {
    if (isTold()) resolve();
  });
  await promise;
  stop();
  clearTimeout(timer);
}

/**
 * Saves as `save`, and waits until events have told of the change where the server has taken it.
 */
export async function saveUntilTold(
  control: string,
  send: () => Promise<unknown>,
  isTold: () => boolean,
): Promise<boolean> {
  const isTaken = await save(control, send);
  if (isTaken) await untilTold(isTold);
  return isTaken;
}
