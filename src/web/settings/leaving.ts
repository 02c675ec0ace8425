import { wait } from "../net/backoff";
import { forgetAll } from "../offline/kept-store";
import { rarePart } from "../parts/rare";
import { forgetEmojiUse } from "../store/emoji-use";
import { forgetSearches } from "../store/kept-searches";
import { forgetStoredDrafts } from "../store/stored-drafts";

let isMeant = false;
// A page that the browser has kept and shows again reloads.
addEventListener("pageshow", () => {
  isMeant = false;
});

/** Whether the person is ending the session themselves, so that its end is no surprise to them. */
export const isLeaving = (): boolean => isMeant;

/** Runs a request that ends the session. If it is refused, the session continues. */
export async function leaveBy(request: () => Promise<unknown>): Promise<void> {
  isMeant = true;
  try {
    await request();
  } catch (error) {
    isMeant = false;
    throw error;
  }
}

/** The time for which a sign-out waits for a push service or a server that does not answer. */
const leaveMilliseconds = 3_000;

/**
 * Removes what this browser has of the person: pushes, everything that is stored for reading
 * offline, searches, used emoji, and drafts that the server has. Texts that only this browser has
 * stay, because they would be lost.
 */
export async function clearBrowserData(): Promise<void> {
  await Promise.race([Promise.all([endPush(), forgetAll()]), wait(leaveMilliseconds)]);
  // These come last, because events that arrive before would bring drafts back.
  forgetSearches();
  forgetEmojiUse();
  forgetStoredDrafts();
}

async function endPush(): Promise<void> {
  const part = await rarePart("notifications");
  await part?.endPush().catch(() => undefined);
}
