import { type Endpoint, endpoint, files } from "../http/endpoint";
import { downloadFile, GetFile, GetTemporaryFile, getFile, getTemporaryFile, getTemporaryUrl } from "./read";
import {
  ListAttachments,
  listAttachments,
  RemoveAttachment,
  removeAttachment,
  UploadFile,
  uploadFile,
} from "./service";
import { getThumbnail } from "./thumbnails";
import { BeginTus, beginTus, DescribeTus, describeTus, GoOnTus, goOnTus } from "./tus-verbs";

/** With a slash at the end of its address and without: clients differ. */
const tusPlaces = (["/tus", "/tus/"] as const).flatMap((path): Endpoint[] => [
  endpoint({
    method: "POST",
    path,
    summary: "Begins an upload that may come in several requests (the tus protocol).",
    who: "user",
    body: files,
    input: BeginTus,
    verb: beginTus,
  }),
  endpoint({
    method: "OPTIONS",
    path,
    summary: "Says what of the tus protocol is spoken here.",
    who: "anyone",
    input: DescribeTus,
    verb: describeTus,
  }),
]);

const tusSummaries = {
  HEAD: "Asks how much of an upload has arrived (the tus protocol).",
  PATCH: "Sends the next bytes of an upload (the tus protocol).",
  DELETE: "Gives up an upload that is not finished (the tus protocol).",
};

const tusUpload = (["HEAD", "PATCH", "DELETE"] as const).map(
  (method): Endpoint =>
    endpoint({
      method,
      path: "/tus/{upload_id}",
      summary: tusSummaries[method],
      who: "user",
      body: files,
      input: GoOnTus,
      verb: goOnTus,
    }),
);

export const uploadEndpoints: Endpoint[] = [
  ...tusPlaces,
  ...tusUpload,
  endpoint({
    method: "POST",
    path: "/user_uploads",
    summary: "Uploads a file, the one part of a multipart form that has a file name.",
    who: "user",
    body: files,
    input: UploadFile,
    verb: uploadFile,
  }),
  endpoint({
    method: "GET",
    path: "/user_uploads/{realm_id_str}/{filename}",
    summary: "Answers an address of a file that opens for a minute without signing in.",
    who: "user",
    takesRest: true,
    input: GetFile,
    verb: getTemporaryUrl,
  }),
  endpoint({
    method: "GET",
    path: "/attachments",
    summary: "Lists one's own files.",
    who: "user",
    input: ListAttachments,
    verb: listAttachments,
  }),
  endpoint({
    method: "DELETE",
    path: "/attachments/{attachment_id}",
    summary: "Removes one of one's own files.",
    who: "user",
    input: RemoveAttachment,
    verb: removeAttachment,
  }),
];

/** Where the links in messages lead. */
export const filePages: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/user_uploads/{realm_id_str}/{filename}",
    summary: "The content of a file.",
    who: "spectator",
    takesRest: true,
    input: GetFile,
    verb: getFile,
  }),
  endpoint({
    method: "GET",
    path: "/user_uploads/download/{realm_id_str}/{filename}",
    summary: "The content of a file, which a browser is to store.",
    who: "spectator",
    takesRest: true,
    input: GetFile,
    verb: downloadFile,
  }),
  endpoint({
    method: "GET",
    path: "/user_uploads/thumbnail/{realm_id_str}/{filename}",
    summary: "A picture in one of the forms that `register` names; the form's name stands behind the file's.",
    who: "spectator",
    takesRest: true,
    input: GetFile,
    verb: getThumbnail,
  }),
  endpoint({
    method: "GET",
    path: "/user_uploads/temporary/{token}/{filename}",
    summary: "The content of a file, at a temporary address.",
    who: "anyone",
    input: GetTemporaryFile,
    verb: getTemporaryFile,
  }),
];
