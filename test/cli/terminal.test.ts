import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { atTerminal } from "./at-terminal";
import { chatd, freshFolder, mustChatd, organizationFile, sqlite } from "./chatd";

const control = "\u001b[";

/** E-mail address of a new bot of Alice's that services elsewhere post to. */
async function addHook(place: string[]): Promise<string> {
  const bot = ["add", "hook", "--name", "Hook", "--owner", "alice@example.com"];
  const kind = ["--kind", "incoming-webhook", "--json", ...place];
  return (await mustChatd(["admin", "bot", ...bot, ...kind])).json().bot.email;
}

/** Text that somebody at a terminal sees of a command. */
const seenOf = async (args: string[], env: Record<string, string> = {}) =>
  (await atTerminal(args, { env })).seen;

function largeOrganization(people: number): string {
  const users = Array.from(
    { length: people },
    (_, index) =>
      `  - {email: p${index}@example.com, name: P${index}, role: member, password: correct-horse-${index}}`,
  );
  const text = `realm: {name: Acme, host: localhost}\nusers:\n  - {email: o@example.com, name: O, role: owner}\n`;
  const path = join(freshFolder(), "org.yaml");
  writeFileSync(path, `${text}${users.join("\n")}\n`);
  return path;
}

describe("at a terminal", () => {
  test("changes and errors are coloured, but never where NO_COLOR is set or the terminal has no colours", async () => {
    const data = join(freshFolder(), "data");
    const diff = ["admin", "apply", organizationFile, "--diff", "--data", data];
    const wrong = ["admin", "user", "list", "--data", data];
    expect(await seenOf(diff)).toContain(`${control}32m+ organization Acme`);
    expect(await seenOf(wrong)).toContain(`${control}31mchatd:${control}39m There is no data`);
    for (const args of [diff, wrong]) {
      expect(await seenOf(args, { NO_COLOR: "1" })).not.toContain(control);
      expect(await seenOf(args, { TERM: "dumb" })).not.toContain(control);
    }
  });

  test("long work shows how far it has come, in one line that is gone at the end", async () => {
    const apply = (flags: string[]) => [
      "admin",
      "apply",
      largeOrganization(12),
      "--data",
      freshFolder(),
      ...flags,
    ];
    const seen = await seenOf(apply([]), { NO_COLOR: "1" });
    const [first = "", last = ""] = [
      seen.split("+ organization Acme")[0],
      seen.split(`${control}K`).at(-1),
    ];
    expect(first).toMatch(/Hashing passwords: \d+ of 12/);
    expect(first.endsWith(`\r${control}K`)).toBe(true);
    expect(last).toStartWith("+ organization Acme");
  });
});

test("the log of a server is in words at a terminal, and in JSON with --json", async () => {
  const serve = (...flags: string[]) =>
    atTerminal(["serve", "--port", "0", "--data", join(freshFolder(), "data"), ...flags], {
      env: { NO_COLOR: "1" },
      answers: [[flags.length > 0 ? '"url"' : "chatd is ready at", "\u0003"]],
    });
  const inWords = await serve();
  expect(inWords.code).toBe(0);
  expect(inWords.seen).toMatch(/\d\d:\d\d:\d\d info stopping\b/);
  expect(inWords.seen).not.toContain('{"time"');
  const inJson = await serve("--json");
  expect(inJson.seen).toMatch(/\{"time":"[^"]+","level":"info","event":"stopping"/);
});

describe("a password that is asked for", () => {
  const prompt = "Password: ";

  test("is not shown, and ends with Ctrl-C: exit code 130, nothing done, and the terminal as before", async () => {
    const { place } = await sqlite.provisioned();
    const call = ["admin", "user", "password", "alice@example.com", ...place];
    const typed = await atTerminal(call, { answers: [[prompt, "correct-horse-battery\r"]] });
    expect(typed).toMatchObject({ code: 0, shows: { atPrompt: false, afterwards: true } });
    expect(typed.seen).not.toContain("correct-horse");
    const add = ["admin", "user", "add", "new@example.com", "--name", "N", "--role", "member"];
    const ended = await atTerminal([...add, "--password-stdin", ...place], {
      answers: [[prompt, "half\u0003"]],
    });
    expect(ended).toMatchObject({ code: 130, shows: { atPrompt: false, afterwards: true } });
    expect(ended.seen).toContain("Interrupted. Nothing was changed.");
    const people = await mustChatd(["admin", "user", "list", ...place]);
    expect(people.stdout).not.toContain("new@example.com");
  });

  test("leaves the terminal as before when a signal ends the command", async () => {
    const { place } = await sqlite.provisioned();
    const call = ["admin", "user", "password", "alice@example.com", ...place];
    const { code, seen, shows } = await atTerminal(call, {
      answers: [[prompt, "half"]],
      afterwards: (child) => child.kill("SIGTERM"),
    });
    expect([code, shows]).toEqual([143, { atPrompt: false, afterwards: true }]);
    expect(seen).toContain("chatd: Interrupted.");
  });

  test("may be a key in PEM, which is read to its last line", async () => {
    const { place } = await sqlite.provisioned();
    const hook = await addHook(place);
    const { publicKey } = generateKeyPairSync("rsa", {
      modulusLength: 2_048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    const set = ["admin", "webhook", "secret", "set", hook, "travis", ...place];
    for (const enter of ["\r", "\n", "\r\n"]) {
      const { code, seen } = await atTerminal(set, {
        answers: [["Secret: ", publicKey.replaceAll("\n", enter)]],
      });
      expect([enter, code, seen]).toEqual([
        enter,
        0,
        expect.stringContaining("must now be signed"),
      ]);
      expect(seen).not.toContain("KEY-----");
    }
  });

  test("is asked for only where the command can go on", async () => {
    const { place } = await sqlite.provisioned();
    const hook = await addHook(place);
    const add = ["user", "add", "alice@example.com", "--name", "A", "--role", "member"];
    for (const [args, why] of [
      [["user", "password", "nobody@example.com"], "nobody@example.com"],
      [["user", "password", "alice@example.com", "--realm", "no.example.org"], "no.example.org"],
      [["user", "password", hook], "Bots have no password"],
      [[...add, "--password-stdin"], "already exists"],
      [["webhook", "secret", "set", "nobody@example.com", "github"], "nobody@example.com"],
      [["webhook", "secret", "set", hook, "nothing"], "are not signed"],
    ] as const) {
      const { code, seen } = await atTerminal(["admin", ...args, ...place]);
      expect([args, code, seen]).toEqual([args, 1, expect.stringContaining(why)]);
      expect(seen).not.toMatch(/Password:|Secret:/);
    }
  });
});

test("through a pipe there is neither colour nor progress", async () => {
  const file = largeOrganization(6);
  const data = freshFolder();
  const { code, stdout, stderr } = await chatd(["admin", "apply", file, "--data", data], {
    env: { FORCE_COLOR: "1" },
  });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).not.toContain("\u001b");
  const failed = await chatd([
    "admin",
    "user",
    "role",
    "nobody@example.com",
    "member",
    "--data",
    data,
  ]);
  expect([failed.code, failed.stderr.includes("\u001b")]).toEqual([1, false]);
});
