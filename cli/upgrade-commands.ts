import type { Command } from "commander";
import { withExamples } from "./examples";
import { withData } from "./options";

/** `chatd upgrade`: replaces the executable with another version. */
export function addUpgradeCommand(program: Command): void {
  withExamples(
    withData(program.command("upgrade")),
    "chatd upgrade chatd-1.3.0-linux-x64.tar.gz --restart",
    "chatd upgrade --back",
  )
    .description("replace this executable with another version, and keep the old one")
    .argument(
      "[file]",
      "the new executable, or the archive of a release; checked against SHA256SUMS if that is in its folder",
    )
    .option("--back", "go back to the previous version")
    .option(
      "--force",
      "with --back: restore the copy from before the migration, and keep the newer data in a folder (PostgreSQL: it is deleted)",
    )
    .option(
      "--restart",
      "restart the service, and go back if the new version does not become ready",
    )
    .option("--unit <name>", "the systemd service (default: chatd)")
    .action(async (file, options) => (await import("./upgrade/upgrade")).upgrade(file, options));
}
