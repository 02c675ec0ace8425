import type { Command } from "commander";
import { withData } from "./options";

/** `chatd admin backup`, `restore` and `copy`: all of the data in a file, and the database alone. */
export function addBackupCommands(admin: Command): void {
  withData(admin.command("backup"))
    .description("write everything to one file while servers go on: rows, files and the secret")
    .argument("<file>", "a file that is not there yet, or - for stdout")
    .action(async (file, options) => (await import("./admin/backup")).backUp(file, options));

  withData(admin.command("restore"))
    .description("put a backup back, or a copy of the database, with all servers stopped")
    .argument("<file>", "the backup, or - for stdin; or a file before-schema-…")
    .option("--force", "put existing data aside; on PostgreSQL, delete chatd's tables")
    .action(async (file, options) => (await import("./admin/backup")).restore(file, options));

  const copy = admin
    .command("copy")
    .description("copies of the database in the data folder, as they are made before a migration");

  withData(copy.command("make"))
    .description("copy the database while servers go on, without files and the secret")
    .option("--before <schema>", "only where the data has an earlier version of the schema")
    .action(async (options) => (await import("./admin/copy")).makeCopy(options));

  withData(copy.command("list"))
    .description("list the copies, and the version of the data's schema")
    .action(async (options) => (await import("./admin/copy")).showCopies(options));
}
