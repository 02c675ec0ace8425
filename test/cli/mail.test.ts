import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { type Relay, startRelay } from "../support/servers/relay";
import { chatd, mustChatd, places, sqlite } from "./chatd";

let relay: Relay;
beforeAll(async () => {
  relay = await startRelay();
});
afterAll(() => relay.close());

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

const env = () => ({
  CHATD_SMTP_RELAY_HOST: "127.0.0.1",
  CHATD_SMTP_RELAY_PORT: String(relay.port),
  CHATD_SMTP_RELAY_SECURITY: "none",
  CHATD_MAIL_FROM: "chat@example.com",
});

describe.each(places)("on $engine", ({ provisioned }) => {
  test("an operator who deactivates somebody tells them by mail, or learns that nobody can", async () => {
    const { place } = await provisioned();
    const end = [
      "admin",
      "user",
      "deactivate",
      "alice@example.com",
      "--comment",
      "Bye, <b>Alice</b>.",
      "--yes",
    ];
    const { stderr } = await mustChatd([...end, ...place]);
    expect(stderr).toContain("They were not notified, because no mail server is configured");
    await mustChatd(["admin", "user", "reactivate", "alice@example.com", ...place]);
    expect((await mustChatd([...end, ...place], { env: env() })).stderr).toBe("");
    const { jobs } = (await mustChatd(["admin", "jobs", "list", "--json", ...place])).json();
    expect(jobs.map(({ name }: { name: string }) => name)).toEqual(["mail"]);
    expect(JSON.stringify(jobs)).not.toMatch(/Bye|alice@/);
  });
});

test("I12: the password is taken from the environment or the file only, and never shown", async () => {
  const shown = await mustChatd(["admin", "config", "print"], {
    env: { CHATD_SMTP_RELAY_PASSWORD: "hunter2" },
  });
  expect(shown.stdout).toMatch(/^smtp_relay_password +\(hidden\)/m);
  expect(shown.stdout).not.toContain("hunter2");
  expect((await chatd(["admin", "config", "print", "--smtp-relay-password", "hunter2"])).code).toBe(
    2,
  );
});

test("the configuration is checked: the security of the relay, the sender, and the authority's file", async () => {
  const problem = async (one: Record<string, string>) =>
    (await chatd(["admin", "config", "check"], { env: one })).stderr;
  expect(await problem({ CHATD_SMTP_RELAY_SECURITY: "ssl" })).toContain(
    "must be one of starttls, tls, none",
  );
  expect(await problem({ CHATD_MAIL_FROM: "chat" })).toContain("must be an e-mail address");
  expect(await problem({ CHATD_SMTP_RELAY_CA_FILE: "/nowhere.pem" })).toContain("/nowhere.pem");
});

test("chatd admin mail test shows what the mail server says and how long it takes", async () => {
  const { place } = await sqlite.provisioned();
  const { stdout } = await mustChatd(["admin", "mail", "test", "nina@example.org", ...place], {
    env: env(),
  });
  expect(stdout).toMatch(/^> MAIL FROM:<chat@example\.com>$/m);
  expect(stdout).toMatch(/^< 250 queued as 1$/m);
  expect(stdout).toMatch(/^The mail server took it after \d+\.\d seconds: 250 queued as 1$/m);
  expect(relay.received.splice(0)).toMatchObject([
    { to: ["nina@example.org"], from: "chat@example.com" },
  ]);
  const { outcome } = (
    await mustChatd(["admin", "mail", "test", "nina@example.org", "--json", ...place], {
      env: env(),
    })
  ).json();
  expect(outcome).toBe("250 queued as 1");
  relay.received.splice(0);
});

test("chatd admin mail test says once in which words a mail server refuses every connection", async () => {
  const { place } = await sqlite.provisioned();
  const refusing = createServer((socket) => socket.end("554 5.7.1 Not you\r\n"));
  refusing.listen(0, "127.0.0.1");
  await once(refusing, "listening");
  const own = { ...env(), CHATD_SMTP_RELAY_PORT: `${portOf(refusing)}` };
  const words = ["admin", "mail", "test", "nina@example.org", ...place];
  const { code, stderr } = await chatd(words, { env: own });
  expect([code, stderr.trim()]).toEqual([
    1,
    expect.stringMatching(/ seconds: it refuses connections: 554 5\.7\.1 Not you$/),
  ]);
  const checked = await chatd(["admin", "config", "check", ...place], { env: own });
  expect(checked.stderr).toContain("cannot be used: it refuses connections: 554 5.7.1 Not you.");
  refusing.close();
});

test("chatd admin mail test says what went wrong, and that there is no mail server", async () => {
  const { place } = await sqlite.provisioned();
  relay.refuse("nobody@example.org");
  const refused = await chatd(["admin", "mail", "test", "nobody@example.org", ...place], {
    env: env(),
  });
  expect([refused.code, refused.stdout.includes("< 550 no such user")]).toEqual([1, true]);
  expect(refused.stderr).toMatch(
    /^chatd: The mail was not sent, after \d+\.\d seconds: 550 no such user/,
  );
  const gone = await chatd(["admin", "mail", "test", "nina@example.org", "--json", ...place], {
    env: { ...env(), CHATD_SMTP_RELAY_PORT: "1" },
  });
  expect([gone.code, JSON.parse(gone.stderr).msg]).toEqual([
    1,
    expect.stringContaining("ECONNREFUSED"),
  ]);
  const none = await chatd(["admin", "mail", "test", "nina@example.org", ...place]);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("smtp_relay_host")]);
});
