import { dirname } from "node:path";
import type { App, Context, RealmRow } from "../../core/context";
import { write } from "../../core/write";
import { openOutput } from "../backup/output";
import type { Progress } from "../backup/progress";
import { type ExportReport, type ExportWanted, writeRealmArchive } from "./write";

/**
 * Notes in the audit log that the operator exports the organization. It is called once the name of
 * the file is accepted.
 */
export const noteExport = (ctx: Context, { type, withPasswords }: ExportWanted): Promise<void> =>
  write(ctx, async (tx) => {
    const after = { type, with_passwords: withPasswords };
    tx.audit(ctx, { action: "export.request", kind: "export", after });
  });

/**
 * Exports an organization to a new file, for the operator, while servers keep running. Only the
 * system account of this process may read the file. Calls `begun` once the name is accepted, before
 * anything is read. Refuses an existing name (BAD_REQUEST). See `writeRealmArchive`.
 */
export async function exportToFile(
  app: App,
  realm: RealmRow,
  path: string,
  wanted: ExportWanted,
  {
    progress,
    check = () => undefined,
    begun,
  }: { progress: Progress; check?: () => void; begun?: () => Promise<void> },
): Promise<ExportReport> {
  const output = await openOutput(path);
  try {
    await begun?.();
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
