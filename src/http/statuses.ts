import { type Endpoint, isJson, type OtherOutput } from "../core/endpoint";

/** The statuses of answers with their meaning here. */
export const statuses: Readonly<Record<number, string>> = {
  200: "It is done.",
  201: "It is made.",
  204: "It is done, and there is nothing to say.",
  206: "A part of the file.",
  302: "It stands at the address in `Location`.",
  303: "It is done: go on at the address in `Location`.",
  304: "The client's copy is still good.",
  400: "The request is refused: `msg` says why, `code` and the members beside it say it to programs.",
  401: "The request is not authenticated, or not by somebody who may make it.",
  403: "The sender may not do this.",
  404: "There is no such thing, or no organization at this host.",
  405: "The place has other methods, which `Allow` names.",
  409: "Something is in the way: a name that is taken, or an upload that stands elsewhere.",
  412: "The version of the protocol is not spoken here.",
  413: "The request is too large.",
  414: "The address is too long.",
  416: "The file has no such part.",
  429: "There were too many requests: `Retry-After` says when to try again.",
  500: "A fault of the server, which its log describes under the request id.",
  502: "A service that this server asks has failed, or cannot be reached: `code` says which it was.",
  503: "The server is busy, or lacks its database: try again after `Retry-After`.",
  507: "The server's disk is full.",
};

/** The statuses with which any endpoint may refuse a request, in the order of numbers. */
const refusalsOfAll = [400, 401, 403, 404, 413, 414, 429, 500, 503, 507];

/** Statuses that answers of a kind have in addition to their usual one. */
const statusesOfKind: Record<OtherOutput["kind"] | "json", readonly number[]> = {
  json: [],
  raw: [],
  redirect: [],
  page: [303],
  file: [206, 304, 416],
};

const kindOf = ({ output }: Pick<Endpoint, "output">) => (isJson(output) ? "json" : output.kind);

/** The usual status of an endpoint's success. */
export const usualStatus = (endpoint: Pick<Endpoint, "output">): number =>
  kindOf(endpoint) === "redirect" ? 302 : 200;

/** All further statuses of an endpoint, in the order of numbers; those from 400 on are refusals. */
export const furtherStatuses = (endpoint: Pick<Endpoint, "output" | "statuses">): number[] =>
  [...new Set([...refusalsOfAll, ...endpoint.statuses, ...statusesOfKind[kindOf(endpoint)]])].sort(
    (one, other) => one - other,
  );
