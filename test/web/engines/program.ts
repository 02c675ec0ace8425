import { afterAll } from "bun:test";
import { type Subprocess, spawn } from "bun";
import { startMilliseconds } from "./driven-tab";

const stopMilliseconds = 5_000;

/** A browser, its driver or its screen, as a process of its own. */
export interface Program {
  /** The first match in what it writes to either stream, which is waited for. */
  says(pattern: RegExp): Promise<string>;
  /** Waits until it has ended by itself, and ends it where it does not. */
  ended(): Promise<void>;
  /** Asks it to end, and ends it where it does not. */
  end(): Promise<void>;
}

const running = new Set<Subprocess>();

/** Ends the programs that a test file has left behind, as one that failed does. */
afterAll(async () => {
  for (const child of running) child.kill();
  await Promise.all([...running].map(lastOf));
});

/** Starts a program, which ends at the end of the file at the latest. */
export function startProgram(command: string[], env: Record<string, string> = {}): Program {
  const child = spawn(command, {
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // A session of its own, whose id all that it starts keeps.
    detached: true,
  });
  running.add(child);
  const outputs = [collect(child.stdout), collect(child.stderr)];
  return {
    async says(pattern) {
      const patience = AbortSignal.timeout(startMilliseconds);
      for (;;) {
        for (const output of outputs) {
          const match = pattern.exec(output.text());
          if (match) return match[1] ?? match[0];
        }
        if (patience.aborted || child.exitCode !== null) {
          const words = outputs.map((output) => output.text()).join("");
          throw new Error(`${command[0]} has not said ${pattern}, but "${words}".`);
        }
        await Bun.sleep(10);
      }
    },
    ended: () => lastOf(child),
    end: () => {
      child.kill();
      return lastOf(child);
    },
  };
}

/** Reads a stream to its end, so that the writer never blocks. */
function collect(stream: ReadableStream<Uint8Array>) {
  let text = "";
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  };
  void read();
  return { text: () => text };
}

/** Waits until a program has ended, and ends what it has left behind, as a page that hangs is. */
async function lastOf(child: Subprocess): Promise<void> {
  const timer = setTimeout(() => child.kill("SIGKILL"), stopMilliseconds);
  await child.exited;
  clearTimeout(timer);
  if (!running.delete(child)) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing is left.
  }
}
