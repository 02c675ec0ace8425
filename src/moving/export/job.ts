import { Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Context, Tx } from "../../core/context";
import { makeFileKey } from "../../files/store";
import { defineJob, type JobContext } from "../../jobs/define";
import type { ExportType } from "../realm-archive/manifest";
import { announceExports } from "./announce";
import { findExport } from "./queries";
import type { ExportRow } from "./wire";

const attemptsMax = 3;

/**
 * Makes a requested export, while the server keeps working. Event: realm_export, to administrators,
 * when it is done and when it has failed for good.
 */
export const exportRealmJob = defineJob(
  "export_realm",
  Type.Object({ exportId: Type.Integer(), url: Type.String() }),
  async (ctx, { exportId, url }, signal) => {
    const row = await findExport(ctx.reader, ctx.realm.id, exportId);
    if (!row || row.deletedAt !== null) return undefined;
    await writeExport(ctx, row, signal);
    return async (tx) => {
      await note(tx, row, { finishedAt: tx.now });
      await announceExports(tx, ctx.realm.id, url);
      return undefined;
    };
  },
  {
    isLeased: true,
    isLong: true,
    attemptsMax,
    async onFinalFailure(tx, ctx, { exportId, url }) {
      const row = await findExport(tx, ctx.realm.id, exportId);
      if (!row) return;
      await note(tx, row, { failedAt: tx.now });
      await announceExports(tx, ctx.realm.id, url);
    },
  },
);

const note = (
  { db, t: { realmExports } }: Tx,
  { realmId, id }: ExportRow,
  changes: Partial<ExportRow>,
) =>
  db
    .update(realmExports)
    .set(changes)
    .where(and(eq(realmExports.realmId, realmId), eq(realmExports.id, id)));

/** The key of an export's file. */
export const exportKey = ({ realmId, file }: ExportRow): string => makeFileKey(realmId, file ?? "");

async function writeExport(ctx: JobContext, row: ExportRow, signal: AbortSignal) {
  const { app, realm } = ctx;
  const { writeRealmArchive } = await import("../realm-archive/write");
  // This removes the draft of a server that was killed.
  await app.files.discard(exportKey(row));
  const draft = await app.files.begin(exportKey(row));
  try {
    const sink = (bytes: Uint8Array) => {
      signal.throwIfAborted();
      return draft.write(bytes);
    };
    const { config, files } = app;
    const surroundings = { config, files, realm, sink, scratchFolder: undefined, now: ctx.now };
    const wanted = { type: typeOf(row), withPasswords: false };
    await writeRealmArchive({ ...surroundings, progress: () => undefined }, wanted);
    await draft.keep();
  } finally {
    await draft.discard();
  }
}

const typeOf = ({ type }: ExportRow): ExportType =>
  type === "full_with_consent" ? type : "public";

/** Enqueues an export, in the write of the request. */
export const enqueueExport = (tx: Tx, ctx: Context, { id: exportId }: ExportRow): Promise<void> =>
  exportRealmJob.enqueue(tx, ctx, { exportId, url: ctx.url }, { key: String(exportId) });
