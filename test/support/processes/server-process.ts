import { afterAll } from "bun:test";
import { type Subprocess, spawn } from "bun";

const readyMilliseconds = 20_000;
const stopMilliseconds = 15_000;

/** A running `chatd serve`, as a process of its own. */
export interface ServerProcess {
  /** The address that it printed when it was ready. */
  site: string;
  pid: number;
  /** Text that it has printed so far. */
  output(): string;
  /** Text that it has logged so far. */
  log(): string;
  /** Its exit code, once it has ended. */
  ended: Promise<number>;
  /** Ends it like a power cut; resolves when it has ended. */
  kill(): Promise<void>;
  /** Ends it with SIGTERM and answers the exit code. */
  stop(): Promise<number>;
}

const children = new Set<Subprocess>();

/** Ends the servers that a test file has left running, for example after a failure. */
export async function endLeftServers() {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all([...children].map(({ exited }) => exited));
}

// A file that shares its process with others says it once more: this module is loaded once for all.
afterAll(endLeftServers);

/**
 * Runs a command that serves, `["dist/chatd", "serve", …]`, without waiting for it. It ends at the
 * end of the file at the latest.
 */
export function startServer(command: string[], env: Record<string, string> = {}, cwd?: string) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CHATD_"));
  const child = spawn(command, {
    env: { ...Object.fromEntries(inherited), ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  children.add(child);
  const output = collect(child.stdout);
  const log = collect(child.stderr);
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    const timer = setTimeout(() => child.kill("SIGKILL"), stopMilliseconds);
    child.kill(signal);
    const code = await child.exited;
    clearTimeout(timer);
    children.delete(child);
    await Promise.all([output.ended, log.ended]);
    return code;
  };
  const kill = async () => void (await end("SIGKILL"));
  const ready = async (
    withinMilliseconds = readyMilliseconds,
    line = /^chatd is ready at (\S+)$/m,
  ): Promise<ServerProcess> => {
    const timer = setTimeout(() => child.kill("SIGKILL"), withinMilliseconds);
    const found = await output.until(line);
    clearTimeout(timer);
    if (!found?.[1]) throw new Error(`the server was not ready: ${await log.ended}`);
    const ended = child.exited.then((code) => log.ended.then(() => code));
    return {
      site: found[1],
      pid: child.pid,
      output: output.text,
      log: log.text,
      ended,
      kill,
      stop: () => end("SIGTERM"),
    };
  };
  return { ready, kill };
}

/** Reads a stream to its end, so that the writer never blocks. */
function collect(stream: ReadableStream<Uint8Array>) {
  let text = "";
  let wake = Promise.withResolvers<void>();
  let isOver = false;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      wake.resolve();
      wake = Promise.withResolvers();
    }
    isOver = true;
    wake.resolve();
    return text;
  };
  /** Match as soon as there is one; undefined when the stream ended without. */
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text) && !isOver) await wake.promise;
    return pattern.exec(text);
  };
  return { text: () => text, ended: read(), until };
}
