import { badRequest } from "../core/errors";

/** Nobody means a later time: what is given in milliseconds is. */
const latestTimestamp = 4_102_444_800;

/**
 * Refuses (BAD_REQUEST) a time that is not to come, or is not given in UNIX seconds. `what` begins
 * the refusal: "The time to …".
 */
export function requireToCome(what: string, at: number, now: number) {
  if (at <= now) throw badRequest(`${what} must be in the future.`);
  if (at > latestTimestamp) throw badRequest(`${what} is given in UNIX seconds.`);
}
