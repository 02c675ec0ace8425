import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { freePort } from "../support/processes/free-port";
import {
  decodeCredentials,
  formatFloorCredentials,
  formatOrganization,
  userCount,
} from "./credentials";
import { formatRequest, openConnection } from "./http-client";
import type { Figures } from "./load-target";
import { messagesChannel } from "./seeding";

/** Way to start one of the two programs that are compared. */
export type Program = {
  name: string;
  binary: string;
  /** Arguments of a provisioned server in a folder; `database` is a PostgreSQL address or empty. */
  serveArguments: (folder: string, port: number, database: string) => string[];
  /** Arguments of a server on data that is there already. */
  resumeArguments: (folder: string, port: number, database: string) => string[];
  /** Arguments of the quickest start. */
  emptyArguments: (folder: string, port: number) => string[];
  /** Variables that are added to the environment of its servers. */
  environment?: Record<string, string>;
};

/**
 * Rows that are put into the database of a server before it is measured. `keys`: how many of the
 * new people can sign in; `channels`: how many more there are, each with a tenth of the people in
 * it; `unreadPeople`: how many of the organization's people, the last ones, have read none of the
 * messages; `isUnread`: the first people have not read as many messages as `unreadCounts` says.
 */
export type Seed = {
  users: number;
  messages: number;
  keys: number;
  channels?: number;
  unreadPeople?: number;
  isUnread?: boolean;
};

export type Server = { port: number; pid: number; credentials: string; stop: () => Promise<void> };

const readyMs = 60_000;
const seedMs = 300_000;
const stopMs = 5000;
const answerMs = 5000;
const children = new Set<Subprocess>();

/**
 * A folder for this run in `TMPDIR`, else in /var/tmp: on a disk, because /tmp in memory would make
 * fsync free.
 */
export function makeScratch(): string {
  return mkdtempSync(join(process.env.TMPDIR ?? "/var/tmp", "chatd-bench-"));
}

/**
 * Compiles the floor with the options of `make build`, so that start and memory are compared like
 * with like.
 */
export function buildFloor(scratch: string): Program {
  const binary = join(scratch, "floor");
  const entry = join(import.meta.dir, "floor.ts");
  const options = [
    "--compile",
    "--bytecode",
    "--format=esm",
    "--minify",
    "--keep-names",
    "--no-compile-autoload-dotenv",
  ];
  const build = Bun.spawnSync([
    process.execPath,
    "build",
    ...options,
    "--no-compile-autoload-bunfig",
    entry,
    "--outfile",
    binary,
  ]);
  if (!build.success)
    throw new Error(`the floor program did not compile:\n${build.stderr.toString()}`);
  return {
    name: "floor",
    binary,
    serveArguments(folder, port) {
      writeFileSync(join(folder, "credentials.json"), formatFloorCredentials());
      return [
        "--data",
        folder,
        "--credentials",
        join(folder, "credentials.json"),
        "--port",
        String(port),
      ];
    },
    resumeArguments: (folder, port) => ["--data", folder, "--port", String(port)],
    emptyArguments: (folder, port) => ["--data", folder, "--port", String(port)],
  };
}

/** The options that lift the limits on how fast one may go, as far as this build has them. */
function unlimited(binary: string): string[] {
  const help = ["--help-all", "--help"]
    .map((option) => Bun.spawnSync([binary, "serve", option]).stdout.toString())
    .join("");
  const names = [...help.matchAll(/--requests-per-minute-per-[a-z]+/g)].map(([name]) => name);
  return [...new Set(names)].flatMap((name) => [name, "0"]);
}

/** Its address has a password in it, which `--database` does not take. */
function writeConfig(folder: string, database: string): string {
  const path = join(folder, "chatd.toml");
  writeFileSync(path, `database = ${JSON.stringify(database)}\n`, { mode: 0o600 });
  return path;
}

/**
 * The built chatd; `given` are further options of `serve`. Unless it `isLimited`, one may go as
 * fast as one can.
 */
