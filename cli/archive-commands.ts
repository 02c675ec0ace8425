import { type Command, InvalidArgumentError, Option } from "commander";
import { importSources } from "../src/moving/import/sources";
import { exportForms } from "../src/moving/readable/form";
import { withExamples } from "./examples";
import { withData, withRealm } from "./options";

/**
 * `chatd admin export` and `chatd admin import`: write an organization to a file and read it from
 * there.
 */
export function addArchiveCommands(admin: Command): void {
  withExamples(
    withRealm(admin.command("export")),
    "chatd admin export acme.tar",
    "chatd admin export acme-public.tar --public",
    "chatd admin export acme-to-read --as html",
    "chatd admin export acme.tar.gz --as zulip",
  )
    .description(
      "export an organization to a file while servers run: everything except passwords, keys and other secrets",
    )
    .argument("<file>", "a new file, or a new folder with --as html and --as jsonl")
    .addOption(
      chosenFrom(
        "--as <form>",
        "html (pages to read) and jsonl (lines of JSON) write a folder with the files in it; zulip writes an archive (tar.gz) that Zulip imports",
        exportForms,
      ),
    )
    .option("--public", "only data that everybody in the organization may read")
    .option("--with-passwords", "include password hashes, so that people can sign in as before")
    .action(async (file, options) =>
      (await import("./admin/export")).exportOrganization(file, options),
    );

  withExamples(
    withData(admin.command("import")),
    "chatd admin import slack.zip --from slack --host chat.example.com --dry-run",
    "chatd admin import acme.tar --host chat.example.com --skipped left-out.jsonl",
  )
    .description(
      "import an organization from a file while servers run; if it was interrupted, run it again to continue",
    )
    .argument("<file>", "an export of chatd, of Slack (zip) or of Zulip (tar.gz)")
    .addOption(
      chosenFrom("--from <source>", "program that made the file", importSources).default("chatd"),
    )
    .requiredOption(
      "--host <host-name>",
      "the host name that clients will connect to, without a port",
    )
    .option("--name <name>", "the organization's name (default: as in the file)")
    .option("--dry-run", "only list what would be imported and what would be left out")
    .option(
      "--skipped <file>",
      "write a line of JSON to this new file for each thing that is left out",
    )
    .action(async (file, options) =>
      (await import("./admin/import")).importOrganization(file, options),
    );
}

/** An option with choices. It also takes the former name of `zulip`, which no help shows. */
const chosenFrom = (flags: string, help: string, choices: readonly string[]): Option =>
  new Option(flags, help).choices([...choices]).argParser((given: string) => {
    const chosen = given === "reference" ? "zulip" : given;
    if (choices.includes(chosen)) return chosen;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
  });
