import { wait } from "../net/pause";
import { forgetAll } from "../offline/kept-store";
import { rarePart } from "../parts/rare";

let isMeant = false;
// A page that the browser has kept, and shows again, begins anew.
addEventListener("pageshow", () => {
  isMeant = false;
});

/** Whether the person ends the session by themselves, so that its end is no news to them. */
export const isLeaving = (): boolean => isMeant;

/** Runs a request that ends the session. A refusal of it leaves the session as it is. */
export async function leaveBy(request: () => Promise<unknown>): Promise<void> {
  isMeant = true;
  try {
    await request();
  } catch (error) {
    isMeant = false;
    throw error;
  }
}

/** A push service or a server that does not answer keeps nobody from leaving. */
const leaveMilliseconds = 3_000;

/** Ends what this browser has of the person: pushes, and all that is kept for being offline. */
export const clearBrowserData = (): Promise<unknown> =>
  Promise.race([Promise.all([endPush(), forgetAll()]), wait(leaveMilliseconds)]);

async function endPush(): Promise<void> {
  const part = await rarePart("notifications");
  await part?.endPush().catch(() => undefined);
}
