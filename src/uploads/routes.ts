import { type Endpoint, endpoint } from "../http/endpoint";
import { GetFile, GetTemporaryFile, getFile, getTemporaryFile, getTemporaryUrl } from "./read";
import {
  ListAttachments,
  listAttachments,
  RemoveAttachment,
  removeAttachment,
  UploadFile,
  uploadFile,
} from "./service";

export const uploadEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/user_uploads",
    summary: "Uploads a file, the one part of a multipart form that has a file name.",
    who: "user",
    takesFiles: true,
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
    path: "/user_uploads/temporary/{token}/{filename}",
    summary: "The content of a file, at a temporary address.",
    who: "anyone",
    input: GetTemporaryFile,
    verb: getTemporaryFile,
  }),
];
