import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { Client } from "../support/client";
import { until } from "../support/polls";
import { commandsIn } from "../support/processes/command-line";
import { freePort } from "../support/processes/free-port";
import { mayNumberProcesses, withOwnProcesses } from "../support/processes/own-mounts";
import { requireTool } from "../support/processes/tools";
import { root } from "../support/root";
import {
  chatd,
  clientOf,
  freshFolder,
  mustChatd,
  organizationFile,
  places,
  readCredentials,
  type Server,
  serve,
  serveCommand,
  serveOnTerminal,
  waitFor,
} from "./chatd";

const curlLine = (output: string) =>
  output.split("\n").find((line) => line.trim().startsWith("curl ")) ?? "";
/** The key that the printed command issues, typed in another folder. */
async function printedKey(server: Server, place: readonly string[] = []): Promise<string> {
  const [printed = ""] = /^ {2}chatd admin api-key issue .*$/m.exec(server.stdout()) ?? [];
  const password = /:\/\/\w+:([^@]+)@/.exec(place.join(" "))?.[1];
  if (password !== undefined) expect(printed).not.toContain(password);
  const [words = []] = commandsIn(printed.replace("PASSWORD", password ?? ""));
  const issued = await mustChatd([...words, "--json"], { cwd: freshFolder() });
  return issued.json().api_key;
}

const apiKey = (output: string): string | undefined => JSON.parse(output).api_key;

describe.each(places)("the first start on $engine", ({ engine, fresh }) => {
  test("makes an organization whose owner gets in with what is printed", async () => {
    const server = await serve([...(await fresh()), "--json"]);
    const key = apiKey(server.stdout()) ?? "";
    expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
    const owner = new Client(server.site, "localhost", { email: "owner@example.com", apiKey: key });
    const me = await owner.get("/users/me");
    expect(me.body).toMatchObject({
      result: "success",
      email: "owner@example.com",
      is_owner: true,
    });
    const { body } = await owner.get("/users/me/subscriptions");
    expect(body.subscriptions.map(({ name }: { name: string }) => name)).toEqual(["general"]);
    expect(await server.stop()).toBe(0);
  });

  test.skipIf(!requireTool("curl"))(
    "prints on a terminal a key, and a curl line that works when it is pasted",
    async () => {
      const server = await serveOnTerminal(await fresh());
      const key = /API key: (\S+)/.exec(server.shown())?.[1] ?? "no key";
      expect(curlLine(server.shown())).toContain(`owner@example.com:${key}`);
      const child = Bun.spawn(["sh", "-c", curlLine(server.shown())], { timeout: 10_000 });
      expect(await new Response(child.stdout).json()).toMatchObject({
        result: "success",
        id: expect.any(Number),
      });
      expect(await server.stop()).toBe(0);
    },
  );

  test("with a secret in the configuration makes the data folder, so that commands beside it know its port", async () => {
    const [place, env] = [await fresh(), { CHATD_SECRET: randomBytes(24).toString("hex") }];
    const server = await serve(place, { env });
    const link = await mustChatd(["admin", "user", "login-link", "owner@example.com", ...place], {
      env,
    });
    expect(link.stdout).toContain(`:${new URL(server.site).port}/login/`);
    expect(await server.stop()).toBe(0);
    expect(server.stderr()).not.toContain('"level":"warn"');
  });

  test("prints no key where a log may keep it, and tells how to get one", async () => {
    const place = await fresh();
    const server = await serve(place);
    expect(server.stdout()).toContain("/login/link/");
    expect(server.stdout()).not.toMatch(/API key: |api_key|curl/);
    expect(await server.stop()).toBe(0);
    expect(await printedKey(server, place)).toMatch(/^[A-Za-z0-9]{32}$/);
  });

  test("prints no key again later, nor to its log", async () => {
    const place = await fresh();
    const first = await serve([...place, "--json"]);
    const key = apiKey(first.stdout()) ?? "no key";
    await first.stop();
    const second = await serve([...place, "--log-level", "debug"]);
    await second.stop();
    expect(second.stdout()).toBe(`chatd is ready at ${second.site}\n`);
    expect(first.stderr() + second.stderr()).not.toContain(key);
  });

  test("of two processes at once makes one organization", async () => {
    const place = await fresh();
    const starts = [serve([...place, "--json"]), serve([...place, "--json"])];
    const outcomes = await Promise.allSettled(starts);
    const servers = outcomes.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    // On SQLite only one of them may serve it.
    const refused = outcomes.flatMap((one) =>
      one.status === "rejected" ? one.reason.message : [],
    );
    const another = expect.stringContaining("Another chatd server");
    expect(refused).toEqual(engine === "sqlite" ? [another] : []);
    const keys = servers
      .map((server) => apiKey(server.stdout()))
      .filter((key) => key !== undefined);
    expect(keys.length).toBe(1);
    for (const { site } of servers) {
      const owner = new Client(site, "localhost", {
        email: "owner@example.com",
        apiKey: keys[0] ?? "",
      });
      expect((await owner.get("/users/me")).status).toBe(200);
    }
    const realms = await mustChatd(["admin", "realm", "list", "--json", ...place]);
    expect(realms.json().realms.length).toBe(1);
    const codes = await Promise.all(servers.map((server) => server.stop()));
    expect(codes).toEqual(servers.map(() => 0));
  });
});

