import { existsSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { keyOf } from "../../src/config/config";
import { badRequest } from "../../src/core/errors";
import { isRecord } from "../../src/core/json/record";
import { isRestoreCutOff } from "../../src/core/storage/unfinished-restore";
import { configOf } from "../command-config";
import { flagNames, flagOf } from "../flags";
import type { CommonOptions } from "../options";

/** The data as an executable of chatd sees it. */
interface OwnData {
  schema: number;
  copies: { file: string; schema: number; made_at: string }[];
}

/** Whether there is data at the place that the options name; it is not opened. */
export function isDataThere(options: CommonOptions): boolean {
  const { data, database } = configOf(options);
  return database !== undefined || existsSync(join(data, "chatd.db")) || isReturnCutOff(options);
}

/**
 * Whether putting the data back was interrupted, so that only a part of it, or nothing, is in
 * place.
 */
export const isReturnCutOff = (options: CommonOptions): boolean =>
  isRestoreCutOff(configOf(options).data);

/**
 * Runs a command of an executable on the data; answers its output. It is a separate process,
 * because it works as the account that owns the data.
 */
function runOnData(executable: string, words: readonly string[], options: CommonOptions): unknown {
  const { exitCode, stdout, stderr } = spawnSync(
    [executable, "admin", ...words, ...placeFlags(options), "--json"],
    // Ctrl-C at the terminal must not reach it.
    { stderr: "pipe", detached: true },
  );
  if (exitCode === 0) return JSON.parse(stdout.toString());
  throw badRequest(whyFailed(stderr.toString()));
}

function whyFailed(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text.trim().split("\n").at(-1) ?? "");
    if (isRecord(parsed) && typeof parsed["msg"] === "string") return parsed["msg"];
  } catch {
    // Text that is not JSON is reported unchanged.
  }
  return text.trim();
}

/** Flags with which another process finds the data. */
function placeFlags(options: CommonOptions): string[] {
  const values = flagNames
    .filter((name) => name === "data" || name === "database")
    .flatMap((name) => {
      const value = options[keyOf(name)];
      return typeof value === "string" ? [`--${flagOf(name)}`, value] : [];
    });
  return options.config === undefined ? values : [...values, "--config", options.config];
}

/** Schema of the data, and the copies from before migrations, newest first. */
export function readOwnData(executable: string, options: CommonOptions): OwnData {
  const answer = runOnData(executable, ["copy", "list"], options);
  if (!isOwnData(answer))
    throw badRequest(`${executable} does not print what it knows about the data.`);
  return answer;
}

const isOwnData = (value: unknown): value is OwnData =>
  isRecord(value) && typeof value["schema"] === "number" && Array.isArray(value["copies"]);

/** Copies the data if its schema is older than the given one; answers the path of the copy. */
export function copyBefore(
  executable: string,
  schema: number,
  options: CommonOptions,
): string | undefined {
  const answer = runOnData(executable, ["copy", "make", "--before", `${schema}`], options);
  return isRecord(answer) && typeof answer["file"] === "string" ? answer["file"] : undefined;
}

/** Replaces the data with a copy; answers where the former data is. */
export function putCopyBack(
  executable: string,
  file: string,
  options: CommonOptions,
): string | undefined {
  const answer = runOnData(executable, ["restore", file, "--force"], options);
  return isRecord(answer) && typeof answer["aside"] === "string" ? answer["aside"] : undefined;
}
