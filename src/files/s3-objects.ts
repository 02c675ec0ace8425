import {
  elementsOf,
  isMissing,
  retried,
  type S3Request,
  S3RequestError,
  textIn,
  textOf,
} from "./s3-requests";

/** An object as a store lists it. */
export interface Listed {
  key: string;
  sizeBytes: number;
  /** ISO 8601. */
  changedAt: string;
}

const keysPerPage = 1_000;

/** Whole objects of a bucket. Each request is repeated when the store fails or does not answer. */
export function makeObjects(request: S3Request) {
  const ask: S3Request = (...asked) => retried(() => request(...asked));
  return {
    /** Size of an object in bytes. */
    async size(key: string): Promise<number> {
      const { headers } = await ask("HEAD", key, {});
      const length = headers.get("content-length");
      if (length === null)
        throw new S3RequestError(200, "NoLength", "The store did not tell an object's length.");
      return Number(length);
    },
    /** The bytes from `from` to before `to`, of which there is at least one. */
    async readRange(key: string, from: number, to: number): Promise<ArrayBuffer> {
      const { bytes } = await ask("GET", key, {}, { range: `bytes=${from}-${to - 1}` });
      if (bytes.byteLength !== to - from)
        throw new S3RequestError(
          200,
          "WrongLength",
          `The store gave ${bytes.byteLength} bytes of an object instead of ${to - from}.`,
        );
      return bytes;
    },
    read: async (key: string): Promise<ArrayBuffer> => (await ask("GET", key, {})).bytes,
    async write(key: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
      await ask("PUT", key, {}, { body });
    },
    /** Does nothing where the object does not exist. */
    async remove(key: string): Promise<void> {
      await ask("DELETE", key, {}).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
    /** The objects whose keys have this prefix. */
    async *list(prefix: string): AsyncGenerator<Listed> {
      for (let token: string | undefined; ; ) {
        const { bytes } = await ask("GET", "", {
          "list-type": "2",
          "max-keys": String(keysPerPage),
          prefix,
          ...(token === undefined ? {} : { "continuation-token": token }),
        });
        const text = textIn(bytes);
        for (const element of elementsOf(text, "Contents")) yield listedOf(element);
        token = textOf(text, "NextContinuationToken");
        if (textOf(text, "IsTruncated") !== "true" || token === undefined) return;
      }
    },
  };
}

export type Objects = ReturnType<typeof makeObjects>;

const listedOf = (element: string): Listed => ({
  key: textOf(element, "Key") ?? "",
  sizeBytes: Number(textOf(element, "Size")),
  changedAt: textOf(element, "LastModified") ?? "",
});
