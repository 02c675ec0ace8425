import { badRequest } from "../core/errors";

/** The year 2100: a later time was most likely given in milliseconds. */
const latestTimestamp = 4_102_444_800;

/**
 * Refuses (BAD_REQUEST) a time that is not in the future or not in UNIX seconds. `what` is the
 * subject of the refusal: "The time to …".
 */
export function requireToCome(what: string, at: number, now: number) {
  if (at <= now) throw badRequest(`${what} must be in the future.`);
  if (at > latestTimestamp) throw badRequest(`${what} is given in UNIX seconds.`);
}
