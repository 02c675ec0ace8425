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
 * Value in JSON under a path, names and places joined by points: `commits.0.author.name`. Undefined
 * where nothing does, also for null, and for what objects have without being given it.
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

/** Text under a path; empty for a value that is no text and no number. */
export function pickText(value: unknown, path: string): string {
  const found = pick(value, path);
  return typeof found === "string" || typeof found === "number" || typeof found === "boolean"
    ? String(found)
    : "";
}

/** List under a path; empty for a value that is no list. */
export function pickList(value: unknown, path: string): unknown[] {
  const found = pick(value, path);
  return Array.isArray(found) ? found : [];
}

/** JSON that has to be an object, laid open. */
export function fieldsOf(payload: unknown, webhookName: string): Record<string, unknown> {
  if (!isRecord(payload)) throw anomalousPayload(webhookName);
  return payload;
}

/**
 * Reads what was posted: JSON, or a form with JSON in its field `payload`, in the encoding that is
 * declared. Senders that declare no form post JSON. Refuses a body that is neither (BAD_REQUEST),
 * and one that is nested too deeply.
 */
export function readPayload(body: Uint8Array, contentType: string): unknown {
  const text = decode(body, contentType).replace(/^\ufeff/, "");
  const json = /^application\/x-www-form-urlencoded/i.test(contentType) ? payloadField(text) : text;
  if (isTooDeep(json)) throw badRequest("The payload is nested too deeply.");
  try {
    return JSON.parse(json);
  } catch {
    throw badRequest(
      "Malformed JSON: post a JSON object, or a form with one in its field 'payload'.",
    );
  }
}

/** Some programs post JSON and say that it is a form. */
const payloadField = (text: string) =>
  text.trimStart().startsWith("{") ? text : (new URLSearchParams(text).get("payload") ?? "");

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
