import { spawn } from "bun";
import { command, quicklyCompiled } from "./chatd";

/** A text to wait for, and what somebody types then. */
type Answer = readonly [prompt: string, keys: string];

interface Sitting {
  env?: Record<string, string>;
  answers?: readonly Answer[];
  /** Called when the last prompt is answered, with the process at the terminal. */
  afterwards?: (process: { kill(signal: NodeJS.Signals): void }) => void;
}

/** Bit of a terminal's settings by which it shows what is typed (`ECHO` of termios, on Linux). */
const echo = 0o10;

/**
 * Runs chatd as somebody at a terminal does; stdout and stderr are both the terminal. Answers what
 * they see, the exit code, and whether the terminal shows what is typed while the last prompt waits
 * and after the end.
 */
export async function atTerminal(
  args: readonly string[],
  { env = {}, answers = [], afterwards }: Sitting = {},
) {
  let seen = "";
  const decoder = new TextDecoder();
  const left = [...answers];
  const shows = { atPrompt: true, afterwards: true };
  const child = spawn([...command, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TERM: "xterm-256color",
      ...quicklyCompiled,
      ...env,
    },
    terminal: {
      cols: 100,
      rows: 30,
      data: (terminal, chunk) => {
        seen += decoder.decode(chunk, { stream: true });
        const [next] = left;
        if (!next || !seen.includes(next[0])) return;
        left.shift();
        shows.atPrompt = (terminal.localFlags & echo) !== 0;
        terminal.write(next[1]);
        if (left.length === 0) afterwards?.(child);
      },
    },
  });
  const code = await child.exited;
  shows.afterwards = ((child.terminal?.localFlags ?? 0) & echo) !== 0;
  child.terminal?.close();
  return { seen, code, shows };
}
