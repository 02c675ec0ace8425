import { type FileAnswer, Page, RawAnswer } from "../core/answer";
import type { ApiError } from "../core/errors";
import type { Html } from "../core/html";
import { JsonMembers } from "../core/raw-json";
import type { Output } from "./endpoint";
import type { Standing } from "./rate-limit";

const success = '{"result":"success","msg":""';

/** The answer of an endpoint: its output's members behind the envelope's. */
export function successBody(output: Output, ignored: string[]): string {
  const unsupported = ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : "";
  if (output === undefined) return `${success}${unsupported}}`;
  const members = output instanceof JsonMembers ? output.text : JSON.stringify(output).slice(1, -1);
  return `${success}${unsupported}${members === "" ? "" : ","}${members}}`;
}

/** A refusal with a status of success is one that the sender is to mind no further. */
export function errorBody({ code, message, data, status }: ApiError): string {
  const result = status < 300 ? "success" : "error";
  return JSON.stringify({ result, msg: message, code, ...data });
}

const headers = {
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** Copied for each answer, which takes half as long as to make them of an object. */
const jsonHeaders = new Headers(headers);

/**
 * Pages run no script, load nothing but our style, are shown in no frame, and their forms lead nowhere else. Our own server
 * is told the referrer: without it, browsers send forms with the origin `null`.
 */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
};

/** What an answer tells of the rate limits, under the names of the protocol. */
export function limitHeaders(standing: Standing | undefined): Record<string, string> | undefined {
  if (!standing) return undefined;
  return {
    "x-ratelimit-limit": String(standing.limit),
    "x-ratelimit-remaining": String(standing.remaining),
    "x-ratelimit-reset": String(standing.resetAt),
  };
}

/** From this many bytes on, Bun 1.4 sends a body that is given after the turn of its request with a packet for each header. */
const longBytes = 15_360;

/** A stream that ends at once, and is buffered whole, goes out in one packet with its length: a third of the time. */
function bodyOf(text: string): string | ReadableStream {
  if (text.length * 3 < longBytes) return text;
  const bytes = Buffer.byteLength(text);
  if (bytes < longBytes) return text;
  // The types of the DOM do not know this kind of source, which is Bun's.
  const source: object = {
    type: "direct",
    pull(controller: ReadableStreamDirectController) {
      controller.write(text);
      controller.end();
    },
  };
  return new ReadableStream(source, { highWaterMark: bytes + 1 });
}

export function jsonResponse(body: string, status: number, requestId: string, standing?: Standing): Response {
  const response = new Response(bodyOf(body), { status, headers: jsonHeaders });
  response.headers.set("x-request-id", requestId);
  for (const [name, value] of Object.entries(limitHeaders(standing) ?? {})) response.headers.set(name, value);
  return response;
}

/** The answer to a request that was carried out: JSON, unless the verb made a page or gives a file. */
export function outputResponse(output: Output, ignored: string[], requestId: string, standing?: Standing): Response {
  const isJson = !(output instanceof Page || output instanceof RawAnswer);
  if (isJson) return jsonResponse(successBody(output, ignored), 200, requestId, standing);
  const more = { "x-request-id": requestId, ...limitHeaders(standing) };
  if (output instanceof Page) {
    const { content, status, headers: own } = output;
    const response = pageResponse(content, status, { "cache-control": "no-store", ...more });
    for (const [name, value] of own) response.headers.append(name, value);
    return response;
  }
  return new Response(output.body, { status: output.status, headers: { ...headers, ...output.headers, ...more } });
}

/** The answer that a client's copy is still good; what the file's own answer says about keeping it stands (RFC 9110, 15.4.5). */
export const notModified = ({ headers: own }: FileAnswer, requestId: string, standing?: Standing) =>
  new Response(null, {
    status: 304,
    headers: {
      etag: own.etag,
      "cache-control": own["cache-control"],
      "x-request-id": requestId,
      ...limitHeaders(standing),
    },
  });

export const pageResponse = (content: Html | Blob, status = 200, more: Record<string, string> = {}) =>
  new Response(content instanceof Blob ? content : content.text, { status, headers: { ...pageHeaders, ...more } });

export function errorResponse(error: ApiError, requestId: string, standing?: Standing): Response {
  const response = jsonResponse(errorBody(error), error.status, requestId, standing);
  if (error.status === 401) response.headers.set("www-authenticate", 'Basic realm="chatd"');
  const wait = error.data["retry-after"];
  if (typeof wait === "number") response.headers.set("retry-after", String(wait));
  return response;
}

/** A known path that was asked with another method. */
export function methodNotAllowed(allowed: string[], requestId: string): Response {
  const body = JSON.stringify({
    result: "error",
    msg: `Method not allowed: use ${allowed.join(" or ")}.`,
    allowed_methods: allowed,
  });
  const response = jsonResponse(body, 405, requestId);
  response.headers.set("allow", allowed.join(", "));
  return response;
}

/** Which methods a known path has, for a client that asks. */
export const allowedMethods = (allowed: string[], requestId: string) =>
  new Response(null, { status: 204, headers: { allow: allowed.join(", "), "x-request-id": requestId } });
