import { type Command, Option } from "commander";
import { importSources } from "../src/moving/import/sources";
import { exportForms } from "../src/moving/readable/form";
import { withData, withRealm } from "./options";

/** `chatd admin export` and `chatd admin import`: an organization out of a server and into one. */
export function addArchiveCommands(admin: Command): void {
  withRealm(admin.command("export"))
    .description(
      "write an organization to a file while servers go on: everything but passwords, keys and other secrets",
    )
    .argument("<file>", "a file that is not there yet, or with --as html and jsonl a folder")
    .addOption(
      new Option(
        "--as <form>",
        "a folder to read, with pictures beside: pages with a search, or lines of JSON; or an archive (tar.gz) that the reference server imports",
      ).choices([...exportForms]),
    )
    .option("--public", "only data that everybody in the organization may read")
    .option("--with-passwords", "also the hashes of passwords, so that people sign in as before")
    .action(async (file, options) =>
      (await import("./admin/export")).exportOrganization(file, options),
    );

  withData(admin.command("import"))
    .description(
      "import an organization from a file, while servers run; run it again to continue after an interruption",
    )
    .argument("<file>", "an export of chatd, of Slack (zip) or of the reference server (tar.gz)")
    .addOption(
      new Option("--from <source>", "what the file is an export of")
        .choices([...importSources])
        .default("chatd"),
    )
    .requiredOption("--host <host>", "the host name that clients will connect to, without a port")
    .option("--name <name>", "what the organization is called (default: as in the file)")
    .option("--dry-run", "only list what would be imported and what would be left out")
    .option(
      "--skipped <file>",
      "write a line of JSON to this new file for each thing that is left out",
    )
    .action(async (file, options) =>
      (await import("./admin/import")).importOrganization(file, options),
    );
}
