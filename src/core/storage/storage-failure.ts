import type { Clock } from "../clock";
import { codeOf } from "../error-code";
import type { ApiError } from "../errors";
import { describeError, type Log } from "../log";
import { insufficientStorage, storageDamaged } from "./storage-errors";

/** A failure of a disk: it is full, or it returned other data than was written. */
type StorageFailure = "full" | "damaged";

/**
 * Error codes of SQLite, of the system and of PostgreSQL (its appendix A), by prefix. A full disk
 * of PostgreSQL is among its other troubles.
 */
const codes: readonly [begin: string, failure: StorageFailure][] = [
  ["SQLITE_FULL", "full"],
  ["SQLITE_IOERR_SHMSIZE", "full"],
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
  ["SQLITE_CORRUPT", "damaged"],
  ["SQLITE_NOTADB", "damaged"],
  ["SQLITE_IOERR_READ", "damaged"],
  ["SQLITE_IOERR_SHORT_READ", "damaged"],
  ["SQLITE_IOERR_CORRUPTFS", "damaged"],
  ["SQLITE_IOERR_DATA", "damaged"],
  ["EIO", "damaged"],
  ["FILE_DAMAGED", "damaged"],
  ["XX001", "damaged"],
  ["XX002", "damaged"],
  ["58030", "damaged"],
];

/** The first error, among an error and its causes, that comes from a disk, with its kind. */
function findFailure(
  error: unknown,
): { failure: StorageFailure; origin: Error; code: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  const match = codes.find(([begin]) => code.startsWith(begin));
  return match ? { failure: match[1], origin: error, code } : findFailure(error.cause);
}

const whatToDo = {
  full: "Nothing more can be stored there, but reading works. Make room; the server then continues by itself.",
  damaged:
    "Stop the server and copy the data folder as it is. Check it with: chatd admin check. If it reports a problem, restore a " +
    "backup: chatd admin restore",
};

/** The refusal for an error that comes from a disk; undefined for any other. */
export function storageRefusal(error: unknown): ApiError | undefined {
  const found = findFailure(error);
  return found && (found.failure === "full" ? insufficientStorage() : storageDamaged());
}

/** The operator's text for such an error; undefined for any other. */
export function storageFailureText(
  error: unknown,
): { code: ApiError["code"]; text: string } | undefined {
  const found = findFailure(error);
  if (!found) return undefined;
  // Some errors add the place to the cause; others add the query with its values, which must not be
  // shown.
  const origin = found.origin.message;
  const message = error instanceof Error && error.message.includes(origin) ? error.message : origin;
  return found.failure === "full"
    ? {
        code: "INSUFFICIENT_STORAGE",
        text: `The disk is full (${message}). Make room, then try again.`,
      }
    : { code: "STORAGE_DAMAGED", text: `The data is damaged: ${message}. ${whatToDo.damaged}` };
}

/** A place where data is stored; each may be on its own disk. */
type StoragePlace = "database" | "files";

const placeOf = (code: string): StoragePlace => (/^[EF]/.test(code) ? "files" : "database");

/**
 * A full disk sometimes accepts a small write, so it counts as having room only after this time
 * without a refusal.
 */
const quietMilliseconds = 10_000;
/** Number of different damages that are logged, each once. */
const damagesMax = 100;

/** Logs each state of the disks once, however many requests meet it. */
export interface StorageReports {
  /** Logs an error that comes from a disk; answers whether it was one. */
  report(error: unknown): boolean;
  /** Notes that something was stored there. */
  stored(place: StoragePlace): void;
}

/** `places` are the locations of database and files, in words for the operator. */
export function makeStorageReports(
  log: Log,
  clock: Pick<Clock, "nowMilliseconds">,
  places: Readonly<Record<StoragePlace, string>>,
): StorageReports {
  const lastRefusals = new Map<StoragePlace, number>();
  const damages = new Set<string>();
  const tellFull = (place: StoragePlace, fields: object) => {
    const isKnown = lastRefusals.has(place);
    lastRefusals.set(place, clock.nowMilliseconds());
    if (!isKnown)
      log.error("disk_full", { where: places[place], ...fields, what_to_do: whatToDo.full });
  };
  const tellDamage = (place: StoragePlace, message: string, fields: object) => {
    const damage = `${place} ${message}`;
    if (damages.has(damage) || damages.size >= damagesMax) return;
    damages.add(damage);
    log.error("storage_damaged", { where: places[place], ...fields, what_to_do: whatToDo.damaged });
  };
  return {
    report(error) {
      const found = findFailure(error);
      if (!found) return false;
      const { failure, origin, code } = found;
      const place = placeOf(code);
      if (failure === "full") tellFull(place, { code, error: origin.message });
      else
        tellDamage(place, origin.message, { code, ...describeError(error), error: origin.message });
      return true;
    },
    stored(place) {
      const last = lastRefusals.get(place);
      if (last === undefined || clock.nowMilliseconds() - last < quietMilliseconds) return;
      lastRefusals.delete(place);
      log.info("disk_has_room", { where: places[place] });
    },
  };
}
