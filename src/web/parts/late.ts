import { effect, signal } from "@preact/signals";
import { pauseAfter, wait } from "../net/backoff";
import { loadPart } from "../net/build";
import { feedOf } from "../store/feeds";
import { place, shownKind } from "../store/place";
import { isConnected } from "../store/state";

/*
 * The client comes in two files. The first draws the rail, the head and the messages from the state
 * in the page; the second (`late/parts`) has the rest: the box, actions, keys, lists, and following
 * the events. Events wait in the person's queue on the server until it asks for them, so none is
 * lost, and both files begin with the state in the page.
 *
 * Code of the first file reads `lateParts.value` where it draws, and leaves a place free until the
 * parts are there; what a person does before then goes by `withLateParts`. It imports nothing but
 * types from files that belong to the second, or they would move into the first.
 */
type LateParts = typeof import("../late/parts");

/** The parts in the client's second file, once it is loaded. */
export const lateParts = signal<LateParts | undefined>(undefined);

const waiting: ((parts: LateParts) => void)[] = [];

/** Calls a function with the parts of the second file, now or when it is loaded. */
export function withLateParts(run: (parts: LateParts) => void): void {
  const parts = lateParts.peek();
  if (parts) run(parts);
  else waiting.push(run);
}

/** The second file does not wait longer than this for the messages. */
const waitMilliseconds = 2_000;

/** Loads the second file after the messages are drawn, because it would slow them down. */
export async function goOnWithLateParts(load: () => Promise<LateParts>): Promise<void> {
  await messagesHaveCome();
  const parts = await untilLoaded(load);
  // Texts that an earlier page has stored are loaded before the box is drawn.
  const end = parts.begin();
  lateParts.value = parts;
  for (const run of waiting.splice(0)) run(parts);
  await end;
}

async function untilLoaded(load: () => Promise<LateParts>): Promise<LateParts> {
  for (let failures = 1; ; failures += 1)
    try {
      const parts = await loadPart(load, "indispensable");
      if (failures > 1) isConnected.value = true;
      return parts;
    } catch (error) {
      // No events are followed, and nothing can be written, until this file is loaded.
      isConnected.value = false;
      console.warn("The rest of the client has not come:", error);
      await wait(pauseAfter(failures));
    }
}

function messagesHaveCome(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMilliseconds);
  const stop = effect(() => {
    const feed = shownKind() && feedOf(place.value.narrow);
    if (!feed || feed.isLoaded || feed.refusal !== undefined) resolve();
  });
  return promise.then(() => {
    stop();
    clearTimeout(timer);
  });
}
