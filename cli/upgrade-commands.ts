import type { Command } from "commander";
import { withExamples } from "./examples";
import { withData } from "./options";

/** `chatd upgrade`: another version in place of the executable itself. */
export function addUpgradeCommand(program: Command): void {
  withExamples(
    withData(program.command("upgrade")),
    "chatd upgrade chatd-1.3.0-linux-x64.tar.gz --restart",
    "chatd upgrade --back",
  )
    .description("replace this executable by another version, and keep the former one")
    .argument(
      "[file]",
      "the new executable, or the archive of a release; SHA256SUMS beside it is compared",
    )
    .option("--back", "return to the version before")
    .option("--force", "with --back: put data aside that the version before does not know")
    .option("--restart", "restart the service, and return where the new version does not get ready")
    .option("--unit <name>", "the service of systemd (default: chatd)")
    .action(async (file, options) => (await import("./upgrade/upgrade")).upgrade(file, options));
}
