import { signal } from "@preact/signals";
import { Refusal } from "../net/refusal";
import { words } from "../words/words";

/** A short text about what has happened, for some seconds. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  /** Takes back what has happened; undefined where that cannot be. */
  readonly undo: (() => void) | undefined;
}

/** So many are shown: older ones give way. */
const noticesMax = 3;
let newestId = 0;

export const notices = signal<readonly Notice[]>([]);

/** Tells the person something, with a way to take it back where there is one. */
export function notify(text: string, undo?: () => void): void {
  newestId += 1;
  notices.value = [...notices.value.slice(1 - noticesMax), { id: newestId, text, undo }];
}

export function dismissNotice(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** The reason of a refusal in the server's words; errors that are no refusals are thrown on. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Refusal)) throw error;
  const { status, message } = error;
  return status === 0 || isOfProxy(error) || message === "" ? words.actions.unreachable : message;
}

/** Whether a proxy has answered, because the server behind it did not: the server names a code. */
const isOfProxy = ({ status, code }: Refusal): boolean => status >= 500 && code === "UNKNOWN";

/** Asks something of the server and tells its refusal; answers whether it was done. */
export async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    notify(reasonOf(error));
    return false;
  }
}
