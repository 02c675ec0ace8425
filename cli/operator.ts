import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import type { MigrationRight } from "../db/migrate";
import { openApp, type RunningApp } from "../src/app";
import { type Config, namesGiven } from "../src/config/config";
import type { Context } from "../src/core/context";
import { codeOf } from "../src/core/error-code";
import { badRequest } from "../src/core/errors";
import { operatorContext } from "../src/core/operator";
import { isRestoreCutOff } from "../src/core/storage/unfinished-restore";
import { loadOrganization } from "../src/moving/organization/lookup";
import { configFileOf, configOf } from "./command-config";
import { endAtOnce } from "./end-at-once";
import { flagsOf } from "./flags";
import type { CommonOptions, RealmOptions } from "./options";
import { makeStderrLog } from "./stderr-log";
import { workAsOwner } from "./work-as-owner";

/**
 * Opens the data for one command, whether or not a server runs, and closes it afterwards. Data of
 * an earlier version is not migrated, because a server of that version may be running.
 */
export const withApp = <T>(
  options: CommonOptions,
  run: (app: RunningApp) => Promise<T>,
): Promise<T> => runOn(options, "none", run);

/**
 * Opens the data for a command that may be the first one to use it, and creates missing data: in a
 * named folder, never in the default one below the current folder.
 */
export async function withNewApp<T>(
  options: CommonOptions,
  run: (app: RunningApp) => Promise<T>,
): Promise<T> {
  requireNamedData(options);
  return runOn(options, "of-new-data", run);
}

async function runOn<T>(
  options: CommonOptions,
  migrates: MigrationRight,
  run: (app: RunningApp) => Promise<T>,
): Promise<T> {
  const log = makeStderrLog("warn", options);
  const app = await openApp(configOf(options), { log, exit: endAtOnce, migrates });
  try {
    return await run(app);
  } finally {
    await app.close();
  }
}

/** Runs a command about one organization: the one named by `--realm`, or the only one. */
export function withOperator<T>(
  options: RealmOptions,
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  requireData(options);
  return withApp(options, async (app) =>
    run(operatorContext(app, await loadOrganization(app, options.realm))),
  );
}

/**
 * Whether a server or a command has used this data before. From here on the command works as the
 * owner of the data.
 */
export function hasData(options: CommonOptions): boolean {
  const { data, database, secret } = configOf(options);
  workAsOwner(data);
  if (isRestoreCutOff(data)) return true;
  if (database === undefined) return existsSync(join(data, "chatd.db"));
  return secret !== undefined || existsSync(join(data, "secret"));
}

/**
 * Refuses a missing data folder, because a command that only reads must not create it under a
 * mistyped name. Refuses one on a disk that lets nobody write, which SQLite would call damaged.
 */
export function requireData(options: CommonOptions) {
  const { data, database } = configOf(options);
  if (!hasData(options)) throw noData(configOf(options));
  if (database === undefined && isReadOnly(data))
    throw badRequest(
      `The data in ${data} cannot be opened: its disk is read-only, and SQLite must write even to read. Make the disk writable, or copy the folder to another one.`,
    );
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return codeOf(error) === "EROFS";
  }
}

/**
 * Refuses a command that would create the default data folder, because it may run in a wrong
 * folder.
 */
export function requireNamedData(options: CommonOptions) {
  if (hasData(options) || namesGiven(flagsOf(options), configFileOf(options)).has("data")) return;
  throw noDataYet(configOf(options));
}

const noData = ({ data, database }: Pick<Config, "data" | "database">) =>
  badRequest(
    database === undefined
      ? `There is no data in ${data}. Choose its folder with --data, or start with: chatd serve`
      : `There is no data in ${data}, not even the server's secret. Set CHATD_SECRET as for the server, or choose its folder with --data.`,
  );

/** Refusal that names no `chatd serve`, whose first start makes an organization of its own. */
const noDataYet = ({ data, database }: Config) =>
  database === undefined
    ? badRequest(`There is no data in ${data} yet. To make it there, add: --data ${data}`)
    : noData({ data, database });
