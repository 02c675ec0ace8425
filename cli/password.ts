import { UsageError } from "./output";

const enterKeys = ["\r", "\n"];
const interruptKey = "\u0003";
const deleteKeys = ["\u007f", "\b"];

/** A password from stdin, up to the end of its line. At a terminal it is asked for, and not shown as it is typed. */
export async function readPassword(): Promise<string> {
  const password = process.stdin.isTTY ? await askAtTerminal() : firstLine(await Bun.stdin.text());
  if (password === "") throw new UsageError("There was no password on stdin.");
  return password;
}

const firstLine = (text: string) => text.split(/\r?\n/)[0] ?? "";

async function askAtTerminal(): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write("Password: ");
  stdin.setRawMode(true);
  try {
    let typed = "";
    for await (const chunk of stdin) {
      for (const key of String(chunk)) {
        if (key === interruptKey) throw new UsageError("No password was given.");
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
