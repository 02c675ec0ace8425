import { type Static, Type } from "@sinclair/typebox";
import type { Schema } from "../../../db/schema";
import { nullable } from "../../core/params";

export type ExportRow = Schema["realmExports"]["$inferSelect"];

/**
 * Path of the file of an export, relative to the address of the server. Only the requester of the
 * export can fetch it.
 */
const exportPath = ({ realmId, id, file }: ExportRow) =>
  `/realm_exports/${realmId}/${id}-${file}.tar`;

/** An export as the protocol shows it. Times are UNIX seconds. */
export const exportObject = Type.Object(
  {
    id: Type.Integer(),
    acting_user_id: Type.Integer({ description: "Administrator who has requested it." }),
    export_time: Type.Integer({ description: "Time of the request." }),
    export_type: Type.String({ enum: ["public", "full_with_consent"] }),
    deleted_timestamp: nullable(Type.Integer()),
    failed_timestamp: nullable(Type.Integer()),
    export_url: nullable(
      Type.String({
        description: "Address of the file, while it exists: only the requester may fetch it.",
      }),
    ),
    pending: Type.Boolean({ description: "Whether it is still being made." }),
  },
  { title: "Export" },
);

type WireExport = Static<typeof exportObject>;

/** `url` is the address of the organization. */
export function exportWire(row: ExportRow, url: string): WireExport {
  const { id, userId, type, requestedAt, finishedAt, failedAt, deletedAt } = row;
  const isThere = finishedAt !== null && deletedAt === null;
  return {
    id,
    acting_user_id: userId,
    export_time: requestedAt,
    export_type: type,
    deleted_timestamp: deletedAt,
    failed_timestamp: failedAt,
    export_url: isThere ? `${url}${exportPath(row)}` : null,
    pending: finishedAt === null && failedAt === null,
  };
}
