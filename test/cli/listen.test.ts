import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { join } from "node:path";
import { chatd, freshFolder, organizationFile, readCredentials, serve } from "./chatd";

const folder = freshFolder();
const credentialsFile = join(folder, "credentials.json");
const path = join(folder, "chatd.sock");
const atSocket = (file: string) => ["--ephemeral", "--listen", `unix:${file}`];

/** Asks at the socket as the proxy in front of it does. */
const ask = (route: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  fetch(`http://localhost/api/v1${route}`, { ...init, unix: path });

/** A socket file that nobody listens at any more, as `kill -9` leaves it. */
async function leaveSocket(at: string) {
  const script = `Bun.listen({ unix: ${JSON.stringify(at)}, socket: { data: () => undefined } }); process.kill(process.pid, "SIGKILL");`;
  await Bun.spawn([process.execPath, "-e", script]).exited;
  expect(existsSync(at)).toBe(true);
}

describe("a server at a Unix socket", () => {
  test("replaces a socket that was left behind, answers with its mode, and removes it at the end", async () => {
    await leaveSocket(path);
    const args = [...atSocket(path), "--apply", organizationFile, "--credentials", credentialsFile];
    const server = await serve(args, { umask: "000" });
    expect(server.site).toBe("http://localhost");
    expect(server.stdout()).toContain(`chatd listens on the socket ${path}`);
    expect(statSync(path).mode & 0o777).toBe(0o660);
    expect((await ask("/server_settings")).status).toBe(200);

    const { users, site } = readCredentials(credentialsFile);
    expect(site).toBe("http://localhost");
    const alice = users.find(({ email }) => email === "alice@example.com");
    const authorization = `Basic ${btoa(`${alice?.email}:${alice?.api_key}`)}`;
    const form = new URLSearchParams({ event_types: "[]" });
    const registered = await ask("/register", {
      method: "POST",
      headers: { authorization },
      body: form,
    });
    const { queue_id } = await registered.json();
    const poll = ask(`/events?queue_id=${queue_id}&last_event_id=-1`, {
      headers: { authorization },
    });
    await ask("/users/me", { headers: { authorization } }); // a round trip later the poll is held
    const ended = server.stop();
    expect((await poll).status).toBe(200);
    expect(await ended).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  test("counts requests by the address that the proxy names in X-Forwarded-For, and logs what has started", async () => {
    const server = await serve([...atSocket(path), "--requests-per-minute-per-address", "1"]);
    const from = async (address: string) =>
      (await ask("/server_settings", { headers: { "x-forwarded-for": address } })).status;
    expect([await from("192.0.2.1"), await from("192.0.2.1"), await from("192.0.2.2")]).toEqual([
      200, 429, 200,
    ]);
    expect([await from("203.0.113.9, 192.0.2.1"), await from("203.0.113.9")]).toEqual([429, 200]);
    expect(await server.stop()).toBe(0);
    const line = server
      .stderr()
      .split("\n")
      .find((one) => one.includes('"event":"started"'));
    expect(JSON.parse(line ?? "")).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      commit: expect.any(String),
      address: `unix:${path}`,
      data: expect.stringMatching(/^\//),
      database: "SQLite",
      config_file: "none",
    });
  });

  test("refuses the socket of a server that runs, and what is no socket, and leaves both alone", async () => {
    const other = createServer();
    const [live, plain] = [join(folder, "live.sock"), join(folder, "plain")];
    await new Promise<void>((resolve) => other.listen(live, resolve));
    writeFileSync(plain, "mine");
    const refusals = await Promise.all(
      [live, plain, join(folder, "none", "chatd.sock"), `/${"x".repeat(120)}`].map((at) =>
        chatd(["serve", ...atSocket(at)]),
      ),
    );
    expect(refusals.map(({ code, stderr }) => [code, stderr])).toEqual([
      [1, expect.stringContaining(`A server listens at ${live} already. Stop it`)],
      [1, expect.stringContaining(`${plain} is not a socket.`)],
      [1, expect.stringContaining(`There is no folder ${join(folder, "none")}`)],
      [1, expect.stringContaining("is too long for a socket")],
    ]);
    const connected = Promise.withResolvers<void>();
    const connection = createConnection(live, connected.resolve);
    await connected.promise;
    connection.destroy();
    other.close();
    expect(await Bun.file(plain).text()).toBe("mine");
  });
});

const mailAt = ["--channel-email-domain", "example.com", "--smtp-port", "2525", "--smtp-host"];

describe("an address that cannot be listened at", () => {
  test.each([
    [["--host", "192.0.2.77"], "--host 192.0.2.77 is no address of this machine."],
    [["--host", "no such host"], "--host no such host is no address of this machine."],
    [["--host", "nope.invalid"], "--host nope.invalid is no address of this machine."],
    [[...mailAt, "nope.invalid"], "--smtp-host nope.invalid is no address of this machine."],
    [[...mailAt, "192.0.2.77"], "--smtp-host 192.0.2.77 is no address of this machine."],
    [["--listen", "/run/chatd.sock"], "--listen must be like unix:/run/chatd/chatd.sock"],
    [["--listen", "127.0.0.1:80"], "--host and --port set an address and a port."],
    [["--listen-mode", "777"], "--listen-mode must be 600, 660 or 666."],
  ])("is named with what to do: %p", async (args, why) => {
    const { code, stderr } = await chatd(["serve", "--ephemeral", "--port", "0", ...args]);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(why);
    expect(stderr).not.toMatch(/E[A-Z]{4,}/);
  });

  test.skipIf(process.getuid?.() !== 0)("says which right is missing", async () => {
    chmodSync(folder, 0o755);
    const unprivileged = ["setpriv", "--reuid", "4711", "--regid", "4711", "--clear-groups"];
    const { stderr } = await chatd(["serve", "--ephemeral", "--listen", `unix:${path}`], {
      through: unprivileged,
    });
    expect(stderr).toContain(
      `The socket ${path} cannot be made: the account that runs chatd may not write to ${folder}.`,
    );
  });
});
