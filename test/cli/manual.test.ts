import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { listCommands } from "../../cli/command-tree";
import { flagNames, flagOf } from "../../cli/flags";
import { wholeProgram } from "../../cli/program";
import { requireTool } from "../support/processes/tools";
import { freshFolder, mustChatd } from "./chatd";

/* The pages of the manual, which are made from the commands and options that there are. */

/** A page as a reader sees it, without its warnings. */
function readPage(text: string, name: string): { shown: string; warnings: string } {
  const path = join(freshFolder(), name);
  writeFileSync(path, text);
  const env = { ...process.env, LC_ALL: "C.UTF-8", MANWIDTH: "80", MAN_KEEP_FORMATTING: "" };
  const { stdout, stderr } = spawnSync(
    ["man", "--warnings", "-E", "UTF-8", "-P", "cat", "-l", path],
    {
      env,
    },
  );
  return {
    shown: Bun.stripANSI(stdout.toString()),
    warnings: stderr.toString(),
  };
}

test.skipIf(!requireTool("man"))(
  "chatd(1) has every command, and man has no warning of it",
  async () => {
    const { stdout } = await mustChatd(["man"]);
    const { shown, warnings } = readPage(stdout, "chatd.1");
    expect(warnings).toBe("");
    expect(shown).toMatch(/^CHATD\(1\) +User Commands +CHATD\(1\)$/m);
    for (const words of await commandWords()) expect(shown).toContain(words);
    expect(shown).toMatch(/^ +--role <role>\n +Their role: owner, administrator,/m);
  },
);

test("chatd(1) has each option of a command, except those of many commands", async () => {
  const { stdout } = await mustChatd(["man"]);
  const sections = stdout.replaceAll("\\-", "-").split('\n.SS "');
  const shared = ["data", "database", "config", "realm", "json", "help"];
  const ofConfig = [...flagNames.map(flagOf), "help-all"];
  const commands = listCommands(await wholeProgram()).filter((one) => one.commands.length === 0);
  const missing = commands.flatMap(({ words, flags }) => {
    const text = sections.find((one) => `${one.split('"')[0]} `.startsWith(`${words} `)) ?? "";
    const takesConfig = flags.some(({ name }) => name === "--help-all");
    const left = new Set([...shared, ...(takesConfig ? ofConfig : [])].map((name) => `--${name}`));
    return flags
      .filter(({ name }) => !left.has(name) && !text.includes(name))
      .map(({ name }) => `${words} ${name}`);
  });
  expect(missing).toEqual([]);
});

test.skipIf(!requireTool("man"))(
  "chatd(1) tells which options are required, and what each exit code means",
  async () => {
    const { shown } = readPage((await mustChatd(["man"])).stdout, "chatd.1");
    const [, ofCreate = ""] = shown.split("   chatd admin realm create\n");
    expect(ofCreate.replace(/‐\s+/g, "").replace(/\s+/g, " ")).toMatch(
      /--name <name> What it is called\. Required\. --host <host-name> The [^.]+\. Required\. /,
    );
    expect(shown).toMatch(/^ +1 +The command was refused or failed/m);
    expect(shown).toMatch(/^ +3 +chatd admin apply --diff: /m);
  },
);

test.skipIf(!requireTool("man"))(
  "chatd.toml(5) has every key, and man has no warning of it",
  async () => {
    const { stdout } = await mustChatd(["man", "chatd.toml"]);
    const { shown, warnings } = readPage(stdout, "chatd.toml.5");
    expect(warnings).toBe("");
    for (const name of [...flagNames, "secret"])
      expect(shown).toMatch(new RegExp(`^ +${name}(?: |$)`, "m"));
    expect(shown).toMatch(
      /^ +log_level\n +Lowest level of the log: debug, info, warn or error\.\s+Default:\s+info\.$/m,
    );
  },
);

/** The words of every command that does something. */
async function commandWords(): Promise<string[]> {
  const { stdout } = await mustChatd(["completion", "bash"]);
  const all = [...stdout.matchAll(/^ *'(chatd[^'|]*)'\) offers=/gm)].map(([, words = ""]) => words);
  return all.filter((words) => !all.some((other) => other.startsWith(`${words} `)));
}
