import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { openApp } from "../../../src/app";
import { loadConfig } from "../../../src/config/config";
import { makeLog } from "../../../src/core/log";
import { beginRerendering } from "../../../src/messages/rendering/rerender";
import { assembleCast, type Cast } from "../cast";
import { makeFakeClock } from "../fake-clock";
import { readContents, reset } from "./seeded-rows";

/**
 * A world's data before anything happens in it, made once for a pass of the suite: a copy takes a
 * fraction of the time. In its folder are the data folder, the cast, and on PostgreSQL the name of
 * the database that is copied.
 */
export interface Seed {
  cast: Cast;
  dataFolder: string;
  database: string | undefined;
}

const castFile = "cast.json";
const databaseName = "database";

/**
 * Makes a seed in an empty folder; on PostgreSQL in an empty database, which nobody may be
 * connected to afterwards.
 */
export async function makeSeed(folder: string, databaseUrl?: string): Promise<void> {
  const data = join(folder, "data");
  mkdirSync(data, { recursive: true });
  const clock = makeFakeClock();
  const log = makeLog(clock, "error", (line) => console.error(line));
  const config = loadConfig({ data, database: databaseUrl }, undefined, {});
  const app = await openApp(config, { log, clock, exit: (code) => process.exit(code) });
  const cast = await assembleCast(app);
  // A server notes it at its first start.
  await beginRerendering(app);
  await app.close();
  if (databaseUrl !== undefined) await putInOrder(databaseUrl);
  writeFileSync(join(folder, castFile), JSON.stringify(cast));
  if (databaseUrl !== undefined)
    writeFileSync(join(folder, databaseName), new URL(databaseUrl).pathname.slice(1));
}

/** Puts the rows in as they are put back later, so that all worlds begin alike. */
async function putInOrder(databaseUrl: string) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  const contents = await readContents(sql);
  await reset(sql, contents, contents.tables);
  await sql.end();
}

/**
 * The seed of this pass of the suite; undefined where there is none, as when a file is run by
 * itself.
 */
export function findSeed(): Seed | undefined {
  const folder = process.env["CHATD_TEST_SEED"];
  if (folder === undefined || folder === "") return undefined;
  const name = join(folder, databaseName);
  return {
    cast: JSON.parse(readFileSync(join(folder, castFile), "utf8")),
    dataFolder: join(folder, "data"),
    database: existsSync(name) ? readFileSync(name, "utf8") : undefined,
  };
}

/**
 * Puts what a seed has on disk into a data folder. Its log is empty, and vanishes when the process
 * that made it lets go.
 */
export function sow(seed: Seed, dataFolder: string) {
  cpSync(seed.dataFolder, dataFolder, {
    recursive: true,
    filter: (path) => !/-(?:wal|shm)$/.test(path),
  });
}
