import { afterAll } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Subprocess, spawn } from "bun";
import { Client } from "../support/client";
import { dropDatabase, freshDatabase } from "../support/databases/postgres";
import {
  copyProvisioned,
  credentialsIn,
  organizationFile,
  provision,
} from "../support/databases/provisioned";
import { root } from "../support/root";
import { scratchFolder } from "../support/scratch-folder";
import { cleanEnvironment } from "./clean-environment";
import { endBusyHost, runHosted } from "./hosted";

/**
 * The command line, run as people run it, as a process of its own: the executable, where the suite
 * has built it.
 */
const binary = process.env["CHATD_TEST_BINARY"];
export const command = binary ? [binary] : [process.execPath, "run", join(root, "cli/main.ts")];
const commandMilliseconds = 20_000;
const readyMilliseconds = 15_000;

export { organizationFile };

const children = new Set<Subprocess>();
const cleanings: (() => unknown)[] = [];

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all([endBusyHost(), ...[...children].map(({ exited }) => exited)]);
  for (const clean of cleanings.splice(0)) await clean();
});

/** An empty folder, removed at the end of the file. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(scratchFolder(), "chatd-cli-test-"));
  cleanings.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A place for data: the flags that name it. */
export interface DataPlace {
  engine: string;
  /** An empty place. */
  fresh(): Promise<string[]>;
  /** A place with the organization of `organizationFile`, and everybody's keys. */
  provisioned(): Promise<{ place: string[]; credentials: CredentialsFile }>;
}

const emptyFolder = () => join(freshFolder(), "data");

export const sqlite: DataPlace = {
  engine: "sqlite",
  fresh: async () => ["--data", emptyFolder()],
  provisioned: () => provisionedOn("sqlite"),
};

const postgres: DataPlace = {
  engine: "postgres",
  fresh: async () => flagsOf(emptyFolder(), await emptyDatabase()),
  provisioned: () => provisionedOn("postgres"),
};

async function emptyDatabase(): Promise<string> {
  const url = await freshDatabase();
  cleanings.unshift(() => dropDatabase(url));
  return url;
}

/** Configuration files of places on PostgreSQL. */
const filesOfPostgres = new Set<string>();

function flagsOf(data: string, databaseUrl: string | undefined): string[] {
  if (databaseUrl === undefined) return ["--data", data];
  const file = join(freshFolder(), "chatd.toml");
  writeFileSync(file, `database = ${JSON.stringify(databaseUrl)}\n`, { mode: 0o600 });
  filesOfPostgres.add(file);
  return ["--data", data, "--config", file];
}

type Engine = "sqlite" | "postgres";

async function provisionedOn(engine: Engine) {
  const [made, data] = [await findProvisioned(engine), emptyFolder()];
  const url = await copyProvisioned(made, data);
  if (url !== undefined) cleanings.unshift(() => dropDatabase(url));
  return { place: flagsOf(data, url), credentials: readCredentials(credentialsIn(made)) };
}

const madeHere = new Map<Engine, Promise<string>>();

/**
 * Folder of the place that is copied: that of the suite, or one of a file that is run by itself.
 */
function findProvisioned(engine: Engine): string | Promise<string> {
  const ofSuite = process.env["CHATD_TEST_PROVISIONED"];
  if (ofSuite) return join(ofSuite, engine);
  const make = async () => {
    const folder = join(freshFolder(), engine);
    const databaseUrl = engine === "postgres" ? await emptyDatabase() : undefined;
    provision(folder, command, { databaseUrl });
    return folder;
  };
  const made = madeHere.get(engine) ?? make();
  madeHere.set(engine, made);
  return made;
}

/** Both engines where there is a PostgreSQL to test with. */
export const places: DataPlace[] = process.env.CHATD_TEST_POSTGRES ? [sqlite, postgres] : [sqlite];

/** JSON from stdout: tests look into it freely. */
type Json = ReturnType<typeof JSON.parse>;

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
  json(): Json;
}

