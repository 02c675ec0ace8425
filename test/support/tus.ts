import { Upload, type UploadOptions } from "tus-js-client";
import { headersOf } from "./files";
import type { Person } from "./world";

/** Bytes that do not repeat soon. */
export function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(length);
  for (let index = 0; index < length; index++) content[index] = (index * 7919) >> 3;
  return content;
}

/**
 * The address of an upload at the test's server, because the one that is answered names the
 * organization's host; empty where none is answered.
 */
export const tusUrlAt = ({ site }: { site: string }, location: string | null) =>
  location === null ? "" : `${site}${new URL(location).pathname}`;

/** Uploads with the protocol's own client; the answer is its last one. */
export function tusUpload(
  person: Person,
  content: Uint8Array,
  options: Partial<UploadOptions> = {},
) {
  const done = Promise.withResolvers<{ url: string; filename: string }>();
  const upload = new Upload(Buffer.from(content), {
    endpoint: `${person.site}/api/v1/tus/`,
    headers: headersOf(person),
    metadata: { filename: "bytes.bin", filetype: "application/octet-stream" },
    retryDelays: null,
    onUploadUrlAvailable() {
      upload.url = tusUrlAt(person, upload.url);
    },
    onSuccess: ({ lastResponse }) => done.resolve(JSON.parse(lastResponse.getBody() || "{}")),
    onError: (error) => done.reject(error),
    ...options,
  });
  return { upload, done: done.promise };
}

/** Uploads a file from its beginning to its end. */
export async function uploadWhole(
  person: Person,
  content: Uint8Array,
  options: Partial<UploadOptions> = {},
) {
  const { upload, done } = tusUpload(person, content, options);
  upload.start();
  return { ...(await done), tusUrl: upload.url ?? "" };
}
