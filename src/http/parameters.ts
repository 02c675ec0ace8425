import { badRequest, tooLarge } from "../core/errors";
import { isTooDeep } from "../core/json/json-depth";
import { isRecord } from "../core/json/record";
import { leaveBody } from "./body-stream";
import { isMultipart, readFields } from "./multipart";

/** All parameters of a request by name, and whether its address had more than are read at first. */
export interface Parameters {
  readonly given: Map<string, string>;
  readonly isCut: boolean;
}

/**
 * The parameters in a request's address: first those of the query, then those of the path. If there
 * are more than `countMax`, the rest are ignored, so that a request can be identified before its
 * number of parameters is checked.
 */
export function readAddress(
  { url }: Request,
  pathParameters: Readonly<Record<string, string>>,
  countMax: number,
): Parameters {
  const given = new Map<string, string>();
  const queryStart = url.indexOf("?");
  const isCut = queryStart >= 0 && !addUrlEncoded(given, queryOf(url, queryStart + 1), countMax);
  addOfPath(given, pathParameters);
  return { given, isCut };
}

/** The query of an address, without the fragment, which a client should not send. */
function queryOf(url: string, start: number): string {
  const end = url.indexOf("#", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

/** Refuses more parameters than `countMax` in one place (BAD_REQUEST). */
export const tooManyParameters = (countMax: number) =>
  badRequest(
    `A request may have at most ${countMax} parameters: send lists as JSON in one of them.`,
  );

/** A body as it was sent. Its content is not checked yet. */
export interface Body {
  type: string;
  content: string | Buffer;
}

/**
 * Number of bytes of a request's body according to its head: Infinity if the head does not say it.
 * Reading the property `body` itself would make a stream, which takes longer than reading the body.
 */
export function bodySize(request: Request): number {
  const declared = request.headers.get("content-length");
  if (declared !== null) return Number(declared);
  return request.body === null ? 0 : Number.POSITIVE_INFINITY;
}

/**
 * Reads a body completely. Refuses one that is too large (REQUEST_TOO_LARGE), if possible by its
 * head, before any of it is read.
 */
export async function readWhole(request: Request, sizeBytesMax: number): Promise<Body> {
  const type = request.headers.get("content-type") ?? "";
  requireSize(request, sizeBytesMax);
  if (isMultipart(type)) return { type, content: await readBytes(request, sizeBytesMax) };
  const isSized = request.headers.has("content-length");
  return {
    type,
    content: isSized ? await request.text() : (await readBytes(request, sizeBytesMax)).toString(),
  };
}

/**
 * Adds the parameters of a body, which may be urlencoded, multipart or a JSON object. If a name is
 * given twice, the last one counts; the query overrides the body, and the path overrides both.
 * Refuses a body that cannot be read, and too many parameters (BAD_REQUEST).
 */
export function addBody(
  { given }: Parameters,
  { type, content }: Body,
  pathParameters: Readonly<Record<string, string>>,
  countMax: number,
): void {
  if (typeof content !== "string") addMultipart(given, content, type, countMax);
  else if (content === "") return;
  else if (type.toLowerCase().startsWith("application/json")) addJson(given, content, countMax);
  else if (!addUrlEncoded(given, content, countMax)) throw tooManyParameters(countMax);
  addOfPath(given, pathParameters);
}

function addOfPath(
  parameters: Map<string, string>,
  pathParameters: Readonly<Record<string, string>>,
) {
  for (const name in pathParameters) parameters.set(name, pathParameters[name] ?? "");
}

/**
 * Reads a text like `URLSearchParams`, in a third of the time; answers whether it has read
 * everything.
 */
function addUrlEncoded(parameters: Map<string, string>, text: string, countMax: number): boolean {
  const pairs = text.split("&", countMax + 1);
  const isAll = pairs.length <= countMax;
  if (!isAll) pairs.pop();
  for (const pair of pairs) {
    if (pair === "") continue;
    const end = pair.indexOf("=");
    if (end < 0) parameters.set(decodeUrl(pair), "");
    else parameters.set(decodeUrl(pair.slice(0, end)), decodeUrl(pair.slice(end + 1)));
  }
  return isAll;
}

function decodeUrl(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // Invalid UTF-8 and a percent sign without two digits are decoded as far as possible.
    return new URLSearchParams(`text=${text}`).get("text") ?? "";
  }
}

/** Refuses a body whose head says that it is too large, before reading any of it. */
function requireSize(request: Request, sizeBytesMax: number) {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > sizeBytesMax) throw tooLarge(sizeBytesMax);
}

/**
 * Reads a body of any content from its bytes as they arrive. Refuses one that is too large
 * (REQUEST_TOO_LARGE).
 */
export async function readBody(
  request: Request,
  chunks: AsyncIterable<Uint8Array>,
  sizeBytesMax: number,
): Promise<Buffer> {
  requireSize(request, sizeBytesMax);
  return joinBytes(chunks, sizeBytesMax);
}

/** Reads a body of unknown size, up to a limit. */
const readBytes = (request: Request, sizeBytesMax: number): Promise<Buffer> =>
  joinBytes(request.body ?? [], sizeBytesMax).catch((error: unknown) => {
    leaveBody(request);
    throw error;
  });

async function joinBytes(
  arriving: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sizeBytesMax: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of arriving) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > sizeBytesMax) throw tooLarge(sizeBytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function addMultipart(
  parameters: Map<string, string>,
  form: Buffer,
  type: string,
  countMax: number,
) {
  let count = 0;
  for (const [name, value] of readFields(form, type)) {
    if (++count > countMax) throw tooManyParameters(countMax);
    parameters.set(name, value);
  }
}

function addJson(parameters: Map<string, string>, text: string, countMax: number) {
  const values = Object.entries(parseObject(text));
  if (values.length > countMax) throw tooManyParameters(countMax);
  for (const [name, value] of values) {
    if (value !== null)
      parameters.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
}

function parseObject(text: string): object {
  if (isTooDeep(text)) throw badRequest("The body is nested too deeply.");
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
  throw badRequest("The body must be a JSON object.");
}
