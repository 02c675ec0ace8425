import { wait } from "../net/pause";
import { forgetAll } from "../offline/kept-store";
import { rarePart } from "../parts/rare";
import { forgetStoredRows } from "../store/drafts";
import { forgetSearches } from "../store/kept-searches";
import { settings } from "../store/state";

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
 * offline, searches, and drafts that the server has. Texts that only this browser has stay, because
 * they would be lost.
 */
export function clearBrowserData(): Promise<unknown> {
  forgetSearches();
  // Drafts that are not synchronized would not come back from the server.
  if (settings.peek().enable_drafts_synchronization) forgetStoredRows();
  return Promise.race([Promise.all([endPush(), forgetAll()]), wait(leaveMilliseconds)]);
}

async function endPush(): Promise<void> {
  const part = await rarePart("notifications");
  await part?.endPush().catch(() => undefined);
}
