import { readFileSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { codeOf, messageOf } from "../core/error-code";
import { whyNotRead } from "../core/storage/file-failure";
import { lineNotUtf8 } from "../core/text/encoding";
import { nearestWord } from "../core/text/spelling-hint";
import { ConfigError } from "./option";

/** Configuration files that are read where none is named; the first that is there counts. */
const usualConfigFiles: readonly string[] = ["./chatd.toml", "/etc/chatd/chatd.toml"];

const othersMayWrite = 0o002;

/**
 * The configuration file of a command: the one that `--config` or `CHATD_CONFIG` names, or else the
 * first usual one that is there. Refuses one that somebody else may have put into a folder that
 * everybody writes to, such as /tmp.
 */
export function chooseConfigFile(
  given: string | undefined,
  environment: NodeJS.ProcessEnv,
  usual = usualConfigFiles,
): string | undefined {
  const named = given ?? (environment["CHATD_CONFIG"] || undefined);
  if (named !== undefined) return named;
  const path = usual.find((one) => statusOf(one) !== undefined);
  if (path !== undefined) requireOwnPlace(path);
  return path;
}

function requireOwnPlace(path: string) {
  const folder = resolve(path, "..");
  const account = process.getuid?.();
  const mode = statusOf(folder)?.mode ?? 0;
  if ((mode & othersMayWrite) === 0 || statusOf(path)?.uid === account) return;
  throw new ConfigError(
    `${path} belongs to another account, in ${folder}, where everybody may put files. To use it all the same, name it: --config ${path}`,
  );
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * The values of a configuration file by their keys, and what is wrong with it: unknown keys are
 * named with their line and column, and the known key that is nearest. Refuses a file that cannot
 * be read or is not TOML.
 */
export function readConfigFile(
  path: string,
  names: readonly string[],
): { values: Record<string, unknown>; problems: string[] } {
  const text = readText(path);
  const values = parseToml(path, text);
  const unknown = Object.keys(values).filter((key) => !names.includes(key));
  return { values, problems: unknown.map((key) => whyUnknown(path, text, key, names)) };
}

function whyUnknown(path: string, text: string, key: string, names: readonly string[]): string {
  const nearest = nearestWord(key, names);
  const hint =
    nearest === undefined
      ? "All keys are listed by: chatd admin config print"
      : `Did you mean ${nearest}?`;
  return `${path}${positionOfKey(text, key)}: unknown key '${key}'. ${hint}`;
}

/**
 * Place of a key or a table that begins a line, as `:3:1`; nothing where it is written otherwise.
 */
function positionOfKey(text: string, key: string): string {
  for (const [index, line] of text.split("\n").entries()) {
    const [, before, name] = /^([\s["']*)([A-Za-z0-9_-]+)/.exec(line) ?? [];
    if (before !== undefined && name === key) return `:${index + 1}:${before.length + 1}`;
  }
  return "";
}

const advice: Readonly<Record<string, string>> = {
  ENOENT: "does not exist.",
  ENOTDIR: "does not exist.",
  EISDIR: "is a folder. Name the file in it.",
  EACCES:
    "may not be read by the account that runs this command. Give that account the right to read it, or name another file with --config.",
};

/** Refuses other encodings, because a password would be another one than is written there. */
function readText(path: string): string {
  const bytes = readBytes(path);
  const line = lineNotUtf8(bytes);
  if (line === undefined) return bytes.toString();
  throw new ConfigError(`${path}:${line}:1: this line is not in UTF-8: save the file in UTF-8.`);
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const why = advice[codeOf(error)];
    throw new ConfigError(
      `The configuration file ${why === undefined ? whyNotRead(path, error) : `${path} ${why}`}`,
    );
  }
}

function parseToml(path: string, text: string): Record<string, unknown> {
  try {
    return { ...Bun.TOML.parse(text) };
  } catch (error) {
    const { line, column } = positionOfError(text, messageOf(error));
    const why = messageOf(error).replace(/^TOML Parse error: /, "");
    throw new ConfigError(`${path}:${line}:${column}: this is not TOML: ${why}.`);
  }
}

/**
 * Line and column of the first mistake, which Bun's parser does not tell: the shortest beginning of
 * the text that has the error of the whole.
 */
function positionOfError(text: string, message: string): { line: number; column: number } {
  const hasIt = (length: number) => complaint(text.slice(0, length)) === message;
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
  let lineEnd = text.length;
  let line = ends.filter((end) => end < text.length).length + 1;
  for (const end of ends.filter((one) => one < text.length).toReversed()) {
    if (!hasIt(end)) break;
    [lineEnd, line] = [end, line - 1];
  }
  const lineStart = text.lastIndexOf("\n", lineEnd - 2) + 1;
  let length = lineEnd;
  while (length - 1 > lineStart && hasIt(length - 1)) length -= 1;
  return { line, column: Math.max(1, length - lineStart) };
}

function complaint(text: string): string | undefined {
  try {
    Bun.TOML.parse(text);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