export function describeChatd(binary: string, given: string[], isLimited = false): Program {
  const extra = [...(isLimited ? [] : unlimited(binary)), ...given];
  const listenAt = (port: number) => ["--port", String(port), "--host", "127.0.0.1"];
  const placeOf = (folder: string, database: string) => [
    "--data",
    join(folder, "data"),
    ...(database === "" ? [] : ["--config", writeConfig(folder, database)]),
  ];
  return {
    name: "chatd",
    binary,
    serveArguments(folder, port, database) {
      const organization = join(folder, "organization.yaml");
      writeFileSync(organization, formatOrganization());
      const files = ["--apply", organization, "--credentials", join(folder, "credentials.json")];
      return ["serve", ...placeOf(folder, database), ...files, ...listenAt(port), ...extra];
    },
    resumeArguments: (folder, port, database) => [
      "serve",
      ...placeOf(folder, database),
      ...listenAt(port),
      ...extra,
    ],
    emptyArguments: (_, port) => ["serve", "--ephemeral", ...listenAt(port), ...extra],
  };
}

async function isAnswering(port: number): Promise<boolean> {
  const connection = await openConnection(port).catch(() => undefined);
  if (connection === undefined) return false;
  const answered = connection
    .request(formatRequest("GET", "/api/v1/server_settings", ""), false)
    .then(
      (reply) => reply.status === 200,
      () => false,
    );
  const result = await Promise.race([answered, Bun.sleep(answerMs).then(() => false)]);
  connection.close();
  return result;
}

function isProvisioned(credentials: string): boolean {
  if (!existsSync(credentials)) return false;
  try {
    return decodeCredentials(readFileSync(credentials, "utf8")).length >= userCount;
  } catch {
    return false;
  }
}

/**
 * Starts a child of this run with its output in `output.log` of the folder; it ends with the run at
 * the latest.
 */
function spawnChild(
  command: string[],
  folder: string,
  environment: Record<string, string> = {},
): Subprocess {
  const output = Bun.file(join(folder, "output.log"));
  const env = {
    ...process.env,
    CHATD_SECRET: process.env.CHATD_SECRET ?? "bench-0f3a7c91e5d24b68-9a1c7e53d0f2",
    TMPDIR: folder,
    ...environment,
  };
  const child = Bun.spawn(command, {
    cwd: folder,
    env,
    stdin: "ignore",
    stdout: output,
    stderr: output,
  });
  children.add(child);
  void child.exited.then(() => children.delete(child));
  return child;
}

async function waitUntil(
  child: Subprocess,
  folder: string,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const untilMs = performance.now() + readyMs;
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() > untilMs) {
      const problem =
        child.exitCode === null ? "the server was not ready in time" : "the server ended";
      const output = readFileSync(join(folder, "output.log"), "utf8").slice(-2000);
      child.kill("SIGKILL");
      throw new Error(`${problem}:\n${output}`);
    }
    await Bun.sleep(1);
  }
}

async function stopChild(child: Subprocess): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
  await child.exited;
  clearTimeout(timer);
}

type Start = { program: Program; folder: string; database: string };

async function spawnReady(
  { program, folder, database }: Start,
  isResumed: boolean,
): Promise<Server> {
  const credentials = join(folder, "credentials.json");
  const port = freePort();
  const toArguments = isResumed ? program.resumeArguments : program.serveArguments;
  const command = [program.binary, ...toArguments(folder, port, database)];
  const child = spawnChild(command, folder, program.environment);
  await waitUntil(
    child,
    folder,
    async () => isProvisioned(credentials) && (await isAnswering(port)),
  );
  return { port, pid: child.pid, credentials, stop: () => stopChild(child) };
}

/**
 * Starts a provisioned server in a new folder and waits until it answers and has written its
 * credentials. With a seed it is stopped once more and started again on the filled database.
 */
export async function startServer(
  program: Program,
  scratch: string,
  database: string,
  seed?: Seed,
): Promise<Server> {
  const start = { program, folder: mkdtempSync(join(scratch, `${program.name}-`)), database };
  let server = await spawnReady(start, false);
  if (seed) {
    await server.stop();
    await fill(start, seed);
    server = await spawnReady(start, true);
  }
  const { stop } = server;
  async function stopAndRemove(): Promise<void> {
    await stop();
    rmSync(start.folder, { recursive: true, force: true });
  }
  return { ...server, stop: stopAndRemove };
}

