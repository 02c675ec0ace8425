import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EngineHooks } from "../../db/engine";
import type { Place } from "../../db/open";
import { assetPath } from "../../src/core/assets";
import { dropDatabase, freshDatabase } from "./postgres";
import { lendDatabase } from "./reused-databases";
import { scratchFolder } from "./scratch-folder";
import { type Seed, sow } from "./seed";

/** The engine that this pass of the suite runs on. */
export const testEngine = process.env["CHATD_TEST_ENGINE"] === "postgres" ? "postgres" : "sqlite";

export interface TestPlace extends Place {
  remove(): Promise<void>;
}

/** An empty place for data on this pass's engine. */
export async function freshPlace(): Promise<TestPlace> {
  const databaseUrl = testEngine === "postgres" ? await freshDatabase() : undefined;
  return placeWith(makeDataFolder(), databaseUrl, async () => {
    if (databaseUrl !== undefined) await dropDatabase(databaseUrl);
  });
}

/**
 * A place with what a seed holds, whose database other worlds have used, and will use, unless
 * `own` is called.
 */
export async function seededPlace(seed: Seed): Promise<{ place: TestPlace; own(): void }> {
  const dataFolder = makeDataFolder();
  sow(seed, dataFolder);
  const database = seed.database === undefined ? undefined : await lendDatabase(seed.database);
  const place = placeWith(dataFolder, database?.url, async () => database?.giveBack());
  return { place, own: () => database?.own() };
}

const makeDataFolder = () => mkdtempSync(join(scratchFolder(), "chatd-test-"));

const placeWith = (
  dataFolder: string,
  databaseUrl: string | undefined,
  removeDatabase: () => Promise<void>,
): TestPlace => ({
  dataFolder,
  databaseUrl,
  migrationsFolder: assetPath("db", "migrations"),
  async remove() {
    rmSync(dataFolder, { recursive: true, force: true });
    await removeDatabase();
  },
});

/** Hooks that note what they were told. */
export function notingHooks() {
  const notes: string[] = [];
  const hooks: EngineHooks = {
    flushed: () => void notes.push("flushed"),
    changedElsewhere: (realmId) => void notes.push(`changed ${realmId ?? ""}`.trim()),
    received: (text) => void notes.push(`received ${text}`),
    fatal: (error) => void notes.push(`fatal ${error}`),
    warn: (event) => void notes.push(`warn ${event}`),
  };
  return { notes, hooks };
}
