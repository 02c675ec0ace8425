import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { decodeCredentials, formatFloorCredentials, formatOrganization, userCount } from "./credentials";
import { formatRequest, openConnection } from "./http-client";

/** How to start one of the two programs that are compared. */
export type Program = {
  name: string;
  binary: string;
  /** Arguments of a provisioned server in a folder; `database` is a PostgreSQL address or empty. */
  serveArguments: (folder: string, port: number, database: string) => string[];
  /** Arguments of the quickest start. */
  emptyArguments: (folder: string, port: number) => string[];
};

export type Server = { port: number; pid: number; credentials: string; stop: () => Promise<void> };

const readyMs = 60_000;
const stopMs = 5000;
const answerMs = 5000;
const children = new Set<Subprocess>();

/** A folder for this run in `TMPDIR`, else in /var/tmp: on a disk, because /tmp in memory would make fsync free. */
export function makeScratch(): string {
  return mkdtempSync(join(process.env.TMPDIR ?? "/var/tmp", "chatd-bench-"));
}

/** Compiles the floor with the options of `make build`, so that start and memory are compared like with like. */
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
  if (!build.success) throw new Error(`the floor program did not compile:\n${build.stderr.toString()}`);
  return {
    name: "floor",
    binary,
    serveArguments(folder, port) {
      writeFileSync(join(folder, "credentials.json"), formatFloorCredentials());
      return ["--data", folder, "--credentials", join(folder, "credentials.json"), "--port", String(port)];
    },
    emptyArguments: (folder, port) => ["--data", folder, "--port", String(port)],
  };
}

/** The built chatd; `extra` are further options of `serve`. */
export function describeChatd(binary: string, extra: string[]): Program {
  return {
    name: "chatd",
    binary,
    serveArguments(folder, port, database) {
      const organization = join(folder, "organization.yaml");
      writeFileSync(organization, formatOrganization());
      const files = [
        "--data",
        join(folder, "data"),
        "--apply",
        organization,
        "--credentials",
        join(folder, "credentials.json"),
      ];
      const engine = database === "" ? [] : ["--database", database];
      return ["serve", ...files, "--port", String(port), "--host", "127.0.0.1", ...engine, ...extra];
    },
    emptyArguments: (_, port) => ["serve", "--ephemeral", "--port", String(port), "--host", "127.0.0.1", ...extra],
  };
}

function findFreePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

async function isAnswering(port: number): Promise<boolean> {
  const connection = await openConnection(port).catch(() => undefined);
  if (connection === undefined) return false;
  const answered = connection.request(formatRequest("GET", "/api/v1/server_settings", ""), false).then(
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

/** Starts a child of this run with its output in `output.log` of the folder; it ends with the run at the latest. */
function spawnChild(command: string[], folder: string): Subprocess {
  const output = Bun.file(join(folder, "output.log"));
  const env = {
    ...process.env,
    CHATD_SECRET: process.env.CHATD_SECRET ?? "bench-0f3a7c91e5d24b68-9a1c7e53d0f2",
    TMPDIR: folder,
  };
  const child = Bun.spawn(command, { cwd: folder, env, stdin: "ignore", stdout: output, stderr: output });
  children.add(child);
  void child.exited.then(() => children.delete(child));
  return child;
}

async function waitUntil(child: Subprocess, folder: string, isReady: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + readyMs;
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() > untilMs) {
      const problem = child.exitCode === null ? "the server was not ready in time" : "the server ended";
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

/** Starts a provisioned server in a new folder and waits until it answers and has written its credentials. */
export async function startServer(program: Program, scratch: string, database: string): Promise<Server> {
  const folder = mkdtempSync(join(scratch, `${program.name}-`));
  const credentials = join(folder, "credentials.json");
  const port = findFreePort();
  const child = spawnChild([program.binary, ...program.serveArguments(folder, port, database)], folder);
  await waitUntil(child, folder, async () => isProvisioned(credentials) && (await isAnswering(port)));
  async function stop(): Promise<void> {
    await stopChild(child);
    rmSync(folder, { recursive: true, force: true });
  }
  return { port, pid: child.pid, credentials, stop };
}

/** From the start of the process to its first answer, in milliseconds. */
export async function measureStart(program: Program, scratch: string): Promise<number> {
  const folder = mkdtempSync(join(scratch, `${program.name}-`));
  const port = findFreePort();
  const command = [program.binary, ...program.emptyArguments(folder, port)];
  const startMs = performance.now();
  const child = spawnChild(command, folder);
  await waitUntil(child, folder, () => isAnswering(port));
  const elapsedMs = performance.now() - startMs;
  await stopChild(child);
  rmSync(folder, { recursive: true, force: true });
  return elapsedMs;
}

/** Runs the load generator against a server; it is ended when it takes longer than `limitMs`. */
export async function runLoad(
  server: Server,
  scenario: string,
  seconds: number,
  limitMs: number,
): Promise<Record<string, number>> {
  const flags = ["--scenario", scenario, "--port", String(server.port), "--pid", String(server.pid)];
  const command = [process.execPath, join(import.meta.dir, "load.ts"), ...flags, "--credentials", server.credentials];
  const child = Bun.spawn([...command, "--seconds", String(seconds)], {
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
  if (code !== 0) throw new Error(`the scenario ${scenario} failed (exit code ${code}):\n${errors.slice(-2000)}`);
  return JSON.parse(output) as Record<string, number>;
}

/** Ends every child of this run that is still there and removes the folder. */
export function cleanUp(scratch: string): void {
  for (const child of children) child.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
}