interface RunOptions {
  /** A process of its own, as for commands that run at once. */
  isAlone?: boolean;
  stdin?: string | Buffer;
  /**
   * Modes that the shell takes from new files, in octal digits: `000` lets everybody read and
   * write.
   */
  umask?: string;
  env?: Record<string, string>;
  /** The folder that it is run in. */
  cwd?: string;
  /** A command that runs it, such as `setpriv` with the account to run it as. */
  through?: readonly string[];
}

/**
 * Most commands end before code that the engine compiles would have paid for its compilation: they
 * take a third less of the processor without.
 */
export const uncompiled = { BUN_JSC_useJIT: "0" };

/**
 * Most servers end before code that the engine's optimizing compiler has improved would have paid
 * for that. They have its quick compiler alone.
 */
export const quicklyCompiled = { BUN_JSC_useDFGJIT: "0" };

const underUmask = (umask: string | undefined) =>
  umask === undefined ? [] : ["sh", "-c", `umask ${umask} && exec "$@"`, "sh"];

/** Runs one command to its end. */
export async function chatd(args: string[], options: RunOptions = {}): Promise<Outcome> {
  const ended = await (isHosted(args, options)
    ? runHosted(args, commandMilliseconds)
    : runExecutable(args, options));
  return { ...ended, json: () => JSON.parse(ended.stdout) };
}

/**
 * Whether a command runs in the process that stays for many commands: where its data is on
 * PostgreSQL, and it is given nothing but its words. On SQLite the executable runs all commands.
 */
const isHosted = (args: readonly string[], options: RunOptions): boolean =>
  args[0] === "admin" &&
  Object.keys(options).length === 0 &&
  args.some((arg) => filesOfPostgres.has(arg));

async function runExecutable(
  args: string[],
  { stdin = "", umask, env, cwd, through = [] }: RunOptions,
) {
  const child = spawn([...through, ...underUmask(umask), ...command, ...args], {
    env: cleanEnvironment({ ...uncompiled, ...env }),
    cwd,
    stdin: typeof stdin === "string" ? Buffer.from(stdin) : stdin,
    stdout: "pipe",
    stderr: "pipe",
    timeout: commandMilliseconds,
    killSignal: "SIGKILL",
  });
  children.add(child);
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  children.delete(child);
  return { code, stdout, stderr };
}

/** Outcome of a command that has to work: throws with its messages when it does not. */
export async function mustChatd(args: string[], options?: RunOptions): Promise<Outcome> {
  const outcome = await chatd(args, options);
  const isDrift = outcome.code === 3 && args.includes("--diff");
  if (outcome.code !== 0 && !isDrift)
    throw new Error(`chatd ${args.join(" ")} ended with ${outcome.code}:\n${outcome.stderr}`);
  return outcome;
}

/** A server that may not be ready yet. */
export interface BegunServer {
  pid: number;
  /** Text that it has printed to stdout so far. */
  stdout(): string;
  stderr(): string;
  /** Waits for a line of its log with that event, after `count` of them; answers its fields. */
  logged(event: string, count?: number): Promise<Json>;
  /** Sends a signal that does not end it. */
  signal(name: NodeJS.Signals): void;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Sends the signal and answers the exit code. */
  stop(signal?: "SIGTERM" | "SIGINT"): Promise<number>;
}

export interface Server extends BegunServer {
  site: string;
}

/** The address in the words of a server that is ready, or in its JSON. */
const siteIn = (text: string) =>
  /^(?:chatd is ready at |\{.*?"url":")([^\s"]+)"?.*\n/.exec(text)?.[1];

/** The command of a server on a free port, to which a test adds where its data is. */
export const serveCommand = [...command, "serve", "--host", "127.0.0.1", "--port", "0"];

