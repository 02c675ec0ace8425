import { beforeAll, describe, expect, test } from "bun:test";
import type { Command } from "commander";
import { type CommandNode, listCommands } from "../../cli/command-tree";
import { UsageError } from "../../cli/output";
import { wholeProgram } from "../../cli/program";
import { commandsIn, problemOf } from "../support/processes/command-line";

/* Rules for all commands, computed from the tree of commands. */

let program: Command;
let commands: CommandNode[];

beforeAll(async () => {
  program = await wholeProgram();
  commands = listCommands(program).filter((one) => one.commands.length === 0);
});

const nameOf = ({ words }: CommandNode) => words.replace(/^chatd (admin )?/, "");
const verbOf = ({ words }: CommandNode) => words.split(" ").at(-1) ?? "";
const flagsOf = ({ flags }: CommandNode) => flags.map(({ name }) => name);

test("examples stand in the help of each command, which they call without a mistake", () => {
  const wrong = commands.flatMap((command) => {
    const { words, examples } = command;
    if (examples.length === 0) return [`${words} has no example`];
    return examples.flatMap((line) => {
      const calls = commandsIn(line);
      const isOfCommand = calls.some((call) => `chatd ${call.join(" ")} `.startsWith(`${words} `));
      const problems = calls.flatMap((call) => problemOf(program, call) ?? []);
      return [...(isOfCommand ? [] : ["it calls another command"]), ...problems].map(
        (problem) => `${line}: ${problem}`,
      );
    });
  });
  expect(commands.length).toBeGreaterThan(90);
  expect(wrong).toEqual([]);
});

