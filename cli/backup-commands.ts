import type { Command } from "commander";
import { withExamples } from "./examples";
import { withData } from "./options";

/** `chatd admin backup`, `restore` and `copy`: all of the data in a file, and only the database. */
export function addBackupCommands(admin: Command): void {
  withExamples(
    withData(admin.command("backup")),
    "chatd admin backup chatd-backup.tar",
    "chatd admin backup - | ssh backup.example.com 'umask 077; cat > chatd.tar'",
  )
    .description(
      "back everything up to one file while servers run: the database, files and the secret",
    )
    .argument("<file>", "a new file, or - for stdout")
    .action(async (file, options) => (await import("./admin/backup")).backUp(file, options));

  withExamples(
    withData(admin.command("restore")),
    "chatd admin restore chatd-backup.tar --data /var/lib/chatd",
  )
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

  withExamples(withData(copy.command("make")), "chatd admin copy make --data /var/lib/chatd")
    .description("copy the database while servers run, without files and the secret")
    .option("--before <schema>", "only if the data has an earlier version of the schema")
    .action(async (options) => (await import("./admin/copy")).makeCopy(options));

  withExamples(withData(copy.command("list")), "chatd admin copy list --data /var/lib/chatd")
    .description("list the copies, and the version of the data's schema")
    .action(async (options) => (await import("./admin/copy")).showCopies(options));
}
