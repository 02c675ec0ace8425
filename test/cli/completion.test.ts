import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { requireTool } from "../support/processes/tools";
import { chatd, freshFolder, mustChatd } from "./chatd";

async function writeScript(shell: string): Promise<string> {
  const path = join(freshFolder(), `completion.${shell}`);
  writeFileSync(path, (await mustChatd(["completion", shell])).stdout);
  return path;
}

/** Words that bash offers for the last of some words. */
function offers(script: string, ...words: string[]): string[] {
  const complete = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _chatd; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync(["bash", "-c", complete, "bash", script, ...words]);
  expect(stderr.toString()).toBe("");
  return stdout.toString().split("\n").filter(Boolean);
}

describe("chatd completion", () => {
  test("completes commands, options, their values and files in bash", async () => {
    const script = await writeScript("bash");
    expect(offers(script, "chatd", "adm")).toEqual(["admin"]);
    expect(offers(script, "chatd", "admin", "us")).toEqual(["user"]);
    expect(offers(script, "chatd", "admin", "api-key", "")).toEqual([
      "issue",
      "list",
      "revoke",
      "--help",
    ]);
    expect(offers(script, "chatd", "admin", "user", "add", "--na")).toEqual(["--name"]);
    expect(offers(script, "chatd", "admin", "user", "add", "a@b", "--role", "m")).toEqual([
      "moderator",
      "member",
    ]);
    expect(offers(script, "chatd", "admin", "user", "role", "a@b", "ow")).toEqual(["owner"]);
    expect(offers(script, "chatd", "admin", "user", "add", "--name", "")).toEqual([]);
    expect(offers(script, "chatd", "serve", "--apply", script.slice(0, -2))).toEqual([script]);
    expect(offers(script, "chatd", "admin", "apply", script.slice(0, -2))).toEqual([script]);
    expect(offers(script, "chatd", "admin", "apply", "--dif")).toEqual(["--diff"]);
    expect(offers(script, "chatd", "completion", "f")).toEqual(["fish"]);
    expect(offers(script, "chatd", "admin", "export", "x.tar", "--as", "h")).toEqual(["html"]);
    expect(offers(script, "chatd", "admin", "import", "x.zip", "--from", "s")).toEqual(["slack"]);
    expect(offers(script, "chatd", "admin", "bot", "add", "--kind", "g")).toEqual(["generic"]);
    expect(offers(script, "chatd", "admin", "bot", "set", "--interface", "")).toEqual([
      "own",
      "slack",
    ]);
    expect(offers(script, "chatd", "admin", "files", "move", "--to", "s")).toEqual(["s3"]);
    expect(offers(script, "chatd", "serve", "--log-level", "w")).toEqual(["warn"]);
    expect(offers(script, "chatd", "serve", "--file-store", "")).toEqual(["local", "s3"]);
    expect(offers(script, "chatd", "serve", "--smtp-relay-security", "t")).toEqual(["tls"]);
    expect(offers(script, "chatd", "serve", "--access-log", "")).toEqual(["true", "false"]);
    const start = script.slice(0, -2);
    expect(offers(script, "chatd", "serve", "--tls-key", start)).toEqual([script]);
  });

  test("offers the values of an option in bash, zsh and fish", async () => {
    const texts = ["bash", "zsh", "fish"].map(
      async (shell) => (await mustChatd(["completion", shell])).stdout,
    );
    for (const text of await Promise.all(texts)) {
      expect(text).toContain("starttls tls none");
      expect(text).toContain("generic incoming-webhook outgoing-webhook embedded");
    }
  });

  const shells = ["bash", "zsh", "fish"].map(requireTool);
  test.skipIf(shells.includes(false)).each([
    ["bash", ["bash", "-n"]],
    ["zsh", ["zsh", "-n"]],
    ["fish", ["fish", "--no-execute"]],
  ])("prints a script that %s understands, with every command in it", async (shell, command) => {
    const script = await writeScript(shell);
    const { exitCode, stderr } = spawnSync([...command, script]);
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    const text = readFileSync(script, "utf8");
    for (const words of await listCommands()) expect(text).toContain(words);
  });

  test("refuses other shells", async () => {
    const { code, stdout, stderr } = await chatd(["completion", "powershell"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("bash, zsh, fish");
  });
});

/** The words of every command that does something: `chatd admin user add`. */
async function listCommands(): Promise<string[]> {
  const { stdout } = await mustChatd(["completion", "bash"]);
  const all = [...stdout.matchAll(/^ *'(chatd[^'|]*)'\) offers=/gm)].map(([, words = ""]) => words);
  return all.filter((words) => !all.some((other) => other.startsWith(`${words} `)));
}

/**
 * Tests name a command as `"user", "add"`, or leave the first word to a function of theirs:
 * `group("members", "add")`.
 */
function isRunBy(text: string, words: string): boolean {
  const [first = "", ...rest] = words.replace(/^chatd (admin )?/, "").split(" ");
  const isSaid = (said: string[]) =>
    new RegExp(said.map((word) => `"${word}"`).join(",\\s*")).test(text);
  return isSaid([first, ...rest]) || (rest.length > 0 && isSaid([first]) && isSaid(rest));
}

test("every command is run by a test of this folder", async () => {
  const files = readdirSync(import.meta.dir).filter((file) => /\.(test\.)?ts$/.test(file));
  const texts = files.map((file) => readFileSync(join(import.meta.dir, file), "utf8"));
  const isRun = (words: string) => texts.some((text) => isRunBy(text, words));
  expect((await listCommands()).filter((words) => !isRun(words))).toEqual([]);
});
