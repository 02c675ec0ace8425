import { audited, auditReasons, notAudited } from "../core/audit";
import { endpoint, file, files, noFields, raw } from "../core/endpoint";
import {
  downloadFile,
  GetFile,
  GetTemporaryFile,
  getFile,
  getTemporaryFile,
  getTemporaryUrl,
  TemporaryUrl,
} from "./read";
import {
  AttachmentList,
  ListAttachments,
  listAttachments,
  RemoveAttachment,
  removeAttachment,
  UploadedFile,
  UploadFile,
  uploadFile,
} from "./service";
import { getThumbnail, getThumbnailStatus, ThumbnailStatus } from "./thumbnails";
import { BeginTus, beginTus, DescribeTus, describeTus, GoOnTus, goOnTus } from "./tus-verbs";

/** Statuses of the tus protocol: a wrong offset, and an unsupported version. */
const tusRefusals = [409, 412];

/** Each path with and without a slash at its end, because clients differ. */
const tusPlaces = (["/tus", "/tus/"] as const).flatMap((path) => [
  endpoint({
    method: "POST",
    path,
    audit: notAudited(auditReasons.conversation),
    summary: "Begins an upload in one or several requests (the tus protocol).",
    who: "user",
    body: files,
    input: BeginTus,
    output: raw("application/json"),
    statuses: [201, ...tusRefusals],
    verb: beginTus,
  }),
  endpoint({
    method: "OPTIONS",
    path,
    summary: "Answers which parts of the tus protocol the server supports.",
    who: "anyone",
    input: DescribeTus,
    output: raw(),
    statuses: [204],
    verb: describeTus,
  }),
]);

/** Purpose of each method, and the success statuses that it may answer in addition to 200. */
const tusSteps = {
  HEAD: {
    summary: "Answers how much of an upload has arrived (the tus protocol).",
    output: raw(),
    successes: [],
  },
  PATCH: {
    summary: "Sends the next bytes of an upload (the tus protocol).",
    output: raw("application/json"),
    successes: [204],
  },
  DELETE: {
    summary: "Deletes an unfinished upload (the tus protocol).",
    output: raw(),
    successes: [204],
  },
};

const tusUpload = (["HEAD", "PATCH", "DELETE"] as const).map((method) =>
  endpoint({
    method,
    path: "/tus/{upload_id}",
    audit: notAudited(auditReasons.conversation),
    summary: tusSteps[method].summary,
    who: "user",
    body: files,
    input: GoOnTus,
    output: tusSteps[method].output,
    statuses: [...tusSteps[method].successes, ...tusRefusals],
    verb: goOnTus,
  }),
);

export const uploadEndpoints = [
  ...tusPlaces,
  ...tusUpload,
  endpoint({
    method: "POST",
    path: "/user_uploads",
    summary: "Uploads a file, the only part of a multipart form with a file name.",
    who: "user",
    audit: notAudited(auditReasons.conversation),
    body: files,
    input: UploadFile,
    output: UploadedFile,
    verb: uploadFile,
  }),
  endpoint({
    method: "GET",
    path: "/user_uploads/{realm_id_str}/{filename}",
    summary: "Answers an address of a file that works for a minute without signing in.",
    who: "user",
    takesRest: true,
    input: GetFile,
    output: TemporaryUrl,
    verb: getTemporaryUrl,
  }),
  endpoint({
    method: "GET",
    path: "/thumbnail/status/{realm_id_str}/{filename}",
    summary: "Answers whether a file has thumbnails.",
    who: "spectator",
    takesRest: true,
    input: GetFile,
    output: ThumbnailStatus,
    verb: getThumbnailStatus,
  }),
  endpoint({
    method: "GET",
    path: "/attachments",
    summary: "Lists your files.",
    who: "user",
    input: ListAttachments,
    output: AttachmentList,
    verb: listAttachments,
  }),
  endpoint({
    method: "DELETE",
    path: "/attachments/{attachment_id}",
    summary: "Removes one of your files.",
    who: "user",
    audit: audited("attachment.delete"),
    input: RemoveAttachment,
    output: noFields,
    verb: removeAttachment,
  }),
];

/** Pages for the links in messages. */
export const filePages = [
  endpoint({
    method: "GET",
    path: "/user_uploads/{realm_id_str}/{filename}",
    summary: "The content of a file.",
    who: "spectator",
    takesRest: true,
    input: GetFile,
    output: file(),
    verb: getFile,
  }),
  endpoint({
    method: "GET",
    path: "/user_uploads/download/{realm_id_str}/{filename}",
    summary: "The content of a file, as a download.",
    who: "spectator",
    takesRest: true,
    input: GetFile,
    output: file(),
    verb: downloadFile,
  }),
  endpoint({
    method: "GET",
    path: "/user_uploads/thumbnail/{realm_id_str}/{filename}",
    summary: "A picture in one of the formats of `register`, whose name follows the file's.",
    who: "spectator",
    takesRest: true,
    input: GetFile,
    output: file(),
    verb: getThumbnail,
  }),
  endpoint({
    method: "GET",
    path: "/user_uploads/temporary/{token}/{filename}",
    summary: "The content of a file, at a temporary address.",
    who: "anyone",
    input: GetTemporaryFile,
    output: file(),
    verb: getTemporaryFile,
  }),
];
