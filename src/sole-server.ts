import {
  findLockHolder,
  isHolderStopping,
  type ServerLock,
  takeServerLock,
} from "../db/server-lock";
import type { Config } from "./config/config";
import { steadyMilliseconds, systemClock } from "./core/clock";
import { describeError, type Log } from "./core/log";

/**
 * Time for another server to end after it has stopped accepting requests: 10 seconds for requests
 * in progress, and more to close the data.
 */
const endSeconds = 20;
const pauseMilliseconds = 100;

interface Waiting {
  log: Log;
  /** Resolves when this server must stop. */
  stop: Promise<void>;
}

/** Whether a server that is stopping may still use the data folder. PostgreSQL needs no waiting. */
export const isOtherStopping = ({ database, data }: Config): boolean =>
  database === undefined && isHolderStopping(data);

/**
 * Makes this server the only one on its data folder, which SQLite needs. Refuses if another server
 * runs there. If that server is stopping, this waits until it has ended: `drain_seconds` and 20
 * seconds at most. Answers the function that lets the next server in; undefined if this server was
 * stopped before.
 */
export async function becomeSoleServer(
  config: Config,
  { log, stop }: Waiting,
): Promise<(() => void) | undefined> {
  if (config.database !== undefined) return noteSharing(config, log);
  let isStopping = false;
  void stop.then(() => {
    isStopping = true;
  });
  const secondsMax = config.drainSeconds + endSeconds;
  const endsAt = steadyMilliseconds() + secondsMax * 1_000;
  for (let isTold = false; !isStopping; isTold = true) {
    const mayWait = isHolderStopping(config.data);
    const lock = takeLock(config, log);
    if (lock) {
      void stop.then(lock.noteStopping);
      return lock.release;
    }
    if (!mayWait) throw new Error(inUse(config));
    if (steadyMilliseconds() > endsAt) throw new Error(stillStopping(config, secondsMax));
    if (!isTold) log.warn("other_server_awaited", awaited(config, secondsMax));
    const pause = new Promise<void>((resolve) => systemClock.after(pauseMilliseconds, resolve));
    await Promise.race([stop, pause]);
  }
  return undefined;
}

/**
 * On PostgreSQL servers may share a data folder, but its note of the port has room for one.
 * Commands read it for the address of their links where none is configured, so that matters there
 * alone.
 */
function noteSharing({ data, url }: Config, log: Log): () => void {
  if (url !== undefined) return () => undefined;
  try {
    const lock = takeServerLock(data);
    if (lock) return lock.release;
    const what =
      "Another server uses this data folder, too. Links that commands print lead to the server that started last. Set url, or give each server a data folder of its own.";
    log.warn("data_shared", { data, what });
  } catch {
    // Without a lock nobody can tell whether there is another server.
  }
  return () => undefined;
}

/** A server starts without the lock if the disk refuses it, as the data may still be usable. */
function takeLock({ data }: Config, log: Log): ServerLock | undefined {
  try {
    return takeServerLock(data);
  } catch (error) {
    const what = "Nothing keeps a second server from starting on this data folder.";
    log.warn("data_not_locked", { data, what, ...describeError(error) });
    return { noteStopping: () => undefined, release: () => undefined };
  }
}

function nameServer(data: string, processId: number | undefined): string {
  const which = processId === undefined ? "" : ` (process ${processId})`;
  return `Another chatd server${which} on the data folder ${data}`;
}

function inUse({ data }: Config): string {
  const processId = findLockHolder(data);
  const words =
    `${nameServer(data, processId)} is running, and a data folder is for one server. Stop that server first, or choose another folder with --data. ` +
    "To run several servers on one database, use PostgreSQL: docs/several-nodes.md.";
  return processId === undefined
    ? `${words} If none runs there, not even in another container, the file system gives no locks, which SQLite needs: move the data to another one.`
    : words;
}

const stillStopping = ({ data }: Config, seconds: number): string =>
  `${nameServer(data, findLockHolder(data))} is stopping, but has not ended within ${seconds} seconds. ` +
  "Wait until it has ended, or end it. Then start this server again.";

const awaited = ({ data }: Config, secondsMax: number) => ({
  data,
  process: findLockHolder(data),
  seconds_max: secondsMax,
  what: "Another server on this data folder is stopping. This one starts as soon as that one has ended.",
});
