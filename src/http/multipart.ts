import { badRequest } from "../core/errors";
import type { Part } from "./endpoint";

const boundaryLengthMax = 200;
const partHeadersBytesMax = 16_384;
/** Parts of a form with files, as a rule. */
const partsMaxUsual = 100;
const lineBreak = Buffer.from("\r\n");
const headersEnd = Buffer.from("\r\n\r\n");

const cutOff = () => badRequest("The multipart body ends before its last part does.");
const unreadable = () => badRequest("The multipart body could not be read.");

/** Whether a request carries a form in parts, as far as its header says. */
export const isMultipart = (contentType: string | null) =>
  /^multipart\/form-data(;|$)/i.test(contentType?.trim() ?? "");

/**
 * The parts of a multipart body (RFC 7578) as they arrive: of what has been read, no more than a chunk is in memory. A part
 * has to be read before the next one; what is not read of it is passed over. Refuses what is not well formed or ends too
 * early (BAD_REQUEST).
 */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  contentType: string,
  partsMax = partsMaxUsual,
): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`);
  const body = makeWindow(inTime(chunks));
  try {
    for await (const _ of body.until(delimiter)); // what stands before the first part means nothing
    for (let count = 0; !(await isLast(body)); count++) {
      if (count === partsMax) throw badRequest(`A form may have at most ${partsMax} parts.`);
      const headers = await readHeaders(body);
      const content = { isRead: false };
      yield { ...describePart(headers), chunks: contentOf(body, delimiter, content) };
      if (!content.isRead) for await (const _ of body.until(delimiter));
    }
  } finally {
    await body.end();
  }
}

/** Chunks that are there already, or arrive. */
async function* inTime(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** The bytes of a part, which may be read in full or not. */
async function* contentOf(body: Window, delimiter: Buffer, content: { isRead: boolean }): AsyncGenerator<Uint8Array> {
  yield* body.until(delimiter);
  content.isRead = true;
}

function boundaryOf(contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare ?? "";
  if (boundary === "" || boundary.length > boundaryLengthMax) throw unreadable();
  return boundary;
}

/** The part of the body that is looked at. */
interface Window {
  /** The bytes up to a delimiter, which is passed over; refuses a body that ends before it. */
  until(delimiter: Buffer): AsyncGenerator<Uint8Array>;
  /** The next bytes, so many of them. */
  take(count: number): Promise<Buffer>;
  /** The bytes up to a delimiter, if it comes soon enough. */
  takeUntil(delimiter: Buffer, bytesMax: number): Promise<Buffer>;
  end(): Promise<void>;
}

function makeWindow(source: AsyncIterator<Uint8Array>): Window {
  // A body begins with its first boundary, as if a line had ended before it.
  let bytes: Buffer = lineBreak;
  const grow = async () => {
    const { done, value } = await source.next();
    if (done) throw cutOff();
    bytes = Buffer.concat([bytes, value]);
  };
  const cut = (end: number) => {
    const head = bytes.subarray(0, end);
    bytes = bytes.subarray(end);
    return head;
  };
  return {
    async *until(delimiter) {
      for (;;) {
        const at = bytes.indexOf(delimiter);
        const end = at >= 0 ? at : Math.max(0, bytes.length - delimiter.length + 1);
        if (end > 0) yield cut(end);
        if (at >= 0) return void cut(delimiter.length);
        await grow();
      }
    },
    async take(count) {
      while (bytes.length < count) await grow();
      return cut(count);
    },
    async takeUntil(delimiter, bytesMax) {
      for (let at = bytes.indexOf(delimiter); ; at = bytes.indexOf(delimiter)) {
        if (at > bytesMax || (at < 0 && bytes.length > bytesMax)) throw unreadable();
        if (at >= 0) return cut(at + delimiter.length);
        await grow();
      }
    },
    async end() {
      await source.return?.();
    },
  };
}

/** What follows a boundary: two hyphens after the last part, else the end of the line. */
async function isLast(body: Window): Promise<boolean> {
  const mark = (await body.take(2)).toString("latin1");
  if (mark === "--") return true;
  if (mark !== "\r\n") throw unreadable();
  return false;
}

/** The header lines of a part by their names, in lower case. */
async function readHeaders(body: Window): Promise<Map<string, string>> {
  const first = await body.take(2);
  if (first.equals(lineBreak)) return new Map();
  const block = Buffer.concat([first, await body.takeUntil(headersEnd, partHeadersBytesMax)]);
  const lines = block.toString("utf8").trimEnd().split("\r\n");
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      if (colon < 1) throw unreadable();
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function describePart(headers: Map<string, string>): Omit<Part, "chunks"> {
  const disposition = headers.get("content-disposition") ?? "";
  if (!/^form-data\s*(;|$)/i.test(disposition)) throw unreadable();
  const name = parameterOf(disposition, "name") ?? "";
  return { name, filename: extendedParameterOf(disposition, "filename") ?? parameterOf(disposition, "filename") };
}

/** Browsers write a quote in a name as `%22`, others put a backslash before it. */
function parameterOf(header: string, name: string): string | undefined {
  const [, quoted, bare] = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]*))`, "is").exec(header) ?? [];
  if (quoted === undefined) return bare;
  return quoted.replace(/\\(["\\])/g, "$1").replaceAll("%22", '"');
}

/** `filename*=UTF-8''na%C3%AFve.txt` (RFC 8187). */
function extendedParameterOf(header: string, name: string): string | undefined {
  const [, text] = new RegExp(`;\\s*${name}\\*=utf-8'[^']*'([^\\s;]+)`, "i").exec(header) ?? [];
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
