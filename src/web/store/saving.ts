import { effect, signal } from "@preact/signals";
import { reasonOf } from "./notices";

/** State of the newest change that was made by a control. */
export type Saving =
  | { readonly kind: "saving" | "saved" }
  | { readonly kind: "refused"; readonly why: string };

const savings = signal<ReadonlyMap<string, Saving>>(new Map());
/** Changes by their controls: each waits for the one before it. */
const ends = new Map<string, Promise<boolean>>();
const newest = new Map<string, () => Promise<unknown>>();

/** State of the newest change of a control; undefined where nothing was changed. */
export const savingOf = (control: string): Saving | undefined => savings.value.get(control);

function note(control: string, saving: Saving | undefined): void {
  const all = new Map(savings.peek());
  if (saving) all.set(control, saving);
  else all.delete(control);
  savings.value = all;
}

/** Forgets how changes went, because the person has left their controls. */
export function forgetSavings(): void {
  savings.value = new Map([...savings.peek()].filter(([, { kind }]) => kind === "saving"));
}

/**
 * Sends a change of a control; answers whether the server has taken it. Changes of one control go
 * out one after the other, and those in between that were changed again never do.
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

/** An event that has not come in this time does not come any more. */
const eventMilliseconds = 5_000;

/** Waits until the events have told of a change that the server has taken. */
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
