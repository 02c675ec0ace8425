import { type Trouble, troubleOf, UnknownOutcomeError } from "../../../db/trouble";
import type { App } from "../context";
import type { ApiError } from "../errors";
import { describeError, type LogFields, tellFailure } from "../log";
import { perServer } from "../per-server";
import { databaseUnavailable, outcomeUnknown } from "./storage-errors";
import { storageRefusal } from "./storage-failure";

/** One kind of trouble is logged once in this time, however many requests fail because of it. */
const quietSeconds = 60;

/**
 * Sentences for the operator: the trouble, and how to fix it. The engine itself logs that
 * PostgreSQL does not answer.
 */
const advice: Record<Exclude<Trouble, "away">, string> = {
  crowded:
    "PostgreSQL takes no more connections: raise its max_connections, or lower database_connections_max of the nodes.",
  read_only: "PostgreSQL is a standby, or read-only: let `database` name the primary server.",
  full: "The disk of PostgreSQL is full: make room on it.",
  busy: "A write has waited for ten seconds for another node or command that is working on the organization.",
};

/** When each kind of trouble was last logged. */
const toldAt = perServer(() => new Map<Trouble, number>());

/** Whether work failed because the database does not answer. */
export const isDatabaseAway = (error: unknown): boolean => troubleOf(error) === "away";

/** Whether a statement failed because of the state of the database: it would succeed later. */
export const isTroubleOfDatabase = (error: unknown): boolean =>
  troubleOf(error) !== undefined || storageRefusal(error)?.code === "INSUFFICIENT_STORAGE";

/** Whether trouble with the database is likely to pass by itself, so that waiting helps. */
export const isPassing = (error: unknown): boolean =>
  ["away", "crowded"].includes(troubleOf(error) ?? "");

/**
 * The refusal of a request that failed because of the database; undefined where the error is no
 * trouble of the database. Each kind of trouble is logged once a minute, not for each request.
 */
export function refusalOfDatabase(app: App, error: unknown): ApiError | undefined {
  const trouble = tellTrouble(app, error);
  if (trouble === undefined) return undefined;
  if (error instanceof UnknownOutcomeError) return outcomeUnknown();
  return databaseUnavailable(trouble);
}

/**
 * Logs an error that ended some of the server's own work. A full disk and trouble with the database
 * are logged once with advice, because much of that work is repeated each second.
 */
export function tellOwnFailure(
  app: App,
  level: "warn" | "error",
  event: string,
  error: unknown,
  fields: LogFields = {},
): void {
  if (app.storage.report(error) || tellTrouble(app, error) !== undefined) return;
  tellFailure(app.log[level], event, error, fields);
}

function tellTrouble(app: App, error: unknown): Trouble | undefined {
  const trouble = troubleOf(error);
  if (trouble !== undefined && trouble !== "away") tellRarely(app, trouble, error);
  return trouble;
}

function tellRarely(app: App, trouble: Exclude<Trouble, "away">, error: unknown) {
  const toldAtByTrouble = toldAt.of(app);
  const now = app.clock.now();
  if (now < (toldAtByTrouble.get(trouble) ?? Number.NEGATIVE_INFINITY) + quietSeconds) return;
  toldAtByTrouble.set(trouble, now);
  const { cause } = describeError(error);
  app.log.error(`database_${trouble}`, { advice: advice[trouble], cause });
}
