import { signal } from "@preact/signals";
import { Refusal } from "../net/refusal";
import { words } from "../words/words";

/** A short text about what has happened. It is shown for some seconds. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  /** Undoes what has happened; undefined if it cannot be undone. */
  readonly undo?: (() => void) | undefined;
  /** The place that the notice is about. */
  readonly link?: { readonly name: string; readonly href: string };
}

/** The greatest number of notices that are shown. Newer ones replace older ones. */
const noticesMax = 3;
let newestId = 0;

export const notices = signal<readonly Notice[]>([]);

/** Shows the person a notice, with Undo if there is a way. */
export const notify = (text: string, undo?: () => void): void => show({ text, undo });

/** Shows the person a notice, with a link to the place that it is about. */
export const notifyWithLink = (text: string, name: string, href: string): void =>
  show({ text, link: { name, href } });

function show(notice: Omit<Notice, "id">): void {
  newestId += 1;
  notices.value = [...notices.value.slice(1 - noticesMax), { ...notice, id: newestId }];
}

export function dismissNotice(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** The server's text of a refusal. Errors that are not refusals are thrown again. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Refusal)) throw error;
  const { status, code, message } = error;
  if (status === 413 && code === ofAnother) return words.actions.proxyTooLarge;
  return status === 0 || isOfProxy(error) || message === "" ? words.actions.unreachable : message;
}

/** The code of a refusal that is not the server's own, but that of a proxy before it. */
const ofAnother = "UNKNOWN";

/** Whether a proxy has answered, because it could not reach the server. */
const isOfProxy = ({ status, code }: Refusal): boolean => status >= 500 && code === ofAnother;

/** Runs a request and shows its refusal as a notice. Returns whether it succeeded. */
export async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    notify(reasonOf(error));
    return false;
  }
}
