import { Elysia } from "elysia";
import type { UserRow } from "../core/context";
import type { LimitState } from "./rate-limit";
import { hasDoubledSlash, mergeSlashes } from "./single-slashes";

/** Facts about a request for the log and for error answers. */
export interface Asked {
  request: Request;
  requestId: string;
  /** The path as its endpoint declares it; undefined if there is no endpoint. */
  route: string | undefined;
  /** State of the rate limits for this request, if it was counted. */
  limitState: LimitState | undefined;
  /** The person whose browser session the request uses. */
  sessionUser: UserRow | undefined;
  /** Undefined if nothing needs them. */
  details: RequestDetails | undefined;
}

/** Facts of a request and its answer that only a watch of the traffic needs. */
export interface RequestDetails {
  address: string;
  /** Whether it came through a trusted proxy, whose headers count. */
  isFromProxy: boolean;
  /** The account that sent it, once that is known. */
  userId: number | undefined;
  /** Bytes of the answer's body, where its headers do not tell. */
  sizeBytes: number | undefined;
}

/** A request that has found its endpoint. */
export interface Routed extends Asked {
  pathParameters: Readonly<Record<string, string>>;
}

/** The part of Elysia's context that routes use. */
export interface RouteContext {
  request: Request;
  params: Readonly<Record<string, string>>;
  /** Set by routes, because the error handler is given this context, too. */
  asked: Routed | undefined;
}

const decorators: Pick<RouteContext, "asked"> = { asked: undefined };

/** An app of Elysia to mount routes of one kind on, with hooks of their own. */
export const makePart = () => new Elysia().decorate(decorators);

/** A part of the way of each request and answer. */
interface Way {
  /** Takes a request in, and lets its answer out. */
  pass(answer: (request: Request) => unknown, request: Request): unknown;
  /** Notes a request that has arrived at a route. */
  note: NoteRequest;
  /** The answer to a request that failed. */
  answerError(error: unknown, asked: Asked): Response;
}

/** Notes a request that has arrived at a route, whose path is given as it is declared. */
export type NoteRequest = (request: Request, route: string | undefined) => Routed;

/**
 * The app of Elysia that holds everything, without its routes. Its router looks for the path behind
 * any host, however short, because clients say which host they mean. A request whose path has
 * several slashes in a row is routed anew with one, before anything else looks at it, because many
 * clients add their paths to an address that ends with a slash, and the proxy of Zulip's servers
 * merges slashes.
 */
export function makeElysia({ pass, note, answerError }: Way) {
  const elysia = new Elysia({ strictPath: true, handler: { standardHostname: false } })
    .decorate(decorators)
    .wrap(
      (answer) =>
        (request: Request): unknown =>
          hasDoubledSlash(request.url)
            ? elysia.fetch(mergeSlashes(request))
            : pass(answer, request),
    )
    .onError(({ error, asked, request, set }) => {
      // Elysia would write its own status over that of the answer.
      set.status = 200;
      return answerError(error, asked ?? note(request, undefined));
    });
  return elysia;
}

export type ElysiaApp = ReturnType<typeof makeElysia>;
