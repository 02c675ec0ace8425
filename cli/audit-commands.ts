import type { Command } from "commander";
import { auditTargets } from "../src/core/audit";
import { withExamples } from "./examples";
import { withRealm } from "./options";

/** Adds the options of a command that select entries. */
const withChoice = (command: Command): Command =>
  withRealm(command)
    .option("--since <time>", "entries of the last 30m, 12h or 7d, or since a day like 2026-11-27")
    .option("--actor <who>", "who did it: an e-mail address, or operator, server or nobody")
    .option("--target <kind[:id]>", `what it was done to, like user:17: ${auditTargets.join(", ")}`)
    .option(
      "--type <action>",
      "what was done, like user.deactivate, or user for everything about users",
    );

/** Adds the commands about the audit log. */
export function addAuditCommands(audit: Command) {
  withExamples(
    withChoice(audit.command("list")),
    "chatd admin audit list --since 7d --actor operator --type user",
  )
    .description("list entries of the audit log, newest first")
    .option("--limit <number>", "the highest number of entries", "100")
    .action(async (options) => (await import("./admin/audit")).listActs(options));
  withExamples(
    withChoice(audit.command("export")),
    "chatd admin audit export --since 2026-01-01 > audit.jsonl",
  )
    .description("print all entries as lines of JSON, newest first")
    .action(async (options) => (await import("./admin/audit")).exportActs(options));
}
