import { UsageError } from "./output";
import { askHidden } from "./terminal-line";

/**
 * A password or another secret from stdin, up to the end of its line, or all lines of a key in PEM.
 * At a terminal it is asked for, and not shown as it is typed.
 */
export async function readPassword(what = "password"): Promise<string> {
  const password = process.stdin.isTTY
    ? await askHidden(`${what.charAt(0).toUpperCase()}${what.slice(1)}: `)
    : secretIn(await Bun.stdin.text());
  if (password === "") throw new UsageError(`There was no ${what} on stdin.`);
  return password;
}

const secretIn = (text: string) =>
  text.startsWith("-----BEGIN ") ? text.trim() : (text.split(/\r?\n/)[0] ?? "");