describe.each(places.filter(({ engine }) => engine === "postgres"))(
  "a second server on $engine",
  ({ fresh }) => {
    test("that is refused leaves the links of commands at the port of the first one", async () => {
      const place = await fresh();
      const mail = ["--channel-email-domain", "mail.example.com", "--smtp-port"];
      const server = await serve([...place, ...mail, String(freePort())]);
      const blocker = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
      const serveThere = ["serve", ...place, "--host", "127.0.0.1", "--port", String(freePort())];
      const second = await chatd([...serveThere, ...mail, String(blocker.port)]);
      blocker.stop();
      expect(second.code).toBe(1);
      expect(second.stderr).toContain("is in use. Choose another one with --smtp-port");
      const link = await mustChatd([
        "admin",
        "invite",
        "create",
        "nina@example.com",
        "--json",
        ...place,
      ]);
      expect(link.stdout).toContain(`:${new URL(server.site).port}/`);
      await server.stop();
    });

    test("on one data folder is told that links lead to one of the two, unless their address is configured", async () => {
      const place = await fresh();
      const first = await serve(place);
      expect(first.stderr()).not.toContain("data_shared");
      const second = await serve(place);
      expect(await second.logged("data_shared")).toMatchObject({
        level: "warn",
        what: expect.stringContaining("Set url, or give each server a data folder of its own"),
      });
      const named = await serve([...place, "--url", "https://chat.example.com"]);
      expect(named.stderr()).not.toContain("data_shared");
      for (const server of [first, second, named]) expect(await server.stop()).toBe(0);
      const alone = await serve(place);
      expect(await alone.stop()).toBe(0);
      expect(alone.stderr()).not.toContain("data_shared");
    });
  },
);

