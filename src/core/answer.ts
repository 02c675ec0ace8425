import type { FileContent } from "../files/store";
import type { Html } from "./text/html";

/** An answer that is a page for people instead of JSON. */
export class Page {
  constructor(
    /** The page, or its bytes where they are compressed already. */
    readonly content: Html | Blob,
    readonly status: number = 200,
    /** Headers, in lower case, that are added to those of all pages or replace them. */
    readonly headers: readonly (readonly [name: string, value: string])[] = [],
    /** Length before compression, of a page that is as long as answers of the API can be. */
    readonly sizeBytes = 0,
  ) {}
}

/**
 * Bytes of a file that are in memory while it is read from another machine. A `Blob` takes none,
 * because the system sends it.
 */
export const readBytes = 1_048_576;

/** An answer that is a file. */
export class FileAnswer {
  constructor(
    readonly content: FileContent,
    /** Headers, in lower case, that are added to those of all answers. */
    readonly headers: Readonly<{
      "content-type": string;
      "cache-control": string;
      etag: string;
      [name: string]: string;
    }>,
  ) {}
}

/** An answer of another protocol, with its own status. */
export class RawAnswer {
  constructor(
    readonly body: string | null,
    readonly status: number,
    /**
     * Headers, in lower case, that are added to those of all answers; one may come several times.
     */
    readonly headers: Readonly<Record<string, string | readonly string[]>>,
  ) {}
}

/** An answer with a remark for the person behind the client, which stands in `msg`. */
export class AnswerWithRemark<Output extends object = object> {
  constructor(
    readonly remark: string,
    readonly output: Output,
  ) {}
}
