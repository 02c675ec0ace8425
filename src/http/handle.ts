import { authenticate } from "../auth/sign-in";
import type { Actor, App, Context, RealmRow } from "../core/context";
import { ApiError, administratorRequired, badRequest, notFound, ownerRequired, unauthorized } from "../core/errors";
import { describeError } from "../core/log";
import { rememberedUntilChange } from "../core/until-change";
import { findRealmByHost, onlyRealm } from "../realm/queries";
import { isBreakOff } from "./body-stream";
import { decodeInput } from "./decode";
import type { Connection, Endpoint, Who } from "./endpoint";
import { readParameters } from "./parameters";
import { type Count, countRefused, countRequest, type RateLimiter, type Standing } from "./rate-limit";
import { errorResponse, isUnchanged, notModified, outputResponse } from "./respond";

const longestUrl = 163_840;
const clientNameMax = 64;
const roleLimits: Partial<Record<Who, { roleMax: number; refusal: () => ApiError }>> = {
  owner: { roleMax: 100, refusal: ownerRequired },
  administrator: { roleMax: 200, refusal: administratorRequired },
  nonGuest: { roleMax: 400, refusal: () => new ApiError("BAD_REQUEST", "Guests are not allowed to do this.") },
};

/** A request as the log may tell of it. */
export interface Asked {
  request: Request;
  requestId: string;
  /** The path as its endpoint declares it; undefined where there is none. */
  route: string | undefined;
}

/** A request that has found its endpoint. */
export interface Routed extends Asked {
  pathParameters: Readonly<Record<string, string>>;
}

/** What all requests of a server go through. */
export interface Door {
  app: App;
  limiter: RateLimiter;
}

/**
 * Takes a request to its endpoint's verb and back: realm, sign-in, rate limits, permission, decoding, answer. The body is
 * read first: it may take its time, and rights are looked at after that.
 */
export async function handle(
  door: Door,
  endpoint: Endpoint,
  routed: Routed,
  connection: Connection,
): Promise<Response> {
  const { app, limiter } = door;
  const { request, requestId, pathParameters } = routed;
  const count: Count = { limiter, cost: 1, connection, standing: undefined, isDone: false };
  try {
    if (request.url.length > longestUrl) throw new ApiError("REQUEST_TOO_LARGE", "The address is too long.", 414);
    const sizeBytesMax = endpoint.takesFiles ? undefined : app.config.requestSizeBytesMax;
    const parameters = await readParameters(request, pathParameters, sizeBytesMax);
    count.cost = endpoint.cost(parameters);
    const ctx = await openContext(app, endpoint, request, requestId);
    countRequest(count, ctx.actor, ctx.now);
    requirePermission(endpoint.who, ctx.actor);
    const { input, ignored } = decodeInput(endpoint.input, endpoint.aliases, parameters);
    const output = await endpoint.call(ctx, input, connection);
    if (isUnchanged(output, request)) return notModified(output, requestId, count.standing);
    return outputResponse(output, ignored, requestId, count.standing);
  } catch (error) {
    return failed(app, routed, countRefused(count, error, app.clock.now()), count.standing);
  }
}

async function openContext(app: App, endpoint: Endpoint, request: Request, requestId: string): Promise<Context> {
  app.engine.lookElsewhere();
  const host = request.headers.get("host") ?? "";
  const realm = await findRealm(app, hostName(host));
  if (!realm) throw notFound(`There is no organization at ${hostName(host)}.`);
  const actor: Actor =
    endpoint.who === "anyone"
      ? { kind: "anonymous" }
      : await authenticate(app, realm, request.headers.get("authorization"));
  return {
    app,
    realm,
    actor,
    reader: app.engine.openReader(),
    now: app.clock.now(),
    client: clientName(request.headers.get("user-agent") ?? ""),
    requestId,
    url: app.config.url ?? `${request.headers.get("x-forwarded-proto") === "https" ? "https" : "http"}://${host}`,
  };
}

/** So many hosts are remembered: anybody can make up others. */
const hostsMax = 1_000;
const realmAt = rememberedUntilChange<RealmRow | undefined>(["realms"], hostsMax);

/** A request for a host that nobody has goes to the only realm, where there is just one. */
const findRealm = ({ engine: { quickReader: reader } }: App, host: string): Promise<RealmRow | undefined> =>
  realmAt(reader, host, async () => (await findRealmByHost(reader, host)) ?? onlyRealm(reader));

/** The host without its port, in lower case. */
export const hostName = (host: string) => host.replace(/:\d+$/, "").toLowerCase();

/** The first word of a User-Agent, without its version: `ZulipPython/0.9` is shown as ZulipPython. */
function clientName(userAgent: string): string {
  if (userAgent.startsWith("Mozilla/")) return "website";
  const name = /^[A-Za-z0-9._-]+/.exec(userAgent)?.[0] ?? "";
  return name.slice(0, clientNameMax) || "Unspecified";
}

function requirePermission(who: Who, actor: Actor) {
  if (who === "anyone") return;
  if (!("user" in actor)) throw unauthorized();
  const limit = roleLimits[who];
  if (limit && actor.user.role > limit.roleMax) throw limit.refusal();
}

/**
 * The answer to a request that was refused; whatever is not a refusal is a bug, which only the log describes. The log
 * names the path as it is declared: what is asked for may hold the token of a link.
 */
export function failed(app: App, { request, requestId, route }: Asked, error: unknown, standing?: Standing): Response {
  if (error instanceof ApiError) return errorResponse(error, requestId, standing);
  if (isBreakOff(error)) return errorResponse(badRequest("The request was broken off."), requestId, standing);
  app.log.error("request_failed", { requestId, method: request.method, path: route, ...describeError(error) });
  const message = `Something went wrong on the server. Its log has the details under request ${requestId}.`;
  return errorResponse(new ApiError("INTERNAL_SERVER_ERROR", message, 500), requestId);
}
