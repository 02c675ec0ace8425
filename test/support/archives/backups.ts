import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../../db/open";
import { openApp, type RunningApp } from "../../../src/app";
import { loadConfig } from "../../../src/config/config";
import { systemClock } from "../../../src/core/clock";
import { makeLog } from "../../../src/core/log";
import { makeBackup } from "../../../src/moving/backup/backup";
import { openOutput } from "../../../src/moving/backup/output";
import { type RestoreReport, restoreBackup } from "../../../src/moving/backup/restore";
import { serve } from "../../../src/server";
import { freshPlace } from "../databases/storage";
import type { FakeClock } from "../fake-clock";
import { scratchFolder } from "../scratch-folder";

const configOf = (
  { dataFolder: data, databaseUrl: database }: Place,
  more: Record<string, string> = {},
) => loadConfig({ host: "127.0.0.1", port: "0", data, database, ...more }, undefined, {});

/** A folder for backups, to be removed by the test. */
export function backupFolder() {
  const folder = mkdtempSync(join(scratchFolder(), "chatd-backups-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Backs up what is in a place into a new file. `before` is done before each piece that is written.
 */
export async function backUpInto(
  path: string,
  place: Place,
  now: number,
  before: (bytes: Uint8Array) => Promise<void> = async () => undefined,
) {
  const output = await openOutput(path);
  try {
    const sink = async (bytes: Uint8Array) => {
      await before(bytes);
      await output.sink(bytes);
    };
    const log = makeLog(systemClock, "error", () => undefined);
    const quiet = { progress: () => undefined, log };
    const surroundings = { sink, scratchFolder: join(path, ".."), now, ...quiet };
    const report = await makeBackup(configOf(place), surroundings);
    await output.keep();
    return report;
  } finally {
    await output.discard();
  }
}

/** Restores bytes, or a file, into a place. */
export function restoreInto(
  place: Place,
  backup: string | Uint8Array,
  { now = 0, replaces = false, isRepeatable = true, secret }: RestoreOptions = {},
): Promise<RestoreReport> {
  const open = () =>
    typeof backup === "string"
      ? Bun.file(backup).stream()
      : new Blob([Buffer.from(backup)]).stream();
  const config =
    secret === undefined ? configOf(place) : Object.freeze({ ...configOf(place), secret });
  return restoreBackup(config, { open, isRepeatable, replaces, now, progress: () => undefined });
}

interface RestoreOptions {
  now?: number;
  replaces?: boolean;
  isRepeatable?: boolean;
  secret?: string;
}

/** A server on a place, in this process. */
export interface RestoredServer {
  app: RunningApp;
  site: string;
  close(): Promise<void>;
}

/** Starts a server on what was restored, without limits on how much one may ask. */
export async function serveRestored(place: Place, clock: FakeClock): Promise<RestoredServer> {
  const limits = ["user", "key", "address"].map((whose) => [
    `requests_per_minute_per_${whose}`,
    "0",
  ]);
  const log = makeLog(clock, "warn", (line) => console.error(line));
  const exit = (code: number) => {
    throw new Error(`the server ended with ${code}`);
  };
  const app = await openApp(configOf(place, Object.fromEntries(limits)), { log, clock, exit });
  const http = await serve(app);
  return {
    app,
    site: `http://127.0.0.1:${http.port}`,
    async close() {
      app.events.close();
      await http.stop();
      await app.close();
    },
  };
}

/** A backup restored into a place of its own, for as long as `look` takes. */
export async function withRestored<Result>(
  backup: string | Uint8Array,
  clock: FakeClock,
  look: (server: RestoredServer, place: Place) => Promise<Result>,
): Promise<Result> {
  const place = await freshPlace();
  try {
    await restoreInto(place, backup, { now: clock.now() });
    if (place.databaseUrl === undefined) requireIntegrity(join(place.dataFolder, "chatd.db"));
    const server = await serveRestored(place, clock);
    return await look(server, place).finally(() => server.close());
  } finally {
    await place.remove();
  }
}

function requireIntegrity(path: string) {
  const file = new Database(path);
  const [[answer] = []] = file.query("PRAGMA integrity_check").values();
  file.close();
  if (answer !== "ok") throw new Error(`the restored database is damaged: ${answer}`);
}
