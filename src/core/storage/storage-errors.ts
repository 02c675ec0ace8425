import type { Trouble } from "../../../db/trouble";
import { ApiError } from "../errors";

/** The troubles of PostgreSQL as texts for clients, with the seconds to wait. */
const databaseTroubles: Record<Trouble, { message: string; status: number; waitSeconds: number }> =
  {
    away: {
      message: "The server's database does not answer at the moment. Try again in a few seconds.",
      status: 503,
      waitSeconds: 2,
    },
    crowded: {
      message:
        "The server's database takes no more connections at the moment. Try again in a few seconds.",
      status: 503,
      waitSeconds: 5,
    },
    read_only: {
      message: "The server's database can only be read at the moment. Try again in a minute.",
      status: 503,
      waitSeconds: 60,
    },
    full: {
      message:
        "The server's database has no room left. Ask the operator of the server to make room, then try again.",
      status: 507,
      waitSeconds: 60,
    },
    busy: {
      message: "A long change of the organization is running. Try again in a few seconds.",
      status: 503,
      waitSeconds: 5,
    },
  };

/**
 * PostgreSQL cannot do the request at the moment; HTTP also sends a header with the time to wait.
 */
export function databaseUnavailable(trouble: Trouble) {
  const { message, status, waitSeconds } = databaseTroubles[trouble];
  return new ApiError("DATABASE_UNAVAILABLE", message, status, { "retry-after": waitSeconds });
}

/**
 * PostgreSQL was lost while a change was being stored. There is no time to wait, because a request
 * that is repeated may take effect twice.
 */
export const outcomeUnknown = () =>
  new ApiError(
    "DATABASE_UNAVAILABLE",
    "The server's database was lost while your change was being stored. Check whether it is there before you send it again.",
    503,
  );

/** Seconds until an operator has usually made room. */
const roomWaitSeconds = 30;

/** The disk has no room for the data, so none of it was stored (RFC 4918, 11.5). */
export const insufficientStorage = () =>
  new ApiError(
    "INSUFFICIENT_STORAGE",
    "The server's disk is full: nothing can be stored at the moment, reading works. Try again later, or tell the operator of the server.",
    507,
    { "retry-after": roomWaitSeconds },
  );

/** The disk returned other data than was stored. */
export const storageDamaged = () =>
  new ApiError(
    "STORAGE_DAMAGED",
    "The stored data for this is damaged. Tell the operator of the server: the server's log says what to do.",
    500,
  );