/** Starts `chatd serve` on a free port and waits until it says that it is ready. */
export async function serve(args: string[], options?: RunOptions): Promise<Server> {
  const { hasEnded, ...begun } = begin(args, options);
  const isReady = () => siteIn(begun.stdout());
  const site = await waitFor(isReady, readyMilliseconds, hasEnded).catch((error: unknown) => {
    begun.signal("SIGKILL");
    throw new Error(`the server was not ready (${error}): ${begun.stderr()}`);
  });
  return { ...begun, site };
}

/** Starts `chatd serve` on a free port, for tests of a server that is not ready soon. */
export const beginServe = (args: string[]): BegunServer => begin(args);

function begin(args: string[], { umask, env, cwd, through = [] }: RunOptions = {}) {
  const child = spawn([...through, ...underUmask(umask), ...serveCommand, ...args], {
    env: cleanEnvironment({ ...quicklyCompiled, ...env }),
    cwd,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  children.add(child);
  const output = collect(child.stdout);
  const errors = collect(child.stderr);
  const hasEnded = () => child.exitCode !== null;
  return {
    hasEnded,
    pid: child.pid,
    stdout: output.text,
    stderr: errors.text,
    logged: (event: string, count = 0) =>
      waitFor(() => linesWith(errors.text(), event)[count], readyMilliseconds, hasEnded),
    signal: (name: NodeJS.Signals) => void child.kill(name),
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
      children.delete(child);
    },
    async stop(signal: "SIGTERM" | "SIGINT" = "SIGTERM") {
      child.kill(signal);
      const timer = setTimeout(() => child.kill("SIGKILL"), commandMilliseconds);
      const code = await child.exited;
      clearTimeout(timer);
      children.delete(child);
      await Promise.all([output.ended, errors.ended]);
      return code;
    },
  };
}

/** Runs `chatd serve` on a terminal until it has said that it is ready, and all beside it. */
export async function serveOnTerminal(args: string[]) {
  let shown = "";
  const child = spawn([...serveCommand, ...args], {
    env: { ...cleanEnvironment(quicklyCompiled), NO_COLOR: "1" },
    terminal: {
      cols: 300,
      rows: 50,
      data(_, bytes) {
        shown += bytes.toString();
      },
    },
  });
  children.add(child);
  await waitFor(() => (shown.includes("chatd is ready at") ? shown : undefined), readyMilliseconds);
  return {
    shown: () => shown.replaceAll("\r\n", "\n"),
    async stop() {
      child.kill("SIGTERM");
      const code = await child.exited;
      children.delete(child);
      return code;
    },
  };
}

/** Fields of the whole lines of a log that have that event. */
const linesWith = (log: string, event: string): Json[] =>
  log
    .slice(0, log.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line));

function collect(stream: ReadableStream<Uint8Array>) {
  let text = "";
  const decoder = new TextDecoder();
  const read = async () => {
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  };
  return { text: () => text, ended: read() };
}

const lookMilliseconds = 5;

/** Value of `look` as soon as it gives one; fails when the time is up, or there is no more hope. */
export async function waitFor<T>(
  look: () => T | undefined | Promise<T | undefined>,
  milliseconds: number,
  isHopeless = () => false,
): Promise<T> {
  const endsAt = performance.now() + milliseconds;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (isHopeless()) throw new Error("it has ended");
    if (performance.now() > endsAt) throw new Error(`nothing within ${milliseconds} ms`);
    await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
  }
}

interface CredentialsFile {
  site: string;
  realm: string;
  users: {
    email: string;
    full_name: string;
    role: string;
    user_id: number;
    api_key: string;
    is_bot: boolean;
  }[];
}

export const readCredentials = (path: string): CredentialsFile =>
  JSON.parse(readFileSync(path, "utf8"));

/** A client for somebody of a credentials file, at a server. */
export function clientOf(site: string, { users }: CredentialsFile, name: string): Client {
  const user = users.find(({ email }) => email === `${name}@example.com`);
  if (!user) throw new Error(`${name} has no credentials`);
  return new Client(site, "localhost", { email: user.email, apiKey: user.api_key });
}
