import { UsageError } from "./output";

const enterKeys = ["\r", "\n"];
const interruptKey = "\u0003";
const deleteKeys = ["\u007f", "\b"];

/**
 * A password or another secret from stdin, up to the end of its line. At a terminal it is asked
 * for, and not shown as it is typed.
 */
export async function readPassword(what = "password"): Promise<string> {
  const password = process.stdin.isTTY
    ? await askAtTerminal(what)
    : firstLine(await Bun.stdin.text());
  if (password === "") throw new UsageError(`There was no ${what} on stdin.`);
  return password;
}

const firstLine = (text: string) => text.split(/\r?\n/)[0] ?? "";

async function askAtTerminal(what: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(`${what.charAt(0).toUpperCase()}${what.slice(1)}: `);
  stdin.setRawMode(true);
  try {
    let typed = "";
    for await (const chunk of stdin) {
      for (const key of String(chunk)) {
        if (key === interruptKey) throw new UsageError(`No ${what} was given.`);
        if (enterKeys.includes(key)) return typed;
        typed = deleteKeys.includes(key) ? typed.slice(0, -1) : typed + key;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode(false);
    stderr.write("\n");
  }
}
