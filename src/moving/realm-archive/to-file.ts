import { dirname } from "node:path";
import type { App, RealmRow } from "../../core/context";
import { openOutput } from "../backup/output";
import type { Progress } from "../backup/progress";
import { type ExportReport, type ExportWanted, writeRealmArchive } from "./write";

/**
 * Exports an organization to a new file that only this account may read, for the operator, while
 * servers keep running. Refuses an existing name (BAD_REQUEST). See `writeRealmArchive`.
 */
export async function exportToFile(
  app: App,
  realm: RealmRow,
  path: string,
  wanted: ExportWanted,
  { progress, check = () => undefined }: { progress: Progress; check?: () => void },
): Promise<ExportReport> {
  const output = await openOutput(path);
  try {
    const sink = (bytes: Uint8Array) => {
      check();
      return output.sink(bytes);
    };
    const { config, files, clock } = app;
    const surroundings = {
      config,
      files,
      realm,
      sink,
      scratchFolder: dirname(path),
      now: clock.now(),
      progress,
    };
    const report = await writeRealmArchive(surroundings, wanted);
    await output.keep();
    return report;
  } finally {
    await output.discard();
  }
}
