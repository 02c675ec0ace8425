import { join } from "node:path";
import { spawn } from "bun";
import { longLived } from "../support/processes/long-lived";
import { root } from "../support/root";
import { cleanEnvironment } from "./clean-environment";
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
  isBusy(): boolean;
  /** Ends the process, and with it the command that it runs. */
  end(): Promise<unknown>;
}

let host: Host | undefined;
let before: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in a process that stays for the next one, after all commands before it, because to
 * start the executable takes longer than most commands do.
 */
export function runHosted(args: string[], millisecondsMax: number): Promise<Ended> {
  const ended = before.then(() => {
    host ??= startHost();
    return host.run(args, millisecondsMax);
  });
  before = ended.catch(() => {
    host = undefined;
  });
  return ended;
}

/** Ends the process of the commands if it runs one still, as after a test that has timed out. */
export async function endBusyHost(): Promise<void> {
  if (host?.isBusy()) await host.end();
}

function startHost(): Host {
  let code = Promise.withResolvers<number>();
  let isBusy = false;
  const child = spawn([process.execPath, "run", join(root, "test/cli/command-host.ts")], {
    env: cleanEnvironment(longLived),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    ipc: (message: number) => code.resolve(message),
  });
  child.unref();
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const outputs = [child.stdout.getReader(), child.stderr.getReader()];
  return {
    async run(args, millisecondsMax) {
      isBusy = true;
      code = Promise.withResolvers();
      const mark = crypto.randomUUID();
      const timer = setTimeout(kill, millisecondsMax);
      child.send({ args, mark } satisfies HostedCommand);
      const read = await Promise.all(outputs.map((output) => readUntil(output, `${mark}\n`)));
      clearTimeout(timer);
      const [stdout = "", stderr = ""] = read.map(({ text }) => text);
      if (read.some(({ isWhole }) => !isWhole)) {
        const how = `its process ended with ${await child.exited} before the command did`;
        throw new Error(`chatd ${args.join(" ")}: ${how}:\n${stdout}\n${stderr}`);
      }
      const ended = { code: await Promise.race([code.promise, child.exited]), stdout, stderr };
      isBusy = false;
      return ended;
    },
    isBusy: () => isBusy,
    end() {
      kill();
      return child.exited;
    },
  };
}

type Reader = { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> };

/** Text of an output before a mark, or all of it where it ends without the mark. */
async function readUntil(output: Reader, mark: string) {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const end = text.indexOf(mark);
    if (end !== -1) return { text: text.slice(0, end), isWhole: true };
    const { done, value } = await output.read();
    if (done) return { text, isWhole: false };
    text += decoder.decode(value, { stream: true });
  }
}
