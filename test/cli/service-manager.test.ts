import { describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants, getPriority } from "node:os";
import { join } from "node:path";
import { spawn, spawnSync } from "bun";
import { sendDatagram } from "../../cli/datagram";
import { findServiceManager } from "../../cli/service-manager";
import { unitOfPackage } from "../../deploy/release/debian-package";
import { lacking, requireTool } from "../support/processes/tools";
import { root } from "../support/root";
import { clientOf, command, freshFolder, serve, sqlite, waitFor } from "./chatd";

/* The server as a service of systemd: what systemd hears, and the unit of `deploy/`. */

test("the unit of the Debian package leaves out what the package has done", () => {
  const unit = readFileSync(join(root, "deploy/chatd.service"), "utf8");
  expect(unit).toContain("useradd");
  expect(unitOfPackage(unit)).not.toMatch(/useradd|\/etc\/systemd|\/usr\/local/);
});

/** Prints each datagram that comes to a socket as a line, until the last word comes. */
const receive = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace("@", "\\0", 1))
s.settimeout(30)
print("listening", flush=True)
word = ""
while word != sys.argv[2]:
    word = s.recv(1000).decode().strip()
    print(word, flush=True)
`;

/** Reads lines until one of them is a word; answers all of them. */
async function linesUntil(lines: AsyncIterator<string>, word: string): Promise<string[]> {
  const read: string[] = [];
  while (read.at(-1) !== word) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${word} did not come; there were: ${read.join(", ")}`);
    read.push(value);
  }
  return read;
}

const notWatchdog = (word: string) => word !== "WATCHDOG=1";

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const complete = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = complete.pop() ?? "";
    yield* complete;
  }
}

test.skipIf(!requireTool("python3")).each(["a path", "an abstract name"])(
  "systemd hears at %s that the server is ready, goes on, and stops",
  async (kind) => {
    const folder = freshFolder();
    const socket = kind === "a path" ? join(folder, "notify") : `@chatd-${crypto.randomUUID()}`;
    const last = "STOPPING=1";
    const receiver = spawn(["python3", "-c", receive, socket, last], { stdout: "pipe" });
    const lines = linesOf(receiver.stdout);
    await linesUntil(lines, "listening");
    const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: "200000" };
    const server = await serve(["--data", join(folder, "data")], { env });
    expect(await linesUntil(lines, "WATCHDOG=1")).toEqual(["READY=1", "WATCHDOG=1"]);
    expect(await linesUntil(lines, "WATCHDOG=1")).toEqual(["WATCHDOG=1"]);
    const uptime = Number.parseFloat(readFileSync("/proc/uptime", "utf8"));
    server.signal("SIGHUP");
    const [reloading, at] = (await linesUntil(lines, "READY=1")).filter(notWatchdog);
    expect(reloading).toBe("RELOADING=1");
    const seconds = Number(/^MONOTONIC_USEC=(\d+)$/.exec(at ?? "")?.[1]) / 1e6;
    expect(Math.abs(seconds - uptime)).toBeLessThan(60);
    expect(await server.stop()).toBe(0);
    expect((await linesUntil(lines, "STOPPING=1")).at(-1)).toBe("STOPPING=1");
    expect(await receiver.exited).toBe(0);
  },
);

test.skipIf(!requireTool("python3"))(
  "systemd hears nothing of a reload that ends after the stop has begun",
  async () => {
    const socket = join(freshFolder(), "notify");
    const receiver = spawn(["python3", "-c", receive, socket, "LAST"], { stdout: "pipe" });
    const lines = linesOf(receiver.stdout);
    await linesUntil(lines, "listening");
    const warn = (event: string) => expect.unreachable(event);
    const manager = await findServiceManager({ socket, watchdogMicroseconds: undefined }, { warn });
    manager.ready();
    manager.stopping();
    manager.reloading();
    manager.reloaded();
    sendDatagram(socket, "LAST");
    expect(await linesUntil(lines, "LAST")).toEqual(["READY=1", "STOPPING=1", "LAST"]);
  },
);

