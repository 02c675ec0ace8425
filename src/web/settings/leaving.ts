import { wait } from "../net/pause";
import { forgetAll } from "../offline/kept-store";
import { rarePart } from "../parts/rare";

/** A push service or a server that does not answer keeps nobody from leaving. */
const leaveMilliseconds = 3_000;

/** Ends what this browser has of the person: pushes, and all that is kept for being offline. */
export const leaveNothing = (): Promise<unknown> =>
  Promise.race([Promise.all([endPush(), forgetAll()]), wait(leaveMilliseconds)]);

async function endPush(): Promise<void> {
  const part = await rarePart("notifications");
  await part?.endPush().catch(() => undefined);
}