describe("chatd serve", () => {
  test("prints one object with --json", async () => {
    const folder = freshFolder();
    const server = await serve(["--data", folder]);
    await server.stop();
    const { stdout } = await runUntilReady(["--data", folder, "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      result: "success",
      url: expect.stringContaining("http://127.0.0.1:"),
    });
  });

  test("keeps what is ephemeral in a temporary folder and removes it", async () => {
    const folder = freshFolder();
    const server = await serve(["--ephemeral"], { env: { TMPDIR: folder } });
    expect(readdirSync(folder).length).toBe(1);
    expect(await printedKey(server)).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(await server.stop("SIGINT")).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("removes the temporary folders of those that were killed, and of no others", async () => {
    const folder = freshFolder();
    const env = { TMPDIR: folder };
    const killed = await serve(["--ephemeral"], { env });
    await killed.kill();
    const [left = ""] = readdirSync(folder);
    expect(left).toStartWith("chatd-ephemeral-");
    mkdirSync(join(folder, "chatd-of-somebody"));
    const first = await serve(["--ephemeral"], { env });
    const second = await serve(["--ephemeral"], { env });
    expect(readdirSync(folder)).toHaveLength(3);
    expect(readdirSync(folder)).not.toContain(left);
    expect(await printedKey(first)).toMatch(/^[A-Za-z0-9]{32}$/);
    await Promise.all([first.stop(), second.stop()]);
    expect(readdirSync(folder)).toEqual(["chatd-of-somebody"]);
  });

  test.skipIf(!mayNumberProcesses())(
    "leaves the temporary folder of one in another container alone, which numbers its processes itself",
    async () => {
      const folder = freshFolder();
      const env = { TMPDIR: folder };
      const here = await serve(["--ephemeral"], { env });
      const there = await serve(["--ephemeral"], { env, through: withOwnProcesses });
      const away = await serve(["--ephemeral"], { env, through: withOwnProcesses });
      expect(readdirSync(folder)).toHaveLength(3);
      await Promise.all([here.stop(), there.kill(), away.kill()]);
    },
  );

  test("says that a port is in use, and issues no keys that nobody would see", async () => {
    const server = await serve(["--ephemeral"]);
    const folder = freshFolder();
    const port = new URL(server.site).port;
    const second = await chatd(["serve", "--data", folder, "--host", "127.0.0.1", "--port", port]);
    expect([second.code, second.stdout]).toEqual([1, ""]);
    expect(second.stderr).toContain(`Port ${port} of 127.0.0.1 is in use`);
    const third = await serve(["--data", folder, "--json"]);
    expect(apiKey(third.stdout())).toBeDefined();
    await Promise.all([server.stop(), third.stop()]);
  });

  test("applies an organization, writes credentials and then sets the passwords", async () => {
    const file = join(freshFolder(), "credentials.json");
    const server = await serve(["--ephemeral", "--apply", organizationFile, "--credentials", file]);
    const credentials = readCredentials(file);
    expect(credentials).toMatchObject({
      site: `http://localhost:${new URL(server.site).port}`,
      realm: "Acme",
    });
    const alice = clientOf(server.site, credentials, "alice");
    expect((await alice.get("/users/me")).body).toMatchObject({ full_name: "Alice" });
    const signIn = async () => {
      const account = { username: "olga@example.com", password: "correct-horse-battery" };
      const { status, body } = await new Client(server.site, "localhost").post(
        "/fetch_api_key",
        account,
      );
      return status === 200 ? body : undefined;
    };
    expect(await waitFor(signIn, 10_000)).toMatchObject({ email: "olga@example.com" });
    expect(await server.stop()).toBe(0);
  });

  test("has all that is declared, and the credentials, with its first answer", async () => {
    const file = join(freshFolder(), "credentials.json");
    const port = String(freePort());
    const starting = serve([
      "--ephemeral",
      "--port",
      port,
      "--apply",
      organizationFile,
      "--credentials",
      file,
    ]);
    const site = `http://127.0.0.1:${port}`;
    const ask = () => new Client(site, "localhost").get("/server_settings").catch(() => undefined);
    expect(await waitFor(ask, 10_000)).toMatchObject({ status: 200, body: { realm_name: "Acme" } });
    const { body } = await clientOf(site, readCredentials(file), "alice").get(
      "/users/me/subscriptions",
    );
    expect(body.subscriptions.length).toBeGreaterThan(0);
    expect(await (await starting).stop()).toBe(0);
  });

  test("ends with exit code 0 at SIGTERM, after it has answered held polls and requests under way", async () => {
    const file = join(freshFolder(), "credentials.json");
    const server = await serve(["--ephemeral", "--apply", organizationFile, "--credentials", file]);
    const alice = clientOf(server.site, readCredentials(file), "alice");
    const queue = await alice.register({ event_types: ["message"] });
    const poll = queue.poll();
    await alice.get("/users/me"); // a round trip later the poll is held
    const sends = Array.from({ length: 20 }, (_, index) =>
      alice.post("/messages", {
        type: "channel",
        to: "core",
        topic: "end",
        content: `last words ${index}`,
      }),
    );
    await alice.get("/users/me"); // a round trip later the server has all of them
    const ended = server.stop();
    expect((await poll).status).toBe(200);
    expect((await Promise.all(sends)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await ended).toBe(0);
    expect(server.stderr()).not.toContain('"level":"error"');
  });

  test("waits for a request that is under way, and ends at once at the second signal", async () => {
    const server = await serve(["--ephemeral"]);
    const { hostname, port } = new URL(server.site);
    const slow = await Bun.connect({
      hostname,
      port: Number(port),
      socket: { data: () => undefined },
    });
    slow.write(
      "POST /api/v1/fetch_api_key HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na",
    );
    const isAnswered = () =>
      fetch(`${server.site}/api/v1/server_settings`).then(
        () => true,
        () => false,
      );
    expect(await isAnswered()).toBe(true);
    const ended = server.stop();
    await until(async () => !(await isAnswered()));
    expect(Bun.peek.status(ended)).toBe("pending");
    expect(await server.stop()).toBe(143);
    slow.end();
  });

  test("H13: logs an error that nobody has caught, and goes on", async () => {
    const script = `
      import { logStrayErrors } from "${join(root, "cli/serve")}";
      import { makeStderrLog } from "${join(root, "cli/stderr-log")}";
      logStrayErrors(makeStderrLog("info"));
      Promise.reject(new Error("rejected"));
      setTimeout(() => { throw new Error("thrown"); }, 10);
      setTimeout(() => console.log("alive"), 50);
    `;
    const { stdout, stderr, exitCode } = spawnSync([process.execPath, "-e", script], {
      timeout: 20_000,
    });
    expect([stdout.toString(), exitCode]).toEqual(["alive\n", 0]);
    const events = stderr
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ event, error }) => [event, error])).toEqual([
      ["unhandled_rejection", "rejected"],
      ["uncaught_exception", "thrown"],
    ]);
  });

  test("I11: does not start with a secret that can be guessed", async () => {
    for (const secret of ["hunter2hunter2", "0".repeat(64)]) {
      const folder = join(freshFolder(), "data");
      const { code, stderr } = await chatd(["serve", "--data", folder, "--port", "0"], {
        env: { CHATD_SECRET: secret },
      });
      expect(code).toBe(2);
      expect(stderr).toContain("can be guessed");
      expect(stderr).not.toContain(secret);
    }
  });

  test("refuses data of a newer chatd, and leaves it alone", async () => {
    const folder = freshFolder();
    await mustChatd([
      "admin",
      "realm",
      "create",
      "--name",
      "Acme",
      "--host",
      "localhost",
      "--data",
      folder,
    ]);
    const file = new Database(join(folder, "chatd.db"));
    file.run(
      "INSERT INTO chatd_schema (version, name, applied_at) VALUES (999, 'from-the-future', 0)",
    );
    file.close();
    for (const args of [
      ["serve", "--port", "0"],
      ["admin", "realm", "list"],
    ]) {
      const { code, stderr } = await chatd([...args, "--data", folder]);
      expect(code).toBe(1);
      expect(stderr).toContain("The database has schema version 999");
    }
  });

  test("is asked to be stopped where a newer chatd finds its data, which no command migrates", async () => {
    const data = freshFolder();
    const server = await serve(["--data", data]);
    const file = new Database(join(data, "chatd.db"));
    // As a server of the version before has them.
    file.run("DELETE FROM chatd_schema WHERE version = (SELECT max(version) FROM chatd_schema)");
    const before = file.query("SELECT * FROM chatd_schema").all();
    const commands = [
      ["user", "list"],
      ["realm", "update", "description=new"],
      ["jobs", "list"],
    ];
    const outcomes = await Promise.all(
      commands.map((words) => chatd(["admin", ...words, "--data", data])),
    );
    for (const { code, stderr } of outcomes) {
      expect(code).toBe(1);
      expect(stderr).toContain("Commands do not migrate data: stop the server");
    }
    expect((await fetch(`${server.site}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    // The open file is what a server of a version without the lock for servers is.
    const place = ["--data", data, "--host", "127.0.0.1", "--port", "0"];
    const { code, stderr } = await chatd(["serve", ...place]);
    expect(code).toBe(1);
    expect(stderr).toContain("another server or command is at work on it. Stop it first");
    expect(file.query("SELECT * FROM chatd_schema").all()).toEqual(before);
    file.close();
  });

  test("reads its configuration file, and names what is wrong in it", async () => {
    const path = join(freshFolder(), "chatd.toml");
    writeFileSync(path, "prot = 80\n");
    const { code, stderr } = await chatd(["serve", "--config", path]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${path}:1:1: unknown key 'prot'. Did you mean port?`);
  });
});

/** Runs a server for as long as it takes to be ready, and answers all that it printed. */
async function runUntilReady(args: string[]) {
  const child = Bun.spawn([...serveCommand, ...args], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: 20_000,
  });
  let stdout = "";
  for await (const chunk of child.stdout) {
    stdout += new TextDecoder().decode(chunk);
    if (stdout.includes("\n")) child.kill("SIGTERM");
  }
  return { stdout, code: await child.exited };
}
