import { type Config, loadConfig, unknownVariables, usualConfigFile } from "../src/config";
import { flagsOf } from "./flags";
import type { CommonOptions } from "./options";
import { printNotice } from "./output";

/** The configuration file that a command reads; undefined where there is none. */
export const configFileOf = (options: CommonOptions): string | undefined =>
  usualConfigFile(options.config);

let isTold = false;

/** Tells of variables that look like chatd's own but have no effect, once in a process. */
export function noticeUnknownVariables() {
  if (!isTold) for (const line of unknownVariables()) printNotice(`chatd: ${line}`);
  isTold = true;
}

/** The configuration of a command: its flags, the environment and the file. */
export function configOf(options: CommonOptions): Config {
  noticeUnknownVariables();
  return loadConfig(flagsOf(options), configFileOf(options));
}
