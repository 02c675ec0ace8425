import { existsSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { keyOf } from "../../src/config";
import { badRequest } from "../../src/core/errors";
import { isRecord } from "../../src/core/record";
import { isRestoreCutOff } from "../../src/core/unfinished-restore";
import { configOf } from "../command-config";
import { flagNames, flagOf } from "../flags";
import type { CommonOptions } from "../options";

/** The data as an executable of chatd sees it. */
export interface OwnData {
  schema: number;
  copies: { file: string; schema: number; made_at: string }[];
}

/** Whether there is data where the options say; nothing of it is opened. */
export function isDataThere(options: CommonOptions): boolean {
  const { data, database } = configOf(options);
  return database !== undefined || existsSync(join(data, "chatd.db")) || isReturnCutOff(options);
}

/** Whether a return of the data was cut off: a part of it is in its place, or none. */
export const isReturnCutOff = (options: CommonOptions): boolean =>
  isRestoreCutOff(configOf(options).data);

/**
 * Runs a command of an executable on the data; answers what it prints. It is a process of its own,
 * because it works as the account that owns the data.
 */
function runOnData(executable: string, words: readonly string[], options: CommonOptions): unknown {
  const { exitCode, stdout, stderr } = spawnSync(
    [executable, "admin", ...words, ...placeFlags(options), "--json"],
    // Ctrl-C at the terminal is not for it.
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
    // It is no JSON: it is told as it is.
  }
  return text.trim();
}

/** Flags that lead another process to the data. */
function placeFlags(options: CommonOptions): string[] {
  const values = flagNames
    .filter((name) => name === "data" || name === "database")
    .flatMap((name) => {
      const value = options[keyOf(name)];
      return typeof value === "string" ? [`--${flagOf(name)}`, value] : [];
    });
  return options.config === undefined ? values : [...values, "--config", options.config];
}

/** Schema of the data, and the copies from before migrations, the newest first. */
export function readOwnData(executable: string, options: CommonOptions): OwnData {
  const answer = runOnData(executable, ["copy", "list"], options);
  if (!isOwnData(answer))
    throw badRequest(`${executable} does not print what it knows about the data.`);
  return answer;
}

const isOwnData = (value: unknown): value is OwnData =>
  isRecord(value) && typeof value["schema"] === "number" && Array.isArray(value["copies"]);

/** Copies the data where its schema is older than one; answers the path of the copy. */
export function copyBefore(
  executable: string,
  schema: number,
  options: CommonOptions,
): string | undefined {
  const answer = runOnData(executable, ["copy", "make", "--before", `${schema}`], options);
  return isRecord(answer) && typeof answer["file"] === "string" ? answer["file"] : undefined;
}

/** Puts a copy in the place of the data; answers where the former data is. */
export function putCopyBack(
  executable: string,
  file: string,
  options: CommonOptions,
): string | undefined {
  const answer = runOnData(executable, ["restore", file, "--force"], options);
  return isRecord(answer) && typeof answer["aside"] === "string" ? answer["aside"] : undefined;
}
