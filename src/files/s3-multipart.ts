import {
  elementsOf,
  isMissing,
  retried,
  type S3Request,
  S3RequestError,
  textIn,
  textOf,
} from "./s3-requests";

/** A part that has been stored. */
export interface Part {
  number: number;
  etag: string;
  sizeBytes: number;
}

/** A multipart upload that is under way. */
export interface Upload {
  key: string;
  id: string;
  /** ISO 8601. */
  begunAt: string;
}

const uploadsPerPage = 1_000;

/** Multipart uploads. Stored parts stay until any process completes or aborts the upload. */
export function makeMultipart(request: S3Request) {
  return {
    async begin(key: string): Promise<string> {
      const { bytes } = await request("POST", key, { uploads: "" });
      const id = textOf(textIn(bytes), "UploadId");
      if (id === undefined)
        throw new S3RequestError(200, "NoUploadId", "The store gave no id of an upload.");
      return id;
    },
    async storePart(
      key: string,
      uploadId: string,
      number: number,
      body: Uint8Array<ArrayBuffer>,
    ): Promise<Part> {
      const { headers } = await retried(() =>
        request("PUT", key, { partNumber: String(number), uploadId }, { body }),
      );
      return { number, etag: headers.get("etag") ?? "", sizeBytes: body.byteLength };
    },
    async listParts(key: string, uploadId: string): Promise<Part[]> {
      const parts: Part[] = [];
      for (let marker = "0"; ; ) {
        const text = await readXml(request, key, { uploadId, "part-number-marker": marker });
        for (const element of elementsOf(text, "Part")) parts.push(partOf(element));
        const next = textOf(text, "NextPartNumberMarker");
        if (textOf(text, "IsTruncated") !== "true" || next === undefined || next === marker)
          return parts;
        marker = next;
      }
    },
    async complete(key: string, uploadId: string, parts: readonly Part[]): Promise<void> {
      const body = new TextEncoder().encode(completionOf(parts));
      await retried(() => request("POST", key, { uploadId }, { body }));
    },
    async abort(key: string, uploadId: string): Promise<void> {
      await request("DELETE", key, { uploadId }).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
    /** Uploads whose keys have this prefix; the oldest first. */
    async list(prefix: string): Promise<Upload[]> {
      const uploads: Upload[] = [];
      for (let marker: Record<string, string> = {}; ; ) {
        const page = { uploads: "", prefix, "max-uploads": String(uploadsPerPage), ...marker };
        const text = await readXml(request, "", page);
        for (const element of elementsOf(text, "Upload")) uploads.push(uploadOf(element));
        const next = textOf(text, "NextKeyMarker");
        const nextId = textOf(text, "NextUploadIdMarker") ?? "";
        const isSame = next === marker["key-marker"] && nextId === marker["upload-id-marker"];
        if (textOf(text, "IsTruncated") !== "true" || !next || isSame) break;
        marker = { "key-marker": next, "upload-id-marker": nextId };
      }
      return uploads.toSorted((one, other) => one.begunAt.localeCompare(other.begunAt));
    },
  };
}

export type Multipart = ReturnType<typeof makeMultipart>;

const uploadOf = (element: string): Upload => ({
  key: textOf(element, "Key") ?? "",
  id: textOf(element, "UploadId") ?? "",
  begunAt: textOf(element, "Initiated") ?? "",
});

const partOf = (element: string): Part => ({
  number: Number(textOf(element, "PartNumber")),
  etag: textOf(element, "ETag") ?? "",
  sizeBytes: Number(textOf(element, "Size")),
});

const readXml = async (request: S3Request, key: string, query: Record<string, string>) =>
  textIn((await request("GET", key, query)).bytes);

function completionOf(parts: readonly Part[]): string {
  const list = parts.map(
    ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`;
}
