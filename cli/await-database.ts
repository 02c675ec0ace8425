import type { RunningApp } from "../src/app";
import type { Config } from "../src/config/config";
import { systemClock } from "../src/core/clock";
import type { Log } from "../src/core/log";
import { isPassing } from "../src/core/storage/database-trouble";
import { databaseUnavailable } from "../src/core/storage/storage-errors";
import type { HttpServer } from "../src/http/serve";

const pauseMilliseconds = 1_000;

interface Waiting {
  config: Config;
  log: Log;
  server: Pick<HttpServer, "refuse">;
  /** Resolves when the server must stop. */
  stop: Promise<void>;
}

/**
 * Opens the data. If PostgreSQL does not answer yet, for example because both are started together,
 * this waits up to `database_wait_seconds`: requests are refused meanwhile, and the log has one
 * line. Undefined if the server was stopped before PostgreSQL answered.
 */
export async function openWhenReachable(
  { config, log, server, stop }: Waiting,
  open: () => Promise<RunningApp>,
): Promise<RunningApp | undefined> {
  const startedAt = systemClock.now();
  let isStopping = false;
  void stop.then(() => {
    isStopping = true;
  });
  for (let isTold = false; !isStopping; isTold = true) {
    try {
      const app = await open();
      if (isTold) log.warn("database_back", { seconds: systemClock.now() - startedAt });
      return app;
    } catch (error) {
      const mayWait = systemClock.now() < startedAt + config.databaseWaitSeconds;
      if (!isPassing(error) || !mayWait) throw error;
      if (!isTold) {
        log.warn("database_awaited", {
          why: String(error),
          seconds_max: config.databaseWaitSeconds,
        });
        server.refuse(databaseUnavailable("away"));
      }
    }
    await Promise.race([
      stop,
      new Promise<void>((resolve) => systemClock.after(pauseMilliseconds, resolve)),
    ]);
  }
  return undefined;
}
