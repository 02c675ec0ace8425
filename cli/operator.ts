import { existsSync } from "node:fs";
import { join } from "node:path";
import { openApp, type RunningApp } from "../src/app";
import type { Context } from "../src/core/context";
import { badRequest } from "../src/core/errors";
import { operatorContext } from "../src/core/operator";
import { loadOrganization } from "../src/moving/organization/lookup";
import { configOf } from "./command-config";
import { endAtOnce } from "./end-at-once";
import type { CommonOptions, RealmOptions } from "./options";
import { makeStderrLog } from "./stderr-log";

/** Opens the data for one command, with a server beside it or without, and closes it afterwards. */
export async function withApp<T>(
  options: CommonOptions,
  run: (app: RunningApp) => Promise<T>,
): Promise<T> {
  const config = configOf(options);
  const app = await openApp(config, { log: makeStderrLog("warn"), exit: endAtOnce });
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

/** Whether a server or a command has been at work on this data before. */
export function hasData(options: CommonOptions): boolean {
  const { data, database } = configOf(options);
  return database !== undefined || existsSync(join(data, "chatd.db"));
}

/**
 * A command that only looks for something must not make a data folder where somebody mistyped its
 * name.
 */
export function requireData(options: CommonOptions) {
  if (hasData(options)) return;
  const { data } = configOf(options);
  throw badRequest(
    `There is no data in ${data}. Choose its folder with --data, or start with: chatd serve`,
  );
}
