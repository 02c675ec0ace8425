import { systemClock } from "../../src/core/clock";
import { moveFiles } from "../../src/files/move";
import { openPlaces } from "../../src/files/open";
import { configOf } from "../command-config";
import { requireData } from "../operator";
import type { CommonOptions } from "../options";
import { printResult, UsageError } from "../output";
import { withProgress } from "../progress";
import { makeStderrLog } from "../stderr-log";

/** `chatd admin files move --to s3|local` */
export async function move(options: CommonOptions & { to: string }) {
  requireData(options);
  const config = configOf(options);
  const { local, s3 } = openPlaces(config, systemClock, makeStderrLog("warn", options));
  if (!s3)
    throw new UsageError(
      "The configuration names no S3 store: set s3_endpoint, s3_bucket and the keys.",
    );
  if (config.fileStore !== options.to) {
    throw new UsageError(
      `New files go to ${config.fileStore}: set file_store = "${options.to}", restart all servers, then move the others.`,
    );
  }
  const [from, to] = options.to === "s3" ? [local, s3] : [s3, local];
  const { moved, bytes } = await withProgress((progress) => moveFiles(from, to, progress));
  printResult(options, { to: options.to, moved, bytes }, [
    `Moved ${moved} files (${bytes} bytes) to ${options.to}.`,
  ]);
}
