import type { Schema } from "../../db/schema";

export type ExportRow = Schema["realmExports"]["$inferSelect"];

/** Where its requester, and nobody else, fetches the file of an export, below the address of the server. */
export const exportPath = ({ realmId, id, file }: ExportRow) => `/realm_exports/${realmId}/${id}-${file}.tar`;

/** An export as the protocol shows it. `url` is the address that people reach the organization by. */
export function exportWire(row: ExportRow, url: string) {
  const { id, userId, type, requestedAt, finishedAt, failedAt, deletedAt } = row;
  const isThere = finishedAt !== null && deletedAt === null;
  return {
    ...{ id, acting_user_id: userId, export_time: requestedAt, export_type: type },
    ...{ deleted_timestamp: deletedAt, failed_timestamp: failedAt },
    export_url: isThere ? `${url}${exportPath(row)}` : null,
    pending: finishedAt === null && failedAt === null,
  };
}

export type WireExport = ReturnType<typeof exportWire>;
