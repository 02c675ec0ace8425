import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Config, ConfigError, describeConfig } from "../../src/config";
import { whyUnreachable } from "../../src/core/reachable";
import { loadServerSecret } from "../../src/core/secrets";
import { configFileOf, configOf, noticeUnknownVariables } from "../command-config";
import { flagsOf } from "../flags";
import type { CommonOptions } from "../options";
import { formatTable, printResult } from "../output";

/**
 * `chatd admin config print`: the configuration as it takes effect here, each value with its
 * source.
 */
export function printConfig(options: CommonOptions) {
  noticeUnknownVariables();
  const { settings, problems } = describeConfig(flagsOf(options), configFileOf(options));
  refuse(problems);
  const rows = settings.map(({ name, value, source }) => [
    name,
    value === undefined ? "" : String(value),
    source,
  ]);
  const shown = settings.map(({ name, value, source }) => ({ name, value: value ?? null, source }));
  printResult(options, { config: shown }, formatTable(["KEY", "VALUE", "SOURCE"], rows));
}

/**
 * `chatd admin config check`: says all that would keep the server from starting with this
 * configuration.
 */
export async function checkConfig(options: CommonOptions) {
  const { problems } = describeConfig(flagsOf(options), configFileOf(options));
  refuse(problems);
  const config = configOf(options);
  const found = [whySecret(config), whyData(config), whyMail(config), await whyDatabase(config)];
  refuse(found.filter((problem) => problem !== undefined));
  printResult(options, { problems: [] }, ["The configuration is in order."]);
}

function refuse(problems: readonly string[]) {
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
}

function whyMail({ smtpRelayCaFile: file }: Config): string | undefined {
  return file === undefined || existsSync(file)
    ? undefined
    : `smtp_relay_ca_file names ${file}, which does not exist.`;
}

/** Looks at the secret only where there is one: the first start makes it. */
function whySecret({ secret, data }: Config): string | undefined {
  if (secret === undefined && !existsSync(join(data, "secret"))) return undefined;
  try {
    loadServerSecret(secret, data);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function whyData({ data }: Config): string | undefined {
  const folder = nearestFolder(resolve(data));
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return `The data folder ${data} cannot be used: nothing can be written to ${folder}.`;
  }
}

const nearestFolder = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));

async function whyDatabase({ database }: Config): Promise<string | undefined> {
  if (database === undefined) return undefined;
  const why = await whyUnreachable(database);
  return why === undefined ? undefined : `The database cannot be reached: ${why}`;
}
