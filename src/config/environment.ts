import { readFileSync } from "node:fs";
import { codeOf } from "../core/error-code";
import { whyNotRead } from "../core/storage/file-failure";
import { lineNotUtf8 } from "../core/text/encoding";
import { nearestWord } from "../core/text/spelling-hint";
import { ConfigError } from "./option";

const prefix = "CHATD_";

/** Variables that are no option: the place of the configuration file. */
const furtherVariables = ["CHATD_CONFIG"];

/** Variables that Kubernetes and Docker set by themselves for a service that is called chatd. */
const serviceVariable = /^CHATD_(?:SERVICE_|PORT_\d+_|PORT$|NAME$|ENV_)/;

/** `log_level` is `CHATD_LOG_LEVEL`. */
const variableOf = (name: string): string => `${prefix}${name.toUpperCase()}`;

/**
 * `CHATD_SECRET_FILE` names a file that holds the secret, as Docker and systemd hand secrets over.
 */
const fileVariableOf = (name: string): string => `${variableOf(name)}_FILE`;

export interface Given {
  value: string | undefined;
  /** The variable that gives it. */
  source: string;
}

/**
 * The value of an option in the environment, where it is set and not empty. With `isFromFile` it
 * may stand in a file that `CHATD_…_FILE` names; both at once are refused.
 */
export function readVariable(
  name: string,
  isFromFile: boolean,
  environment: NodeJS.ProcessEnv,
): Given {
  const variable = variableOf(name);
  const value = environment[variable] || undefined;
  const fileVariable = fileVariableOf(name);
  const path = isFromFile ? environment[fileVariable] || undefined : undefined;
  if (path === undefined) return { value, source: variable };
  if (value !== undefined)
    throw new ConfigError(`${variable} and ${fileVariable} are both set: leave one of them out.`);
  return { value: readSecretFile(fileVariable, path), source: fileVariable };
}

/** An editor ends a file with a line break, which is no part of the secret. */
function readSecretFile(variable: string, path: string): string {
  const bytes = attemptToRead(variable, path);
  if (lineNotUtf8(bytes) !== undefined)
    throw new ConfigError(
      `${variable} names ${path}, which is no text in UTF-8: save the file in that encoding.`,
    );
  const text = bytes.toString().replace(/\r?\n$/, "");
  if (text === "") throw new ConfigError(`${variable} names ${path}, which is empty.`);
  return text;
}

function attemptToRead(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new ConfigError(`${variable} names ${path}, which does not exist.`);
    throw new ConfigError(
      code === "EACCES"
        ? `${variable} names ${path}, which cannot be read: the account that runs chatd may not read it.`
        : `${variable}: ${whyNotRead(path, error)}`,
    );
  }
}

/**
 * A sentence for each variable that begins like one of chatd's but is none, with the one that is
 * nearest. They are no mistake for sure, because a machine may set variables for its own purposes.
 */
export function listUnknownVariables(
  names: readonly string[],
  namesFromFile: readonly string[],
  environment: NodeJS.ProcessEnv,
): string[] {
  const variables = [
    ...names.map(variableOf),
    ...namesFromFile.map(fileVariableOf),
    ...furtherVariables,
  ];
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !variables.includes(name))
    .filter((name) => !serviceVariable.test(name))
    .toSorted()
    .map((name) => {
      const nearest = nearestWord(name, variables);
      return `${name} is no variable of chatd, and has no effect.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`;
    });
}
