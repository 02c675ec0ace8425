import { Interrupted } from "./output";
import { undoAtSignal } from "./signals";

const enterKeys = ["\r", "\n"];
const interruptKey = "\u0003";
const endKey = "\u0004";
const deleteKeys = ["\u007f", "\b"];

/** A line that a person types at the terminal, visibly. */
export async function askAtTerminal(prompt: string): Promise<string> {
  const end = undoAtSignal(() => process.stderr.write("\n"));
  process.stderr.write(prompt);
  try {
    let typed = "";
    for await (const chunk of process.stdin) {
      typed += String(chunk);
      if (typed.includes("\n")) break;
    }
    return typed.split(/\r?\n/)[0] ?? "";
  } finally {
    end();
  }
}

/**
 * Hidden lines that a person types at the terminal, until they are complete: by default a single
 * line. Empty lines between them are left out. Ctrl-C is an ordinary key meanwhile, and the
 * terminal is restored afterwards, however the command ends.
 */
export async function askHidden(
  prompt: string,
  isWhole: (typed: string) => boolean = () => true,
): Promise<string> {
  const { stdin, stderr } = process;
  const show = () => {
    stdin.setRawMode(false);
    stderr.write("\n");
  };
  const end = undoAtSignal(show);
  // Before the prompt, because people may type as soon as they see it.
  stdin.setRawMode(true);
  stderr.write(prompt);
  try {
    let typed = "";
    for await (const chunk of stdin) {
      for (const key of String(chunk)) {
        if (key === interruptKey) throw new Interrupted("Interrupted. Nothing was changed.");
        const isEnter = enterKeys.includes(key);
        if (key === endKey || (isEnter && isWhole(typed))) return typed;
        if (isEnter) typed = `${typed.trimEnd()}\n`;
        else typed = deleteKeys.includes(key) ? typed.slice(0, -1) : typed + key;
      }
    }
    return typed;
  } finally {
    end();
    show();
  }
}
