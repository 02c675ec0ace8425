import type { Command } from "commander";
import { withData } from "./options";

/** `chatd admin backup`, `restore` and `copy`: all of the data in a file, and only the database. */
export function addBackupCommands(admin: Command): void {
  withData(admin.command("backup"))
    .description(
      "back everything up to one file while servers run: the database, files and the secret",
    )
    .argument("<file>", "a new file, or - for stdout")
    .action(async (file, options) => (await import("./admin/backup")).backUp(file, options));

  withData(admin.command("restore"))
    .description("restore a backup, or a copy of the database; stop all servers first")
    .argument("<file>", "the backup, or - for stdin; or a file before-schema-…")
    .option(
      "--force",
      "replace existing data: move it to another folder or, on PostgreSQL, delete chatd's tables",
    )
    .action(async (file, options) => (await import("./admin/backup")).restore(file, options));

  const copy = admin
    .command("copy")
    .description("copies of the database, which are also made before each migration");

  withData(copy.command("make"))
    .description("copy the database while servers run, without files and the secret")
    .option("--before <schema>", "only if the data has an earlier version of the schema")
    .action(async (options) => (await import("./admin/copy")).makeCopy(options));

  withData(copy.command("list"))
    .description("list the copies, and the version of the data's schema")
    .action(async (options) => (await import("./admin/copy")).showCopies(options));
}