/** Runs the seeding program on the data of a server that is not running. */
async function fill(
  { folder, database }: Start,
  { users, messages, keys, channels = 0, unreadPeople = 0, isUnread = false }: Seed,
): Promise<void> {
  const place = database === "" ? ["--data", join(folder, "data")] : ["--database", database];
  const amounts = [
    "--users",
    String(users),
    "--messages",
    String(messages),
    "--keys",
    String(keys),
  ];
  const more = ["--channels", String(channels), "--unread-people", String(unreadPeople)];
  if (isUnread) more.push("--unread");
  const file = ["--credentials", join(folder, "credentials.json")];
  const program = [process.execPath, join(import.meta.dir, "seed.ts")];
  const child = spawnChild([...program, ...place, ...file, ...more, ...amounts], folder);
  const timer = setTimeout(() => child.kill("SIGKILL"), seedMs);
  const code = await child.exited;
  clearTimeout(timer);
  if (code !== 0)
    throw new Error(
      `the database could not be filled:\n${readFileSync(join(folder, "output.log"), "utf8")}`,
    );
}

/** From the start of the process to its first answer, in milliseconds. */
export async function measureStart(program: Program, scratch: string): Promise<number> {
  const folder = mkdtempSync(join(scratch, `${program.name}-`));
  const port = freePort();
  const command = [program.binary, ...program.emptyArguments(folder, port)];
  const startMs = performance.now();
  const child = spawnChild(command, folder);
  await waitUntil(child, folder, () => isAnswering(port));
  const elapsedMs = performance.now() - startMs;
  await stopChild(child);
  rmSync(folder, { recursive: true, force: true });
  return elapsedMs;
}

/**
 * Runs the load generator against a server, as one of its users or as all; it is ended when it
 * takes longer than `limitMs`.
 */
export async function runLoad(
  { port, pid, credentials }: Server,
  scenario: string,
  seconds: number,
  limitMs: number,
  channel = messagesChannel,
  user?: number,
): Promise<Figures> {
  const place = ["--port", String(port), "--pid", String(pid), "--credentials", credentials];
  const as = user === undefined ? [] : ["--user", String(user)];
  const more = ["--channel", channel, "--seconds", String(seconds)];
  return JSON.parse(await generateLoad(scenario, [...place, ...as, ...more], limitMs)) as Figures;
}

/** Runs the load generator against two servers in turns. */
export async function runLoadInTurns(
  [server, other]: readonly [Server, Server],
  scenario: string,
  { seconds, warmUpSeconds }: { seconds: number; warmUpSeconds: number },
  limitMs: number,
): Promise<[Figures, Figures]> {
  const place = ["--port", String(server.port), "--pid", String(server.pid)];
  const beside = ["--beside", String(other.port), "--beside-pid", String(other.pid)];
  const files = ["--credentials", server.credentials, "--beside-credentials", other.credentials];
  const lengths = ["--seconds", String(seconds), "--warm-up", String(warmUpSeconds)];
  const options = [...place, ...beside, ...files, ...lengths];
  return JSON.parse(await generateLoad(scenario, options, limitMs)) as [Figures, Figures];
}

/** Output of the load generator. */
async function generateLoad(scenario: string, options: string[], limitMs: number): Promise<string> {
  const program = [process.execPath, join(import.meta.dir, "load.ts")];
  const child = Bun.spawn([...program, "--scenario", scenario, ...options], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  children.add(child);
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  clearTimeout(timer);
  children.delete(child);
  if (code !== 0)
    throw new Error(`the scenario ${scenario} failed (exit code ${code}):\n${errors.slice(-2000)}`);
  return output;
}

/** Ends every child of this run that is still there and removes the folder. */
export function cleanUp(scratch: string): void {
  for (const child of children) child.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
}
