import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { FileAnswer } from "../../core/answer";
import { daySeconds } from "../../core/clock";
import type { Context, Person } from "../../core/context";
import { badRequest, noSuchObject, notFound } from "../../core/errors";
import { type Input, id, optional, record, text } from "../../core/params";
import { requireAdministrator } from "../../core/rights/permission";
import { makeToken } from "../../core/secrets/secrets";
import { onlyRow, write } from "../../core/write";
import { releaseFilesIn, removalsSettled } from "../../files/stray";
import { parseUserSettings } from "../../people/settings/user-settings";
import { isActivePerson, listUsers } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { announceExports } from "./announce";
import { enqueueExport, exportKey, exportRealmJob } from "./job";
import { findExport, listExports } from "./queries";
import { type ExportRow, exportObject, exportWire } from "./wire";

const weekSeconds = 7 * daySeconds;
/** Number of exports in a week, because each reads all data. */
const perWeekMax = 5;
/** Suffix of the keys of exports, which distinguishes them from files in messages. */
const fileEnding = "-export";

export const ListExports = record({});

export const ExportList = Type.Object({ exports: Type.Array(exportObject) });

/**
 * The requested exports, for administrators. Source: `test/recorded/api/api-surface.json`,
 * get-realm-exports.
 */
export async function getExports({
  reader,
  realm,
  url,
}: Context): Promise<Static<typeof ExportList>> {
  return { exports: (await listExports(reader, realm.id)).map((row) => exportWire(row, url)) };
}

export const RequestExport = record({ exportType: optional(text()) });

/** Id of the export, as in the list. */
export const RequestedExport = Type.Object({ id: Type.Integer() });

/**
 * Requests an export, for administrators; answers its id. `public` contains data that everybody in
 * the organization may read, `full_with_consent` also data that consenting people may read. Only
 * the requester can fetch it. Event: realm_export, to administrators. Refuses (BAD_REQUEST) another
 * type, a request while another export is being made, and more than five in a week. Source:
 * `test/recorded/api/api-surface.json`, export-realm.
 */
export async function requestExport(
  ctx: Context<Person>,
  { exportType: type = "public" }: Input<typeof RequestExport>,
): Promise<Static<typeof RequestedExport>> {
  requireType(type);
  const file = `${makeToken()}${fileEnding}`;
  return write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    requireAdministrator(actor);
    requireRoom(await listExports(tx, realm.id), tx.now);
    const wanted = { realmId: realm.id, userId: actor.user.id, type, requestedAt: tx.now, file };
    const row = onlyRow(await tx.db.insert(tx.t.realmExports).values(wanted).returning());
    await enqueueExport(tx, ctx, row);
    await announceExports(tx, realm.id, ctx.url);
    const after = { type };
    tx.audit(ctx, { action: "export.request", kind: "export", ids: [row.id], after });
    return { id: row.id };
  });
}

function requireType(type: string) {
  if (type === "public" || type === "full_with_consent") return;
  if (type === "full_without_consent") {
    throw badRequest(
      "Data of people who have not agreed is exported only by the server's operator: chatd admin export.",
    );
  }
  throw badRequest("export_type must be 'public' or 'full_with_consent'.");
}

function requireRoom(rows: readonly ExportRow[], now: number) {
  if (rows.some(({ finishedAt, failedAt }) => finishedAt === null && failedAt === null)) {
    throw badRequest("Another export is in progress: wait until it is done.");
  }
  const recent = rows.filter(
    ({ requestedAt, failedAt }) => failedAt === null && requestedAt > now - weekSeconds,
  );
  if (recent.length >= perWeekMax)
    throw badRequest(`At most ${perWeekMax} exports can be made in a week: try later.`);
}

export const DeleteExport = record({ exportId: id() });

/**
 * Deletes the file of an export, for administrators. Event: realm_export, to administrators.
 * Refuses a missing export (404), and one that is not done, has failed or is already deleted
 * (BAD_REQUEST).
 */
export async function deleteExport(
  ctx: Context,
  { exportId }: Input<typeof DeleteExport>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    requireAdministrator(actor);
    const found = await findExport(tx, realm.id, exportId);
    if (!found) throw noSuchObject("There is no such export.");
    if (found.deletedAt !== null) throw badRequest("The export has already been deleted.");
    if (found.failedAt !== null)
      throw badRequest("The export has failed: there is nothing to delete.");
    if (found.finishedAt === null) throw badRequest("The export is still being made.");
    const { realmExports } = tx.t;
    const isIt = and(eq(realmExports.realmId, realm.id), eq(realmExports.id, exportId));
    await tx.db.update(realmExports).set({ deletedAt: tx.now }).where(isIt);
    await exportRealmJob.cancel(tx, ctx, String(exportId));
    await announceExports(tx, realm.id, ctx.url);
    const before = { type: found.type, requested_by: found.userId };
    tx.audit(ctx, { action: "export.delete", kind: "export", ids: [exportId], before });
    await releaseFilesIn(tx, ctx.app, realm.id, [exportKey(found)]);
  });
  await removalsSettled();
  return undefined;
}

export const ListConsents = record({});

export const ConsentList = Type.Object({
  export_consents: Type.Array(
    Type.Object({
      user_id: Type.Integer(),
      consented: Type.Boolean({
        description: "Whether an export may contain data that the user can read.",
      }),
      email_address_visibility: Type.Integer({ description: "As in the setting with that name." }),
    }),
  ),
});

/** People with their consent to the export of data that they can read, for administrators. */
export async function getConsents({ reader, realm }: Context): Promise<Static<typeof ConsentList>> {
  const users = await listUsers(reader, realm.id);
  const people = users.filter(isActivePerson);
  const export_consents = people.map(({ id: user_id, settings }) => {
    const { allow_private_data_export: consented, email_address_visibility } =
      parseUserSettings(settings);
    return { user_id, consented, email_address_visibility };
  });
  return { export_consents };
}

export const GetExportFile = record({ realmIdStr: text(), filename: text() });

/**
 * The file of an export, only for the administrator who has requested it. For everybody else, and
 * for a requester who is no longer an administrator, it does not exist (404).
 */
export async function getExportFile(
  { app, reader, realm, actor }: Context<Person>,
  { realmIdStr, filename }: Input<typeof GetExportFile>,
): Promise<FileAnswer> {
  const [, exportId, file = ""] = /^(\d{1,15})-([A-Za-z0-9_-]{20,64})\.tar$/.exec(filename) ?? [];
  const row =
    exportId === undefined || realmIdStr !== String(realm.id)
      ? undefined
      : await findExport(reader, realm.id, Number(exportId));
  const isTheirs =
    row?.userId === actor.user.id && row.finishedAt !== null && row.deletedAt === null;
  const content = isTheirs && row.file === file ? await app.files.find(exportKey(row)) : undefined;
  if (!row || !content) throw notFound("There is no such export, or you may not fetch it.");
  return new FileAnswer(content, {
    "content-type": "application/x-tar",
    "content-disposition": `attachment; filename="export-${row.id}.tar"`,
    "cache-control": "private, no-store",
    etag: `"${row.id}"`,
  });
}
