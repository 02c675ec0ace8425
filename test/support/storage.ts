import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EngineHooks } from "../../db/engine";
import type { Place } from "../../db/open";
import { assetPath } from "../../src/core/assets";
import { dropDatabase, freshDatabase } from "./postgres";
import { scratchFolder } from "./scratch-folder";
import { type Seed, sow } from "./seed";

/** The engine that this pass of the suite runs on. */
export const testEngine = process.env["CHATD_TEST_ENGINE"] === "postgres" ? "postgres" : "sqlite";

/** A place for data on this pass's engine: empty, or with what a seed holds. */
export async function freshPlace(seed?: Seed): Promise<Place & { remove(): Promise<void> }> {
  const dataFolder = mkdtempSync(join(scratchFolder(), "chatd-test-"));
  if (seed) sow(seed, dataFolder);
  const databaseUrl = testEngine === "postgres" ? await freshDatabase(seed?.database) : undefined;
  return {
    dataFolder,
    databaseUrl,
    migrationsFolder: assetPath("db", "migrations"),
    async remove() {
      rmSync(dataFolder, { recursive: true, force: true });
      if (databaseUrl !== undefined) await dropDatabase(databaseUrl);
    },
  };
}

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
