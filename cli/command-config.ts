import {
  type Config,
  loadConfig,
  loadThrowawayConfig,
  unknownVariables,
  usualConfigFile,
} from "../src/config/config";
import { isThrowawayFolder } from "../src/throwaway-folder";
import { flagsOf } from "./flags";
import type { CommonOptions } from "./options";
import { printNotice } from "./output";

/** The configuration file that a command reads; undefined if there is none. */
export const configFileOf = (options: CommonOptions): string | undefined =>
  usualConfigFile(options.config);

let isTold = false;

/** Warns about variables that look like chatd's own but have no effect, once per process. */
export function noticeUnknownVariables() {
  if (!isTold) for (const line of unknownVariables()) printNotice(`chatd: ${line}`);
  isTold = true;
}

const configs = new WeakMap<CommonOptions, Config>();

/**
 * The configuration of a command: its flags, the environment and the file. It is read once, because
 * root may read secret files that the owner of the data, as whom the command continues, may not
 * read. Where it names the folder of a throwaway server, it takes as little of the environment and
 * the file as that server, so that it does not reach the database and the files of another.
 */
export function configOf(options: CommonOptions): Config {
  const read = configs.get(options);
  if (read) return read;
  noticeUnknownVariables();
  const flags = flagsOf(options);
  const isOfThrowaway = flags.data !== undefined && isThrowawayFolder(flags.data);
  const load = isOfThrowaway ? loadThrowawayConfig : loadConfig;
  const config = load(flags, configFileOf(options));
  configs.set(options, config);
  return config;
}
