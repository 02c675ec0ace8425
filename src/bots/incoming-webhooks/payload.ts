import { anomalousPayload, badRequest } from "../../core/errors";
import { isTooDeep } from "../../core/json-depth";
import { isRecord } from "../../core/record";

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

/**
 * Parses a post: JSON, or a form with JSON in its field `payload`, in the declared encoding. A form
 * without that field is an object of its fields, whose values are texts. Senders that declare no
 * form post JSON. Refuses a body that is neither (BAD_REQUEST), and one
 * that is nested too deeply.
 */
export function readPayload(body: Uint8Array, contentType: string): unknown {
  const text = decode(body, contentType).replace(/^\ufeff/, "");
  const json = /^application\/x-www-form-urlencoded/i.test(contentType) ? jsonOfForm(text) : text;
  if (isTooDeep(json)) throw badRequest("The payload is nested too deeply.");
  try {
    return JSON.parse(json);
  } catch {
    throw badRequest(
      "Malformed JSON: post a JSON object, or a form with one in its field 'payload' or with fields of its own.",
    );
  }
}

/** JSON in a text of a payload; undefined for other text, and for JSON that is nested too deeply. */
export function jsonIn(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON of a form. Some programs post JSON but declare a form. */
function jsonOfForm(text: string): string {
  if (text.trimStart().startsWith("{")) return text;
  const fields = new URLSearchParams(text);
  const payload = fields.get("payload");
  if (payload !== null) return payload;
  return fields.size === 0 ? "" : JSON.stringify(Object.fromEntries(fields));
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
