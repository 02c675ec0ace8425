import { audited } from "../../core/audit";
import { endpoint, file, noFields } from "../../core/endpoint";
import {
  ConsentList,
  DeleteExport,
  deleteExport,
  ExportList,
  GetExportFile,
  getConsents,
  getExportFile,
  getExports,
  ListConsents,
  ListExports,
  RequestExport,
  RequestedExport,
  requestExport,
} from "./service";

export const exportEndpoints = [
  endpoint({
    method: "GET",
    path: "/export/realm",
    summary: "Lists the exports of the organization.",
    who: "administrator",
    input: ListExports,
    output: ExportList,
    verb: getExports,
  }),
  endpoint({
    method: "POST",
    path: "/export/realm",
    summary: "Requests an export of the organization.",
    who: "administrator",
    audit: audited("export.request"),
    callers: "people",
    input: RequestExport,
    output: RequestedExport,
    verb: requestExport,
  }),
  endpoint({
    method: "DELETE",
    path: "/export/realm/{export_id}",
    summary: "Deletes the file of an export.",
    who: "administrator",
    audit: audited("export.delete"),
    input: DeleteExport,
    output: noFields,
    verb: deleteExport,
  }),
  endpoint({
    method: "GET",
    path: "/export/realm/consents",
    summary: "Lists whether people agree to the export of data that they can read.",
    who: "administrator",
    input: ListConsents,
    output: ConsentList,
    verb: getConsents,
  }),
];

/** Pages that serve exports. */
export const exportPages = [
  endpoint({
    method: "GET",
    path: "/realm_exports/{realm_id_str}/{filename}",
    summary: "The file of an export, for its requester.",
    who: "administrator",
    input: GetExportFile,
    output: file("application/x-tar"),
    verb: getExportFile,
  }),
];
