import { openApp } from "../../../src/app";
import { loadConfig } from "../../../src/config/config";
import { makeLog } from "../../../src/core/log";
import { serve } from "../../../src/server";
import { makeFakeClock } from "../fake-clock";

/**
 * A whole server on some data at some time, as a process of its own that can be killed. Its
 * argument is a `Serving`.
 */
export interface Serving {
  dataFolder: string;
  databaseUrl: string | undefined;
  /** UNIX seconds at which its clock stands still. */
  now: number;
  /** Seconds that pass at once when it has begun its background work; none if left out. */
  passes?: number;
  /** Config values by name. */
  flags: Record<string, string>;
}

if (import.meta.main) {
  const {
    dataFolder,
    databaseUrl,
    now,
    passes = 0,
    flags,
  }: Serving = JSON.parse(process.argv[2] ?? "");
  const clock = makeFakeClock(now);
  const given = { host: "127.0.0.1", port: "0", data: dataFolder, database: databaseUrl };
  const app = await openApp(
    loadConfig({ ...given, requests_per_minute_per_key: "0", ...flags }, undefined, {}),
    {
      clock,
      log: makeLog(clock, "warn", (line) => console.warn(line)),
      exit: (code) => process.exit(code),
    },
  );
  const http = await serve(app);
  app.startBackground();
  console.log(`chatd is ready at http://127.0.0.1:${http.port}`);
  if (passes > 0) {
    await app.jobs.settled();
    clock.advance(passes);
  }
}