test("a server whose service manager is gone goes on, and says so", async () => {
  const socket = join(freshFolder(), "nobody");
  const server = await serve(["--ephemeral"], { env: { NOTIFY_SOCKET: socket } });
  expect((await fetch(`${server.site}/healthz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
  expect(server.stderr()).toContain("service_manager_not_reached");
});

describe("the first start as a service prints the owner's link, but no key that its journal would keep", () => {
  const wayToKey = "chatd admin api-key issue owner@example.com";

  test("where systemd waits for its word", async () => {
    const folder = freshFolder();
    const env = { NOTIFY_SOCKET: join(folder, "nobody-listens") };
    const server = await serve(["--data", join(folder, "data"), "--json"], { env });
    expect(await server.stop()).toBe(0);
    const told = JSON.parse(server.stdout());
    expect(told).toMatchObject({ email: "owner@example.com", login_links: [expect.anything()] });
    expect(told.api_key).toBeUndefined();
  });

  test("where it prints into the journal, also as JSON", async () => {
    for (const more of [[], ["--json"]]) {
      const folder = freshFolder();
      const journal = join(folder, "journal");
      // As systemd does for Type=simple: the journal is the output, and the variable names it.
      const started = `exec >>"$0"; JOURNAL_STREAM=$(stat -L -c %d:%i "$0") exec "$@"`;
      const child = Bun.spawn(
        [
          "sh",
          "-c",
          started,
          journal,
          ...command,
          "serve",
          "--host",
          "127.0.0.1",
          "--port",
          "0",
        ].concat(["--data", join(folder, "data"), ...more]),
        { stderr: "ignore" },
      );
      const printed = () => (existsSync(journal) ? readFileSync(journal, "utf8") : "");
      await waitFor(() => printed().includes("/login/link/") || undefined, 15_000);
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
      expect(printed()).not.toMatch(/API key: |api_key|curl/);
      if (more.length === 0) expect(printed()).toContain(wayToKey);
    }
  });

  test("and a program that a service has started still asks for JSON with a key", async () => {
    const env = { JOURNAL_STREAM: "9:12345", INVOCATION_ID: "0".repeat(32) };
    const server = await serve(["--data", join(freshFolder(), "data"), "--json"], { env });
    expect(await server.stop()).toBe(0);
    expect(JSON.parse(server.stdout()).api_key).toMatch(/^\S{32}$/);
  });
});

test.skipIf(!requireTool("systemd-analyze"))("the unit is one that systemd takes", () => {
  const unit = readFileSync(join(root, "deploy/chatd.service"), "utf8");
  const folder = freshFolder();
  const [path, executable] = [join(folder, "chatd.service"), join(folder, "chatd")];
  copyFileSync(command[0] ?? "", executable);
  writeFileSync(path, unit.replace("/usr/local/bin/chatd", executable));
  const { stdout, stderr, exitCode } = spawnSync(["systemd-analyze", "verify", path]);
  expect([stdout.toString(), stderr.toString(), exitCode]).toEqual(["", "", 0]);
});

test("the unit makes the folder of the Unix socket that the documents name, because it may write to no other", () => {
  const unit = readFileSync(join(root, "deploy/chatd.service"), "utf8");
  const page = readFileSync(join(root, "docs/commands.md"), "utf8");
  const [, folder] = /--listen unix:\/run\/(\w+)\//.exec(page) ?? [];
  expect(unit).toMatch(/^ProtectSystem=strict$/m);
  expect(unit).toContain(`\nRuntimeDirectory=${folder}\n`);
});

const sandbox = join(root, "test/cli/service/in-sandbox.py");
const hasSandbox = ["python3", "systemd-analyze"].every(requireTool);

test.skipIf(!hasSandbox).each([
  ["the unit leaves it", " AF_NETLINK"],
  ["a unit without AF_NETLINK leaves it", ""],
])("a server starts with the system calls that %s", async (_, netlink) => {
  const folder = freshFolder();
  const unit = join(folder, "chatd.service");
  const shipped = readFileSync(join(root, "deploy/chatd.service"), "utf8");
  expect(shipped).toMatch(/^RestrictAddressFamilies=.* AF_NETLINK$/m);
  writeFileSync(unit, shipped.replace(" AF_NETLINK", netlink));
  // At its first start there are links for people, also for those at other machines.
  const everywhere = ["--data", join(folder, "data"), "--host", "0.0.0.0"];
  const server = await serve(everywhere, { through: ["python3", sandbox, unit] });
  expect((await fetch(`${server.site}/readyz`)).status).toBe(200);
  expect(server.stdout()).toContain("/login/link/");
  expect(await server.stop()).toBe(0);
  expect(server.stderr()).not.toMatch(/"level":"(?:warn|error)"/);
});

/** Nice values of the threads of a process: `man proc_pid_stat`, the numbers behind its name. */
const niceValuesOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });

/** Whether a thread can go behind this process, which `nice -n 19` puts behind all others. */
const hasPlaceBehind = () =>
  getPriority() < constants.priority.PRIORITY_LOW ||
  lacking("this process has the lowest priority already, so that no thread can go behind it");

test.skipIf(!hasSandbox || !hasPlaceBehind())(
  "the unit lets the thread that renders long texts go behind the one that answers",
  async () => {
    const { place, credentials } = await sqlite.provisioned();
    const unit = join(root, "deploy/chatd.service");
    const server = await serve(place, { through: ["python3", sandbox, unit] });
    const [usual = 0] = niceValuesOf(server.pid);
    expect(Math.max(...niceValuesOf(server.pid))).toBe(usual);
    const { status } = await clientOf(server.site, credentials, "alice").post("/messages", {
      type: "channel",
      to: "general",
      topic: "long",
      content: "A long text. ".repeat(500),
    });
    expect(status).toBe(200);
    expect(Math.max(...niceValuesOf(server.pid))).toBeGreaterThan(usual);
    expect(await server.stop()).toBe(0);
  },
);
