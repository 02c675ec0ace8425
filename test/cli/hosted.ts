import { join } from "node:path";
import { spawn } from "bun";
import { root } from "../support/source-tree";
import type { HostedCommand } from "./command-host";

/** The output of a command, and its exit code. */
interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** A process that runs one command at a time (`test/cli/command-host.ts`). */
interface Host {
  run(args: string[], millisecondsMax: number): Promise<Ended>;
}

let host: Host | undefined;
let before: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in a process that stays for the next one, after all commands before it, because to
 * start the executable takes longer than most commands do.
 */
export function runHosted(
  args: string[],
  env: Record<string, string | undefined>,
  millisecondsMax: number,
): Promise<Ended> {
  const ended = before.then(() => {
    host ??= startHost(env);
    return host.run(args, millisecondsMax);
  });
  before = ended.catch(() => {
    host = undefined;
  });
  return ended;
}

function startHost(env: Record<string, string | undefined>): Host {
  let code = Promise.withResolvers<number>();
  const child = spawn([process.execPath, "run", join(root, "test/cli/command-host.ts")], {
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    ipc: (message: number) => code.resolve(message),
  });
  child.unref();
  const outputs = [child.stdout.getReader(), child.stderr.getReader()];
  return {
    async run(args, millisecondsMax) {
      code = Promise.withResolvers();
      const mark = `${crypto.randomUUID()}\n`;
      const timer = setTimeout(() => child.kill("SIGKILL"), millisecondsMax);
      child.send({ args, mark } satisfies HostedCommand);
      const [stdout = "", stderr = ""] = await Promise.all(
        outputs.map((output) => readUntil(output, mark)),
      ).finally(() => clearTimeout(timer));
      return { code: await code.promise, stdout, stderr };
    },
  };
}

type Reader = { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> };

/** Text of an output before a mark, after which nothing comes. */
async function readUntil(output: Reader, mark: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  while (!text.endsWith(mark)) {
    const { done, value } = await output.read();
    if (done) throw new Error(`the process of the commands has ended: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  return text.slice(0, -mark.length);
}
