import { expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { requireTool } from "../support/processes/tools";
import { signedByItself } from "../support/servers/certificates";
import { beginServe, chatd, freshFolder, mustChatd, type Server, serve } from "./chatd";

/*
 * A data folder is for one server. On PostgreSQL several servers share a database, which
 * serve.test.ts and nodes.test.ts show.
 */

const portIn = (data: string) => readFileSync(join(data, "served-port"), "utf8").trim();
const anyPort = ["--host", "127.0.0.1", "--port", "0"];
const second = (data: string) => chatd(["serve", ...anyPort, "--data", data]);

const isReady = async ({ site }: Server) => (await fetch(`${site}/readyz`)).status === 200;

test("a second server is refused in words, and the first one goes on as if nothing had been", async () => {
  const data = join(freshFolder(), "data");
  const server = await serve(["--data", data]);
  const { code, stdout, stderr } = await second(data);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(
    `Another chatd server (process ${server.pid}) on the data folder ${data} is running`,
  );
  expect(stderr).toContain("Stop that server first, or choose another folder with --data");
  expect(stderr).toContain("use PostgreSQL");
  expect(portIn(data)).toBe(new URL(server.site).port);
  expect(await isReady(server)).toBe(true);
  expect(await server.stop()).toBe(0);
});

test("a second server with https is refused before it opens the port, which both could open at once", async () => {
  const data = join(freshFolder(), "data");
  const { certificate, key } = signedByItself("sole", ["localhost"]);
  const https = ["--data", data, "--tls-certificate", certificate, "--tls-key", key];
  const server = await serve(https);
  const { port } = new URL(server.site);
  const { code, stderr } = await chatd(["serve", "--host", "127.0.0.1", "--port", port, ...https]);
  expect(code).toBe(1);
  expect(stderr).toContain(`(process ${server.pid}) on the data folder ${data} is running`);
  expect(await server.stop()).toBe(0);
});

test("a server that was killed leaves no lock, and one that ended neither", async () => {
  const data = join(freshFolder(), "data");
  const killed = await serve(["--data", data]);
  await killed.kill();
  const next = await serve(["--data", data]);
  expect(await next.stop()).toBe(0);
  const last = await serve(["--data", data]);
  expect(last.stderr()).not.toContain('"level":"warn"');
  expect(await last.stop()).toBe(0);
  expect(statSync(join(data, "chatd.db-serving")).size).toBe(0);
});

test("commands, backups and copies work beside the server", async () => {
  const data = join(freshFolder(), "data");
  const server = await serve(["--data", data]);
  const backup = join(freshFolder(), "chatd.tar");
  await mustChatd(["admin", "realm", "update", "description=new", "--data", data]);
  await mustChatd(["admin", "backup", backup, "--data", data]);
  await mustChatd(["admin", "copy", "make", "--data", data]);
  expect((await second(data)).code).toBe(1);
  const restore = ["admin", "restore", backup, "--force", "--data", data];
  expect((await chatd(restore)).code).toBe(1);
  await server.stop();
  await mustChatd(restore);
  const restored = await serve(["--data", data]);
  expect((await second(data)).stderr).toContain(`(process ${restored.pid})`);
  expect(await restored.stop()).toBe(0);
});

test("folders whose database is one file by a symbolic link are for one server together", async () => {
  const [data, other] = [join(freshFolder(), "data"), join(freshFolder(), "data")];
  const server = await serve(["--data", data]);
  mkdirSync(other, { mode: 0o700 });
  for (const name of ["chatd.db", "secret"]) symlinkSync(join(data, name), join(other, name));
  expect((await second(other)).stderr).toContain(`(process ${server.pid})`);
  expect(await server.stop()).toBe(0);
});

test("a folder that was moved away is free for another server in its place", async () => {
  const data = join(freshFolder(), "data");
  const moved = await serve(["--data", data]);
  renameSync(data, `${data}-moved`);
  const next = await serve(["--data", data]);
  await moved.logged("storage_failed");
  expect(await next.stop()).toBe(0);
  const back = await serve(["--data", `${data}-moved`]);
  expect(await back.stop()).toBe(0);
});

const account = 4_711;

test.skipIf(process.getuid?.() !== 0)(
  "a server that may not write its lock file starts, and its log says that nothing is locked",
  async () => {
    const folder = freshFolder();
    chmodSync(folder, 0o755);
    const data = join(folder, "data");
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(join(data, "chatd.db-serving"), "", { mode: 0o644 });
    chownSync(data, account, account);
    const server = await serve(["--data", data]);
    const what = "Nothing keeps a second server from starting on this data folder.";
    expect(await server.logged("data_not_locked")).toMatchObject({ data, what });
    expect(await isReady(server)).toBe(true);
    expect(await server.stop()).toBe(0);
  },
);

/** Begins a request whose body does not come, so that a server that stops waits for it. */
async function beginRequest({ site }: Server) {
  const { hostname, port } = new URL(site);
  const socket = { data: () => undefined };
  const connection = await Bun.connect({ hostname, port: Number(port), socket });
  connection.write(
    "POST /api/v1/fetch_api_key HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na",
  );
  await fetch(`${site}/api/v1/server_settings`);
  return connection;
}

/** Begins a server beside one that is stopping, which waits for the end of a request. */
async function beginBesideStopping() {
  const data = join(freshFolder(), "data");
  const old = await serve(["--data", data]);
  const request = await beginRequest(old);
  const ended = old.stop();
  await old.logged("stopping");
  const next = beginServe(["--data", data]);
  await next.logged("other_server_awaited");
  return { request, ended, next };
}

test("a server waits for one that is stopping, and starts when that one has ended", async () => {
  const { request, ended, next } = await beginBesideStopping();
  request.end();
  expect(await ended).toBe(0);
  await next.logged("started");
  expect(await next.stop()).toBe(0);
});

test("a server waits for one that still answers at its port until it stops", async () => {
  const data = join(freshFolder(), "data");
  const old = await serve(["--data", data, "--drain-seconds", "600"]);
  old.signal("SIGTERM");
  await old.logged("stopping");
  const next = beginServe(["--data", data, "--port", new URL(old.site).port]);
  await next.logged("other_server_awaited");
  expect((await fetch(`${old.site}/readyz`)).status).toBe(503);
  await old.kill();
  await next.logged("started");
  expect(portIn(data)).toBe(new URL(old.site).port);
  expect(await next.stop()).toBe(0);
});

test("a server that waits for one that is stopping can be stopped itself", async () => {
  const { request, ended, next } = await beginBesideStopping();
  expect(await next.stop()).toBe(0);
  request.end();
  expect(await ended).toBe(0);
});

/** Runs a command as on a file system without hard links, such as FAT and many shared folders. */
const withoutHardLinks =
  "strace -f -qq -o /dev/null --trace=link,linkat --inject=link,linkat:error=EPERM".split(" ");

test.skipIf(!requireTool("strace"))(
  "a second server is refused on a file system without hard links too",
  async () => {
    const data = join(freshFolder(), "data");
    const server = await serve(["--data", data], { through: withoutHardLinks });
    const { code, stderr } = await second(data);
    expect(code).toBe(1);
    // The server's own process, because strace passes no signal on.
    const [, pid] = /Another chatd server \(process (\d+)\)/.exec(stderr) ?? [];
    process.kill(Number(pid), "SIGTERM");
    expect(await server.stop()).toBe(0);
  },
);

test.skipIf(!requireTool("strace"))(
  "a server on a file system without locks, such as some shared folders, is told that there may be none",
  async () => {
    const data = join(freshFolder(), "data");
    const through =
      `strace -f -qq -o /dev/null --trace=fcntl -P ${data}/chatd.db-serving --inject=fcntl:error=ENOLCK`.split(
        " ",
      );
    const { code, stderr } = await chatd(["serve", ...anyPort, "--data", data], { through });
    expect(code).toBe(1);
    expect(stderr).toContain(`Another chatd server on the data folder ${data} is running`);
    expect(stderr).toContain("the file system gives no locks, which SQLite needs");
  },
);
