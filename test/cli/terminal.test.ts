import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "bun";
import { chatd, command, freshFolder, organizationFile } from "./chatd";

const control = "\u001b[";

/** Text that somebody at a terminal sees of a command; stdout and stderr are both the terminal. */
async function atTerminal(args: string[], env: Record<string, string> = {}): Promise<string> {
  let seen = "";
  const decoder = new TextDecoder();
  const child = spawn([...command, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TERM: "xterm-256color", ...env },
    terminal: {
      cols: 100,
      rows: 30,
      data: (_, chunk) => {
        seen += decoder.decode(chunk, { stream: true });
      },
    },
  });
  await child.exited;
  child.terminal?.close();
  return seen;
}

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
    expect(await atTerminal(diff)).toContain(`${control}32m+ organization Acme`);
    expect(await atTerminal(wrong)).toContain(`${control}31mchatd:${control}39m There is no data`);
    for (const args of [diff, wrong]) {
      expect(await atTerminal(args, { NO_COLOR: "1" })).not.toContain(control);
      expect(await atTerminal(args, { TERM: "dumb" })).not.toContain(control);
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
    const seen = await atTerminal(apply([]), { NO_COLOR: "1" });
    const [first = "", last = ""] = [
      seen.split("+ organization Acme")[0],
      seen.split(`${control}K`).at(-1),
    ];
    expect(first).toMatch(/Hashing passwords: \d+ of 12/);
    expect(first.endsWith(`\r${control}K`)).toBe(true);
    expect(last).toStartWith("+ organization Acme");
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
