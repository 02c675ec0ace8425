import type { FileContent } from "../files/store";
import type { Html } from "./html";

/** An answer that is a page for people, where a verb does not answer JSON. */
export class Page {
  constructor(
    /** The page, or its bytes where they are compressed already. */
    readonly content: Html | Blob,
    readonly status: number = 200,
    /** Headers beside those that all pages have, or in place of them, in lower case. */
    readonly headers: readonly (readonly [name: string, value: string])[] = [],
  ) {}
}

/** An answer that is a file. */
export class FileAnswer {
  constructor(
    readonly content: FileContent,
    /** Headers beside those that all answers have, in lower case. */
    readonly headers: Readonly<{
      "content-type": string;
      "cache-control": string;
      etag: string;
      [name: string]: string;
    }>,
  ) {}
}

/** An answer of another protocol, which says by itself how it went. */
export class RawAnswer {
  constructor(
    readonly body: string | null,
    readonly status: number,
    /** Headers beside those that all answers have, in lower case. */
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/** An answer with a remark for the person behind the client, which stands in `msg`. */
export class Remarked<Output extends object = object> {
  constructor(
    readonly remark: string,
    readonly output: Output,
  ) {}
}
