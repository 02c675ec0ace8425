import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EngineHooks } from "../../../db/engine";
import type { Place } from "../../../db/open";
import { assetPath } from "../../../src/core/assets";
import { scratchFolder } from "../scratch-folder";
import { borrowDatabase, type Loan } from "./kept-databases";
import { dropDatabase, freshDatabase } from "./postgres";
import { type Seed, sow } from "./seed";

/** The engine that this pass of the suite runs on. */
export const testEngine = process.env["CHATD_TEST_ENGINE"] === "postgres" ? "postgres" : "sqlite";

/** A place for data that a test has for itself. */
export interface FreshPlace extends Place {
  /** Says that more may change than rows, so that no other world gets the database. */
  spoil(): void;
  remove(): Promise<void>;
}

/** A place for data on this pass's engine: empty, or with what a seed holds. */
export async function freshPlace(seed?: Seed): Promise<FreshPlace> {
  const dataFolder = mkdtempSync(join(scratchFolder(), "chatd-test-"));
  if (seed) sow(seed, dataFolder);
  const database = testEngine === "postgres" ? await freshLoan(seed) : undefined;
  return {
    dataFolder,
    databaseUrl: database?.url,
    migrationsFolder: assetPath("db", "migrations"),
    spoil: () => database?.spoil(),
    async remove() {
      rmSync(dataFolder, { recursive: true, force: true });
      await database?.giveBack();
    },
  };
}

async function freshLoan(seed: Seed | undefined): Promise<Loan> {
  if (seed?.database !== undefined) return borrowDatabase(seed.database);
  const url = await freshDatabase();
  return { url, spoil: () => undefined, giveBack: () => dropDatabase(url) };
}

/** Hooks that note their calls. */
export function notingHooks() {
  const notes: string[] = [];
  const hooks: EngineHooks = {
    milliseconds: () => performance.now(),
    flushed: () => void notes.push("flushed"),
    changedElsewhere: (realmId) => void notes.push(`changed ${realmId ?? ""}`.trim()),
    received: (text) => void notes.push(`received ${text}`),
    lost: () => (wasAway) => void (wasAway && notes.push("back")),
    fatal: (error) => void notes.push(`fatal ${error}`),
    warn: (event) => void notes.push(`warn ${event}`),
  };
  return { notes, hooks };
}

/** The error of a statement for which the database has no room on its disk. */
export function diskFullError(): Error {
  const code =
    testEngine === "sqlite" ? { code: "SQLITE_FULL" } : { name: "PostgresError", code: "53100" };
  const cause = Object.assign(new Error("full, on purpose"), code);
  return new Error("A statement failed.", { cause });
}
