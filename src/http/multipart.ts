import type { Part } from "../core/endpoint";
import { badRequest } from "../core/errors";

const boundaryLengthMax = 200;
const partHeadersBytesMax = 16_384;
const partsMax = 100;
/** Bytes behind the last part, which mean nothing: most clients send the end of a line there. */
const restBytesMax = 1_024;
const lineBreak = Buffer.from("\r\n");
const headersEnd = Buffer.from("\r\n\r\n");

const cutOff = () => badRequest("The multipart body ends before its last part does.");
const unreadable = () => badRequest("The multipart body could not be read.");

/** Whether a request carries a form in parts, as far as its header says. */
export const isMultipart = (contentType: string | null) =>
  /^multipart\/form-data(;|$)/i.test(contentType?.trim() ?? "");

/**
 * The parts of a multipart body (RFC 7578) as they arrive. No more than one chunk of the body is in
 * memory. A part has to be read before the next one, and its unread rest is passed over. Refuses a
 * body that is not well formed or ends too early (BAD_REQUEST).
 */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<Part> {
  const delimiter = delimiterOf(contentType);
  const body = makeWindow(chunks[Symbol.asyncIterator]());
  try {
    for await (const _ of body.until(delimiter)); // what stands before the first part means nothing
    for (let count = 0; !(await isLast(body)); count++) {
      if (count === partsMax) throw badRequest(`A form may have at most ${partsMax} parts.`);
      const headers = await readHeaders(body);
      const content = { isRead: false };
      yield { ...describePart(headers), chunks: contentOf(body, delimiter, content) };
      if (!content.isRead) for await (const _ of body.until(delimiter));
    }
    await body.takeRest(restBytesMax);
  } finally {
    await body.end();
  }
}

/**
 * The end of a line behind the boundary of a part, or the hyphens behind the last one (RFC 2046,
 * 5.1.1).
 */
const delimiterEnd = /^(?:--|[ \t]*\r\n)/;
const [carriageReturn, lineFeed] = lineBreak;
/** Blanks behind a boundary are looked at so far. */
const delimiterEndLengthMax = 100;

/**
 * The fields of a form that is completely in memory, in their order; files and parts without a name
 * are skipped. It is read at once, because clients send all their forms like this, and waiting for
 * each part takes many times as long. Refuses like `readParts`.
 */
export function* readFields(
  form: Buffer,
  contentType: string,
): Generator<[name: string, value: string]> {
  const delimiter = delimiterOf(contentType);
  // A body begins with its first boundary, as if a line had ended before it.
  const body = Buffer.concat([lineBreak, form]);
  for (let part = nextPart(body, delimiter, 0); !part.isLast; ) {
    const { headers, start } = headersAt(body, part.start);
    const next = nextPart(body, delimiter, start);
    const { name, filename } = describePart(headers);
    if (name !== "" && filename === undefined)
      yield [name, body.toString("utf8", start, next.delimiterStart)];
    part = next;
  }
}

/** The next boundary from a place on, with the place where the headers behind it begin. */
function nextPart(body: Buffer, delimiter: Buffer, from: number) {
  for (let at = body.indexOf(delimiter, from); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    const behind = at + delimiter.length;
    if (body[behind] === carriageReturn && body[behind + 1] === lineFeed) {
      return { delimiterStart: at, start: behind + 2, isLast: false };
    }
    const [end] =
      delimiterEnd.exec(body.toString("latin1", behind, behind + delimiterEndLengthMax)) ?? [];
    if (end !== undefined)
      return { delimiterStart: at, start: behind + end.length, isLast: end === "--" };
  }
  throw cutOff();
}

function headersAt(body: Buffer, from: number): { headers: Map<string, string>; start: number } {
  if (body[from] === carriageReturn && body[from + 1] === lineFeed)
    return { headers: new Map(), start: from };
  const end = body.indexOf(headersEnd, from);
  if (end < 0) throw cutOff();
  if (end - from > partHeadersBytesMax) throw unreadable();
  return { headers: parseHeaders(body.subarray(from, end)), start: end + headersEnd.length };
}

const delimiterOf = (contentType: string) => Buffer.from(`\r\n--${boundaryOf(contentType)}`);

/** The bytes of a part, which may be read in full or not. */
async function* contentOf(
  body: Window,
  delimiter: Buffer,
  content: { isRead: boolean },
): AsyncGenerator<Uint8Array> {
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
  /** All further bytes; refuses more than so many. */
  takeRest(bytesMax: number): Promise<void>;
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
    async takeRest(bytesMax) {
      for (let count = bytes.length; count <= bytesMax; ) {
        const { done, value } = await source.next();
        if (done) return;
        count += value.byteLength;
      }
      throw unreadable();
    },
    async end() {
      await source.return?.();
    },
  };
}

/**
 * Whether a boundary is the last one, by the characters after it: two hyphens after the last part,
 * else the end of the line.
 */
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
  return parseHeaders(
    Buffer.concat([first, await body.takeUntil(headersEnd, partHeadersBytesMax)]),
  );
}

function parseHeaders(block: Buffer): Map<string, string> {
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
  const name = parameterIn(disposition, namePattern) ?? "";
  if (!/filename/i.test(disposition)) return { name, filename: undefined };
  return {
    name,
    filename: extendedParameterIn(disposition) ?? parameterIn(disposition, filenamePattern),
  };
}

const namePattern = /;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/is;
const filenamePattern = /;\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/is;

/** Browsers write a quote in a name as `%22`, others put a backslash before it. */
function parameterIn(header: string, pattern: RegExp): string | undefined {
  const [, quoted, bare] = pattern.exec(header) ?? [];
  if (quoted === undefined) return bare;
  return quoted.replace(/\\(["\\])/g, "$1").replaceAll("%22", '"');
}

/** `filename*=UTF-8''na%C3%AFve.txt` (RFC 8187). */
function extendedParameterIn(header: string): string | undefined {
  const [, text] = /;\s*filename\*=utf-8'[^']*'([^\s;]+)/i.exec(header) ?? [];
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
