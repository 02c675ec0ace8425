import type { ApiError } from "../core/errors";
import { RawJson } from "../core/raw-json";
import type { Output } from "./endpoint";

const success = '{"result":"success","msg":""';

/** The answer of an endpoint: its output's members behind the envelope's. */
export function successBody(output: Output, ignored: string[]): string {
  const unsupported = ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : "";
  if (output === undefined) return `${success}${unsupported}}`;
  const open = output instanceof RawJson ? output.open : JSON.stringify(output).slice(0, -1);
  const members = open.slice(1);
  return `${success}${unsupported}${members === "" ? "" : ","}${members}}`;
}

export function errorBody({ code, message, data }: ApiError): string {
  return JSON.stringify({ result: "error", msg: message, code, ...data });
}

const headers = {
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

export function jsonResponse(body: string, status: number, requestId: string): Response {
  return new Response(body, { status, headers: { ...headers, "x-request-id": requestId } });
}

export function errorResponse(error: ApiError, requestId: string): Response {
  const response = jsonResponse(errorBody(error), error.status, requestId);
  if (error.status === 401) response.headers.set("www-authenticate", 'Basic realm="chatd"');
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
