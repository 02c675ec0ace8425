import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { dropDatabase, freshDatabase } from "../support/databases/postgres";
import { freePort } from "../support/processes/free-port";
import { startServer } from "../support/processes/server-process";
import { openFailingNetwork } from "../support/servers/failing-network";
import { chatd, command, freshFolder, places } from "./chatd";

const databases: string[] = [];
afterAll(() => Promise.all(databases.map(dropDatabase)));

/** The way to a database that does not answer yet. */
async function networkThatIsDown() {
  const url = await freshDatabase();
  databases.push(url);
  const network = await openFailingNetwork(url);
  await network.down();
  return network;
}

const serveArgs = (port: number) => [
  "serve",
  "--host",
  "127.0.0.1",
  "--port",
  String(port),
  "--data",
  join(freshFolder(), "data"),
];

/** Answer of the server as soon as it refuses requests. */
async function firstRefusal(port: number): Promise<Response> {
  const deadline = performance.now() + 15_000;
  while (performance.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/server_settings`).catch(
      () => undefined,
    );
    if (answer) return answer;
  }
  throw new Error("Nobody listened within 15 s.");
}

const eventsIn = (log: string) =>
  log.split("\n").flatMap((line) => (line ? [JSON.parse(line).event] : []));

describe.each(places.filter(({ engine }) => engine === "postgres"))(
  "chatd serve before its $engine answers",
  () => {
    test("waits for it, refuses requests with 503 meanwhile, and says so once", async () => {
      const network = await networkThatIsDown();
      const port = freePort();
      const server = startServer([...command, ...serveArgs(port)], { CHATD_DATABASE: network.url });
      const refusal = await firstRefusal(port);
      expect([refusal.status, refusal.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(await refusal.json()).toMatchObject({ result: "error", code: "DATABASE_UNAVAILABLE" });
      await network.up();
      const running = await server.ready();
      expect((await fetch(`${running.site}/api/v1/server_settings`)).status).toBe(200);
      expect(eventsIn(running.log()).filter((event) => event.startsWith("database"))).toEqual([
        "database_awaited",
        "database_back",
      ]);
      await running.stop();
      await network.close();
    });
  },
);

const unreachable = { CHATD_DATABASE: "postgres://me:hunter2@127.0.0.1:1/none" };

test("a server that is not to wait for PostgreSQL ends, and a command does so always: both say what to do", async () => {
  const data = ["--data", join(freshFolder(), "data")];
  const outcomes = await Promise.all([
    chatd([...serveArgs(0), "--database-wait-seconds", "0"], { env: unreachable }),
    chatd(["admin", "user", "list", ...data], {
      env: { ...unreachable, CHATD_SECRET: "f00dfeed12345678cafe90abcdef4567" },
    }),
  ]);
  for (const { code, stderr } of outcomes) {
    expect(code).toBe(1);
    expect(stderr).toContain(
      "chatd: The database cannot be reached: nothing listens there: is PostgreSQL running",
    );
    expect(stderr).not.toContain("hunter2");
  }
});

test("a server that waits for PostgreSQL ends at once when it is told to", async () => {
  const port = freePort();
  const child = Bun.spawn([...command, ...serveArgs(port)], {
    env: { ...process.env, ...unreachable },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  expect((await firstRefusal(port)).status).toBe(503);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});
