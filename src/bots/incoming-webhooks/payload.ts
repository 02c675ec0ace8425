import { anomalousPayload, badRequest } from "../../core/errors";
import { isTooDeep } from "../../core/json/json-depth";
import { isRecord } from "../../core/json/record";

/** Post of a service. */
export interface Posted {
  /** JSON of any kind. */
  payload: unknown;
  header(name: string): string | null;
}

/**
 * Value in JSON at a path of names and indexes joined by points: `commits.0.author.name`. Undefined
 * where there is none, also for null and for inherited properties of objects.
 */
export function pick(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = Reflect.get(found, name);
  }
  return found ?? undefined;
}

/** Text at a path; empty for other values than texts and numbers. */
export function pickText(value: unknown, path: string): string {
  const found = pick(value, path);
  return typeof found === "string" || typeof found === "number" || typeof found === "boolean"
    ? String(found)
    : "";
}

/** List at a path; empty for other values than lists. */
export function pickList(value: unknown, path: string): unknown[] {
  const found = pick(value, path);
  return Array.isArray(found) ? found : [];
}

/** JSON that must be an object. */
export function fieldsOf(payload: unknown, webhookName: string): Record<string, unknown> {
  if (!isRecord(payload)) throw anomalousPayload(webhookName);
  return payload;
}

/** Text of a post. */
export interface PostedText {
  /** The text that `parsePayload` parses. */
  json: string;
  /** Whether that text is the value of the only field `payload` of a form. */
  isFormField: boolean;
}

/**
 * Reads the text of a post in its declared encoding: JSON, or a form with JSON in its field
 * `payload`. A form without that field is an object of its fields, whose values are texts; files in
 * it are left out. Senders that declare no form post JSON, and so do some that declare one. Refuses
 * (BAD_REQUEST) an unknown encoding, a compressed body, and parts that cannot be read.
 */
export async function readPosted(body: Uint8Array, header: Posted["header"]): Promise<PostedText> {
  const encoding = header("content-encoding") ?? "";
  if (compressions.test(encoding))
    throw badRequest(
      `The post is compressed ('Content-Encoding: ${encoding}'): turn compression off in the service.`,
    );
  const contentType = header("content-type")?.trim() ?? "";
  if (/^multipart\/form-data/i.test(contentType)) {
    const fields = await readParts(body, contentType);
    return { json: fields.get("payload") ?? jsonOf(fields), isFormField: false };
  }
  const text = decode(body, contentType).replace(/^\ufeff/, "");
  const isForm = /^application\/x-www-form-urlencoded/i.test(contentType);
  if (!isForm || text.trimStart().startsWith("{")) return { json: text, isFormField: false };
  const fields = new URLSearchParams(text);
  const [payload, ...others] = fields.getAll("payload");
  if (payload !== undefined) return { json: payload, isFormField: others.length === 0 };
  return { json: jsonOf(fields), isFormField: false };
}

const jsonOf = (fields: URLSearchParams) =>
  fields.size === 0 ? "" : JSON.stringify(Object.fromEntries(fields));

/**
 * Compressed forms of a body. Some senders name a character set in that header, which is harmless.
 */
const compressions = /\b(?:gzip|compress|deflate|br|zstd)\b/i;

/** The fields of a form in parts, without its files. */
async function readParts(body: Uint8Array, contentType: string): Promise<URLSearchParams> {
  const headers = { "content-type": contentType };
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw badRequest("The parts of the form could not be read.");
  });
  const fields = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === "string") fields.append(name, value);
  return fields;
}

/**
 * Parses the JSON of a post. Refuses (BAD_REQUEST) other texts, and one that is nested too deeply.
 */
export function parsePayload({ json }: PostedText): unknown {
  if (isTooDeep(json)) throw badRequest("The payload is nested too deeply.");
  try {
    return JSON.parse(json);
  } catch {
    throw badRequest(
      "Malformed JSON: post a JSON object, or a form with one in its field 'payload' or with fields of its own.",
    );
  }
}

/**
 * JSON in a text of a payload; undefined for other text, and for JSON that is nested too deeply.
 */
export function jsonIn(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decode(body: Uint8Array, contentType: string): string {
  const charset = /charset\s*=\s*"?([\w:.-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  return decoderFor(charset).decode(body);
}

function decoderFor(charset: string) {
  try {
    return new globalThis.TextDecoder(charset);
  } catch {
    throw badRequest(`The text encoding '${charset}' is not known: post UTF-8.`);
  }
}
