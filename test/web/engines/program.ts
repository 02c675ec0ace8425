import { type Subprocess, spawn } from "bun";
import { withPatience } from "./driven-tab";

const stopMilliseconds = 5_000;

/** A browser, its driver or its screen, as a process of its own. */
export interface Program {
  /** The first match in its output, which is waited for. */
  says(pattern: RegExp): Promise<string>;
  /** Waits until it has ended by itself, and ends it where it does not. */
  ended(): Promise<void>;
  /** Asks it to end, and ends it where it does not. */
  end(): Promise<void>;
}

/** Starts a program whose output says, on either stream, when it is ready. */
export function startProgram(command: string[], env: Record<string, string> = {}): Program {
  const child = spawn(command, {
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // A session of its own, whose id all that it starts keeps.
    detached: true,
  });
  let output = "";
  let heard = Promise.withResolvers<void>();
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true });
      heard.resolve();
      heard = Promise.withResolvers();
    }
  };
  const over = Promise.all([read(child.stdout), read(child.stderr)]);
  const search = async (pattern: RegExp) => {
    for (;;) {
      const match = pattern.exec(output);
      if (match) return match[1] ?? match[0];
      if (child.exitCode !== null) throw new Error(`${command[0]} has ended: ${output}`);
      await Promise.race([heard.promise, over, child.exited]);
    }
  };
  return {
    says: (pattern) => withPatience(search(pattern), `${command[0]}, which has said "${output}",`),
    ended: () => lastOf(child),
    end: () => {
      child.kill();
      return lastOf(child);
    },
  };
}

/** Waits until a program has ended, and ends what it has left behind, as a page that hangs is. */
async function lastOf(child: Subprocess): Promise<void> {
  const timer = setTimeout(() => child.kill("SIGKILL"), stopMilliseconds);
  await child.exited;
  clearTimeout(timer);
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing is left.
  }
}
