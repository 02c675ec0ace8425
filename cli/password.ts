import { lineNotUtf8 } from "../src/core/text/encoding";
import { UsageError } from "./output";
import { askHidden } from "./terminal-line";

const keyBegin = "-----BEGIN ";

/**
 * A password or another secret from stdin: its first line, or all lines of a key in PEM. At a
 * terminal there is a prompt, and the typed text is hidden.
 */
export async function readPassword(what = "password"): Promise<string> {
  const prompt = `${what.charAt(0).toUpperCase()}${what.slice(1)}: `;
  const password = secretIn(
    process.stdin.isTTY ? await askHidden(prompt, isWhole) : await textOnStdin(what),
  );
  if (password === "") throw new UsageError(`There was no ${what} on stdin.`);
  return password;
}

/** Refuses other encodings, because nobody could type the stored secret. */
async function textOnStdin(what: string): Promise<string> {
  const bytes = Buffer.from(await Bun.stdin.arrayBuffer());
  if (lineNotUtf8(bytes) !== undefined)
    throw new UsageError(`The ${what} on stdin is not in UTF-8: send it in that encoding.`);
  return new TextDecoder().decode(bytes);
}

const secretIn = (text: string) =>
  text.startsWith(keyBegin) ? text.trim() : (text.split(/\r?\n/)[0] ?? "");

/** Whether the typed lines are a complete secret: a key in PEM has a last line of its own. */
const isWhole = (lines: string) =>
  !lines.startsWith(keyBegin) || /\n-----END .*-----\s*$/.test(lines);
