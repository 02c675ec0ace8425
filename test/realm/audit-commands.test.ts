import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { desc } from "drizzle-orm";
import { wholeProgram } from "../../cli/program";
import * as stdout from "../../cli/stdout";
import type { AuditAction } from "../../src/core/audit";
import { operatorAddress } from "../../src/core/operator-address";
import { staticPng } from "../support/pictures";
import { scratchFolder } from "../support/scratch-folder";
import { makeWorld, type World, worldHost } from "../support/world";

/**
 * Each command that changes an organization writes one row of the audit log. Commands run in this
 * process, beside the server, because starting the executable for each takes a minute together.
 */
let world: World;
let folder: string;
let common: string[];
let printed = "";

beforeAll(async () => {
  world = await makeWorld();
  folder = mkdtempSync(join(scratchFolder(), "chatd-audit-test-"));
  const { databaseUrl, dataFolder } = world.place;
  const config = join(folder, "chatd.toml");
  const database = databaseUrl === undefined ? "" : `database = ${JSON.stringify(databaseUrl)}\n`;
  writeFileSync(config, database, { mode: 0o600 });
  common = ["--data", dataFolder, "--config", config, "--json"];
  writeFileSync(join(folder, "picture.png"), staticPng);
  writeFileSync(join(folder, "org.yaml"), `realm: {name: Acme Two, host: ${worldHost}}\n`);
  await world.alice.say("general", "lunch", "soup");
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The id in what the last command has printed. */
const printedId = () => /"id":(\d+)/.exec(printed)?.[1] ?? "";
const picture = () => join(folder, "picture.png");
const nina = "nina@example.com";
const ci = `ci-bot@${worldHost}`;
const url = ["--url", "https://chat.example.com"];

type Step = [command: string, rest: () => string[], action: AuditAction];

/** Commands about an organization, in an order in which each has something to do. */
const steps: Step[] = [
  ["apply", () => [join(folder, "org.yaml")], "realm.apply"],
  ["realm update", () => ["description=we cook"], "realm.update"],
  ["realm defaults", () => ["enter_sends=true"], "realm.update_defaults"],
  ["realm icon", () => [picture()], "realm.update_picture"],
  ["realm logo", () => [picture()], "realm.update_picture"],
  ["user add", () => [nina, "--name", "Nina", "--role", "member"], "user.create"],
  ["user role", () => [nina, "moderator"], "user.update"],
  ["user update", () => [nina, "--name", "Nina B"], "user.update"],
  ["user password", () => [nina, "--generate"], "user.change_password"],
  ["user avatar", () => [nina, picture()], "user.update"],
  ["user login-link", () => [nina, ...url], "login_link.create"],
  ["user unlock", () => [nina], "user.unlock"],
  ["user sessions", () => [nina, "--end"], "session.end"],
  ["user devices", () => [nina, "--remove"], "device.remove"],
  ["api-key issue", () => [nina], "api_key.create"],
  ["api-key revoke", () => [printedId()], "api_key.revoke"],
  ["user deactivate", () => [nina, "--yes"], "user.deactivate"],
  ["user reactivate", () => [nina], "user.reactivate"],
  ["user delete", () => [nina, "--yes"], "user.delete"],
  ["invite create", () => ["new@example.com", ...url], "invitation.create"],
  ["invite renew", () => [printedId(), ...url], "invitation.renew"],
  ["invite revoke", () => [printedId()], "invitation.revoke"],
  ["group create", () => ["Cooks"], "group.create"],
  ["group update", () => ["Cooks", "--description", "they cook"], "group.update"],
  ["group members add", () => ["Cooks", "bob@example.com"], "group.change_members"],
  ["group members remove", () => ["Cooks", "bob@example.com"], "group.change_members"],
  ["group deactivate", () => ["Cooks", "--yes"], "group.deactivate"],
  ["group reactivate", () => ["Cooks"], "group.reactivate"],
  ["channel create", () => ["crew"], "channel.create"],
  ["channel update", () => ["crew", "--description", "we"], "channel.update"],
  ["channel subscribe", () => ["crew", "bob@example.com"], "channel.subscribe"],
  ["channel unsubscribe", () => ["crew", "bob@example.com"], "channel.unsubscribe"],
  ["channel renew-addresses", () => ["crew"], "channel.renew_addresses"],
  ["channel archive", () => ["crew"], "channel.archive"],
  ["channel unarchive", () => ["crew"], "channel.update"],
  ["default-group create", () => ["Work", "--channel", "general"], "default_group.create"],
  ["default-group update", () => ["Work", "--name", "Jobs"], "default_group.update"],
  ["default-group channels add", () => ["Jobs", "crew"], "default_group.change_channels"],
  ["default-group channels remove", () => ["Jobs", "crew"], "default_group.change_channels"],
  ["default-group remove", () => ["Jobs"], "default_group.remove"],
  ["topic delete", () => ["general", "lunch", "--yes"], "topic.delete"],
  ["linkifier add", () => ["#(?P<id>[0-9]+)", "https://t.example.com/{id}"], "linkifier.add"],
  [
    "linkifier update",
    () => [printedId(), "!(?P<id>[0-9]+)", "https://t/{id}"],
    "linkifier.update",
  ],
  ["linkifier reorder", () => [printedId()], "linkifier.reorder"],
  ["linkifier remove", () => [printedId()], "linkifier.remove"],
  ["playground add", () => ["Try", "Rust", "https://p.example.com/{code}"], "playground.add"],
  ["playground remove", () => [printedId()], "playground.remove"],
  ["domain add", () => ["acme.example"], "domain.add"],
  ["domain update", () => ["acme.example", "--subdomains"], "domain.update"],
  ["domain remove", () => ["acme.example"], "domain.remove"],
  ["emoji add", () => ["soup", picture()], "emoji.add"],
  ["emoji remove", () => ["soup"], "emoji.remove"],
  ["profile-field add", () => ["short_text", "--name", "Desk"], "profile_field.create"],
  ["profile-field update", () => ["Desk", "--hint", "where"], "profile_field.update"],
  ["profile-field reorder", () => ["Desk"], "profile_field.reorder"],
  ["profile-field remove", () => ["Desk", "--yes"], "profile_field.delete"],
  ["folder create", () => ["Work"], "folder.create"],
  ["folder update", () => ["Work", "--description", "all"], "folder.update"],
  ["folder reorder", () => ["Work"], "folder.reorder"],
  ["folder archive", () => ["Work"], "folder.update"],
  ["folder unarchive", () => ["Work"], "folder.update"],
  [
    "bot add",
    () => ["ci", "--name", "CI", "--owner", "bob@example.com", "--kind", "incoming-webhook"],
    "bot.create",
  ],
  ["bot set", () => [ci, "--name", "CI 2"], "bot.update"],
  ["bot key", () => [ci, "--regenerate"], "api_key.renew"],
  ["bot transfer", () => [ci, "carol@example.com"], "bot.update"],
  ["bot deactivate", () => [ci, "--yes"], "user.deactivate"],
  ["webhook template set", () => ["shop", "orders", "new order"], "webhook_template.set"],
  ["webhook template remove", () => ["shop"], "webhook_template.remove"],
  ["export", () => [join(folder, "export.tar")], "export.request"],
  ["realm deactivate", () => ["--yes"], "realm.deactivate"],
  ["realm reactivate", () => [], "realm.reactivate"],
  ["realm create", () => ["--name", "Third", "--host", "third.example.com"], "realm.create"],
];

/** Commands about the whole server, which are of no organization. */
const aboutTheServer = [
  "backup",
  "check",
  "config check",
  "config print",
  "copy list",
  "copy make",
  "doctor",
  "files move",
  "jobs delete",
  "jobs list",
  "jobs retry",
  "mail test",
  "push register",
  "restore",
];
const reading = [
  "api-key list",
  "audit export",
  "audit list",
  "bot list",
  "channel address",
  "channel list",
  "default-group list",
  "domain list",
  "emoji list",
  "folder list",
  "group list",
  "invite list",
  "linkifier list",
  "playground list",
  "profile-field list",
  "realm dump",
  "realm list",
  "realm show",
  "stats",
  "user list",
  "webhook secret list",
  "webhook template list",
  "webhook test",
];
/**
 * Commands that take a secret from stdin, whose verbs `audit-endpoints.once` asks; and imports,
 * whose row comes with all those of the file: `cli/export-import` looks for it.
 */
const otherwise = ["import", "webhook secret remove", "webhook secret set"];

const leaves = (command: Command, before = ""): string[] => {
  const words = `${before} ${command.name()}`.trim();
  return command.commands.length === 0
    ? [words]
    : command.commands.flatMap((one) => leaves(one, words));
};

test("each command is audited, or there is a reason why not", async () => {
  const program = await wholeProgram();
  const admin = program.commands.find((one) => one.name() === "admin");
  const all = admin ? leaves(admin).map((words) => words.replace(/^admin /, "")) : [];
  const known = [...steps.map(([words]) => words), ...aboutTheServer, ...reading, ...otherwise];
  expect(all.sort()).toEqual([...new Set(known)].sort());
});

async function run(words: string[]) {
  printed = "";
  const output = spyOn(stdout, "writeLine").mockImplementation((line) => {
    printed += line;
  });
  const notices = spyOn(console, "warn").mockImplementation(() => undefined);
  try {
    await (await wholeProgram()).parseAsync(["admin", ...words, ...common], { from: "user" });
  } finally {
    output.mockRestore();
    notices.mockRestore();
  }
}

async function newestActs(after: number) {
  const { db, t } = world.app.engine.openReader();
  const rows = await db.select().from(t.auditLog).orderBy(desc(t.auditLog.id));
  return rows.filter(({ id }) => id > after);
}

test("each command that changes something writes one row, in the operator's name", async () => {
  const withoutRealm = ["apply", "realm create"];
  for (const [command, rest, action] of steps) {
    const last = (await newestActs(0))[0]?.id ?? 0;
    const realm = withoutRealm.includes(command) ? [] : ["--realm", worldHost];
    await run([...command.split(" "), ...rest(), ...realm]);
    const acts = await newestActs(last);
    expect([command, ...acts.map((act) => act.action)]).toEqual([command, action]);
    expect(acts).toMatchObject([
      { actorKind: "operator", actorId: null, way: "", address: operatorAddress() },
    ]);
  }
}, 60_000);
