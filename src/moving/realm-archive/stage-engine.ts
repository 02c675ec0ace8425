import type { Engine } from "../../../db/engine";
import { openEngine } from "../../../db/open";
import { assetPath } from "../../core/assets";
import { steadyMilliseconds } from "../../core/clock";
import type { App } from "../../core/context";

/**
 * Opens the database of a stage folder, which only this process uses. Makes it where none exists.
 */
export async function openStageEngine(
  app: Pick<App, "log" | "clock">,
  folder: string,
): Promise<{ engine: Engine; schemaVersion: number }> {
  const migrationsFolder = assetPath("db", "migrations");
  const place = { databaseUrl: undefined, dataFolder: folder, migrationsFolder };
  const { engine, migrated } = await openEngine(place, noHooks(app), app.clock.now());
  return { engine, schemaVersion: migrated.to };
}

const noHooks = ({ log }: Pick<App, "log">) => ({
  milliseconds: steadyMilliseconds,
  flushed: () => undefined,
  changedElsewhere: () => undefined,
  received: () => undefined,
  lost: () => () => undefined,
  warn: (event: string, fields: Record<string, unknown>) => log.warn(event, fields),
  fatal: (error: unknown) => {
    throw error;
  },
});