test("examples that send secrets to another machine hide them from the others there", () => {
  const open = commands
    .flatMap(({ examples }) => examples)
    .filter((line) => /'.*cat > /.test(line) && !line.includes("umask 077"));
  expect(open).toEqual([]);
});

test("options that a command requires are marked in its help", () => {
  const unmarked: string[] = [];
  let markedCount = 0;
  const visit = (command: Command) => {
    const lines = command.helpInformation().split(/\n(?= {2}\S)/);
    for (const { flags, mandatory } of command.options) {
      const isMarked = lines.some(
        (line) => line.startsWith(`  ${flags} `) && /\(required\)/.test(line),
      );
      if (isMarked) markedCount++;
      if (isMarked !== mandatory) unmarked.push(`${command.name()} ${flags}`);
    }
    command.commands.forEach(visit);
  };
  visit(program);
  expect(unmarked).toEqual([]);
  expect(markedCount).toBeGreaterThan(5);
});

/** Verbs of commands that show something, or that add to what is there. */
const harmless =
  /^(add|address|apply|backup|check|completion|create|defaults|doctor|dump|export|icon|import|issue|key|list|login-link|logo|make|man|move|avatar|password|print|reactivate|register|renew|reorder|retry|role|serve|sessions|devices|set|show|stats|subscribe|test|transfer|unarchive|unlock|update)$/;

/** Commands that take something away without asking, with the reason. */
const takenBack: Readonly<Record<string, string>> = {
  "api-key revoke": "a key that leaked has to end at once, and another one is issued as quickly",
  "channel archive": "chatd admin channel unarchive brings it back as it was",
  "channel renew-addresses": "an address that leaked has to end at once",
  "channel unsubscribe": "chatd admin channel subscribe brings them back",
  "default-group channels remove": "chatd admin default-group channels add brings them back",
  "default-group remove": "chatd admin default-group create brings it back",
  "domain remove": "chatd admin domain add brings it back",
  "emoji remove": "it is still shown where it was used",
  "folder archive": "chatd admin folder unarchive brings it back",
  "group members remove": "chatd admin group members add brings them back",
  "invite revoke": "chatd admin invite create makes another one",
  "linkifier remove": "chatd admin linkifier add brings it back",
  "playground remove": "chatd admin playground add brings it back",
  upgrade: "the former executable stays, and chatd upgrade --back returns to it",
  restore: "it refuses to replace anything without --force, and keeps what it replaces",
  "webhook secret remove": "whoever runs the other service has the secret",
  "webhook template remove": "chatd admin webhook template set brings it back",
};

describe("commands that are hard to take back", () => {
  test("are declared so, or there is a reason why they are not", () => {
    const silent = commands.filter((one) => !one.isDestructive && !harmless.test(verbOf(one)));
    expect(silent.map(nameOf).sort()).toEqual(Object.keys(takenBack).sort());
    const declared = commands.filter((one) => one.isDestructive);
    expect(declared.map(nameOf).sort()).toEqual([
      "bot deactivate",
      "group deactivate",
      "jobs delete",
      "profile-field remove",
      "realm deactivate",
      "topic delete",
      "user deactivate",
      "user delete",
    ]);
  });

  test("that delete, deactivate or merge are all declared", () => {
    const forgotten = commands.filter(
      (one) => /^(delete|deactivate|merge|purge|wipe)$/.test(verbOf(one)) && !one.isDestructive,
    );
    expect(forgotten.map(nameOf)).toEqual([]);
  });

  test("take --yes and --dry-run, and without a terminal they refuse to go on without one", async () => {
    for (const command of commands.filter((one) => one.isDestructive)) {
      expect(flagsOf(command)).toEqual(expect.arrayContaining(["--yes", "--dry-run"]));
      const args = command.arguments.map(() => "1");
      const call = [...command.words.split(" ").slice(1), ...args, "--data", "/nowhere/chatd"];
      const refusal = await program.parseAsync(call, { from: "user" }).catch((error) => error);
      expect(refusal).toBeInstanceOf(UsageError);
      expect(refusal.message).toContain("do it with --yes");
    }
  });
});

/** Commands that add something each time that they are called, with the reason. */
const newEachTime: Readonly<Record<string, string>> = {
  "invite create": "each makes links of its own, which nobody can be shown again",
};

test("commands that add something take --if-missing", () => {
  const adding = commands.filter((one) => /^(add|create)$/.test(verbOf(one)));
  const without = adding.filter((one) => !flagsOf(one).includes("--if-missing"));
  expect(adding.length).toBeGreaterThan(10);
  expect(without.map(nameOf)).toEqual(Object.keys(newEachTime));
});

describe("values that can be seen to be wrong", () => {
  test.each([
    ["admin user add nobody --name X --role member", "valid e-mail address"],
    ["admin user update bob@example.com --email nobody", "valid e-mail address"],
    ["admin realm create --name X --host not/a/host", "host"],
    ["admin realm update description", "Write SETTING=VALUE"],
    ["admin realm deactivate --delete-after-days soon --yes", "whole number of days"],
    ["admin channel create x --retention soon", "number of days"],
    ["admin channel create x --topics-policy never", "Allowed choices"],
    ["admin profile-field add colour --name X", "there is no type 'colour'"],
    ["admin emoji add party! no.png", "name"],
    ["admin bot add deploy --name X --owner a@example.com --kind robot", "Allowed choices"],
    ["admin invite create a@example.com --expires soon", "'soon' is not a time"],
    ["admin user login-link a@example.com --expires soon", "'soon' is not a time"],
    ["admin audit list --limit many", "--limit is a number"],
    ["admin export x.tar --public --with-passwords", "use only one of the two"],
    ["admin jobs delete soup --yes", "is a number"],
    ["admin invite revoke soup", "'soup' is no ID"],
    ["admin invite renew soup", "'soup' is no ID"],
    ["admin api-key revoke soup", "'soup' is no ID"],
    ["admin linkifier remove soup", "'soup' is no ID"],
    ["admin linkifier reorder 1 soup", "'soup' is no ID"],
    ["admin playground remove soup", "'soup' is no ID"],
  ])("%s: is refused as wrong usage, before any data is opened", async (line, why) => {
    const call = [...line.split(" "), "--data", "/nowhere/chatd"];
    const refusal = await program.parseAsync(call, { from: "user" }).catch((error) => error);
    expect(refusal.message).toContain(why);
    expect(refusal instanceof UsageError || refusal.code.startsWith("commander.")).toBe(true);
  });
});
