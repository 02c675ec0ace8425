import { type FileAnswer, Page, type RawAnswer } from "../core/answer";
import type { Encoding } from "../core/content-encoding";
import type { ApiError } from "../core/errors";
import type { Html } from "../core/text/html";
import { type AnswerText, bodyOf, bodyOfBytes, bytesOf, textOf } from "./answer-text";
import { echoedText } from "./bounds";
import type { LimitState } from "./rate-limit";

/**
 * The body of a refusal. A refusal with a status of success needs no reaction of the sender. Texts
 * of the request that it repeats are shortened.
 */
export function errorBody({ code, message, data, status }: ApiError): string {
  const result = status < 300 ? "success" : "error";
  const echoed = (_name: string, value: unknown) =>
    typeof value === "string" ? echoedText(value) : value;
  return JSON.stringify({ result, msg: message, code, ...data }, echoed);
}

const headers = {
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** Copied for each answer, which takes half as long as making them from an object. */
export const jsonHeaders = new Headers(headers);

/** The headers of a JSON answer with one more header that many answers have. */
export const jsonHeadersWith = (name: string, value: string): Headers =>
  new Headers({ ...headers, [name]: value });

/**
 * Pages run no script, load only chatd's style, are not shown in frames, and their forms lead
 * nowhere else. This server gets the referrer, because without it browsers send forms with the
 * origin `null`.
 */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
};

/** Headers of an answer about the rate limits, under the names of the protocol. */
export function limitHeaders(
  limitState: LimitState | undefined,
): Record<string, string> | undefined {
  if (!limitState) return undefined;
  return {
    "x-ratelimit-limit": String(limitState.limit),
    "x-ratelimit-remaining": String(limitState.remaining),
    "x-ratelimit-reset": String(limitState.resetAt),
  };
}

/** An answer as it is sent, apart from its body. */
interface Sending {
  requestId: string;
  limitState: LimitState | undefined;
  /** Headers that the answer has beside its own. */
  base: Headers;
  /** Called when the answer was sent, or the client has disconnected. */
  gone(): void;
}

const nothing = () => undefined;

export const jsonResponse = (
  body: string,
  status: number,
  requestId: string,
  limitState?: LimitState,
): Response =>
  textResponse(textOf([body]), { requestId, limitState, base: jsonHeaders, gone: nothing }, status);

/** A response with the text of an answer. */
export function textResponse(text: AnswerText, sending: Sending, status = 200): Response {
  const { requestId, limitState, base, gone } = sending;
  const response = new Response(bodyOf(text, gone), { status, headers: base });
  return withHeaders(response, requestId, limitState);
}

function withHeaders(
  response: Response,
  requestId: string,
  limitState: LimitState | undefined,
): Response {
  response.headers.set("x-request-id", requestId);
  for (const [name, value] of Object.entries(limitHeaders(limitState) ?? {}))
    response.headers.set(name, value);
  return response;
}

/**
 * The answer to HEAD for a resource whose GET has such an answer: its length (RFC 9110, 9.3.2),
 * without a body.
 */
export function headResponse(
  text: AnswerText,
  { requestId, limitState, base, gone }: Sending,
): Response {
  gone();
  const response = new Response(null, { headers: base });
  response.headers.set("content-length", String(bytesOf(text)));
  return withHeaders(response, requestId, limitState);
}

/** A compressed answer; for HEAD only its head. */
export function compressedResponse(
  {
    bytes,
    encoding,
    isHead,
  }: { bytes: Uint8Array<ArrayBuffer>; encoding: Encoding; isHead: boolean },
  { requestId, limitState, base, gone }: Sending,
): Response {
  if (isHead) gone();
  const body = isHead ? null : bodyOfBytes(bytes, gone);
  const response = new Response(body, { headers: base });
  response.headers.set("content-encoding", encoding);
  if (isHead) response.headers.set("content-length", String(bytes.length));
  return withHeaders(response, requestId, limitState);
}

/** A page, or an answer of another protocol. */
export function otherResponse(
  output: Page | RawAnswer,
  requestId: string,
  limitState?: LimitState,
): Response {
  const more = { "x-request-id": requestId, ...limitHeaders(limitState) };
  if (output instanceof Page) {
    const { content, status, headers: ownHeaders } = output;
    const response = pageResponse(content, status, { "cache-control": "no-store", ...more });
    for (const [name, value] of ownHeaders)
      if (name === "set-cookie") response.headers.append(name, value);
      else response.headers.set(name, value);
    return response;
  }
  const response = new Response(output.body, {
    status: output.status,
    headers: { ...headers, ...more },
  });
  for (const [name, given] of Object.entries(output.headers)) {
    if (typeof given === "string") response.headers.set(name, given);
    else for (const value of given) response.headers.append(name, value);
  }
  return response;
}

/**
 * The answer that a client's copy is still valid. The file's own caching headers are kept (RFC
 * 9110, 15.4.5).
 */
export const notModified = (
  { headers: ownHeaders }: FileAnswer,
  requestId: string,
  limitState?: LimitState,
) =>
  new Response(null, {
    status: 304,
    headers: {
      etag: ownHeaders.etag,
      "cache-control": ownHeaders["cache-control"],
      ...(ownHeaders["vary"] === undefined ? {} : { vary: ownHeaders["vary"] }),
      "x-request-id": requestId,
      ...limitHeaders(limitState),
    },
  });

export const pageResponse = (
  content: Html | Blob,
  status = 200,
  more: Record<string, string> = {},
) =>
  new Response(content instanceof Blob ? content : content.text, {
    status,
    headers: { ...pageHeaders, "content-length": String(lengthOf(content)), ...more },
  });

const lengthOf = (content: Html | Blob): number =>
  content instanceof Blob ? content.size : Buffer.byteLength(content.text);

export function errorResponse(
  error: ApiError,
  requestId: string,
  limitState?: LimitState,
): Response {
  const response = jsonResponse(errorBody(error), error.status, requestId, limitState);
  if (error.status === 401) response.headers.set("www-authenticate", 'Basic realm="chatd"');
  const wait = error.data["retry-after"];
  if (typeof wait === "number") response.headers.set("retry-after", String(wait));
  return response;
}

/** The refusal of a method, which has no code in the protocol. */
export const methodNotAllowed = ({ message, data, status }: ApiError, requestId: string) =>
  jsonResponse(JSON.stringify({ result: "error", msg: message, ...data }), status, requestId);

/** Answer with the methods of a known path, for a client that asks for them. */
export const allowedMethods = (allowed: string[], requestId: string) =>
  new Response(null, {
    status: 204,
    headers: { allow: allowed.join(", "), "x-request-id": requestId },
  });
