import { authenticate } from "../auth/sign-in";
import type { Actor, App, Context, RealmRow } from "../core/context";
import { ApiError, administratorRequired, notFound, ownerRequired, unauthorized } from "../core/errors";
import { describeError } from "../core/log";
import { findRealmByHost, onlyRealm } from "../realm/queries";
import { decodeInput } from "./decode";
import type { Connection, Endpoint, Who } from "./endpoint";
import { readParameters } from "./parameters";
import { errorResponse, jsonResponse, successBody } from "./respond";

const longestUrl = 163_840;
const clientNameMax = 64;
const roleLimits: Partial<Record<Who, { roleMax: number; refusal: () => ApiError }>> = {
  owner: { roleMax: 100, refusal: ownerRequired },
  administrator: { roleMax: 200, refusal: administratorRequired },
  nonGuest: { roleMax: 400, refusal: () => new ApiError("BAD_REQUEST", "Guests are not allowed to do this.") },
};

/** A request that has found its endpoint. */
export interface Routed {
  request: Request;
  requestId: string;
  pathParameters: Readonly<Record<string, string>>;
}

/**
 * Takes a request to its endpoint's verb and back: realm, sign-in, permission, decoding, answer. The body is read first: it
 * may take its time, and rights are looked at after that.
 */
export async function handle(app: App, endpoint: Endpoint, routed: Routed, connection: Connection): Promise<Response> {
  const { request, requestId, pathParameters } = routed;
  try {
    if (request.url.length > longestUrl) throw new ApiError("REQUEST_TOO_LARGE", "The address is too long.", 414);
    const parameters = await readParameters(request, pathParameters, app.config.requestSizeBytesMax);
    const ctx = await openContext(app, endpoint, request, requestId);
    const { input, ignored } = decodeInput(endpoint.input, endpoint.aliases, parameters);
    requirePermission(endpoint.who, ctx.actor);
    const output = await endpoint.call(ctx, input, connection);
    return jsonResponse(successBody(output, ignored), 200, requestId);
  } catch (error) {
    return failed(app, routed, error);
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
    reader: app.engine.reader,
    now: app.clock.now(),
    client: clientName(request.headers.get("user-agent") ?? ""),
    requestId,
    url: app.config.url ?? `${request.headers.get("x-forwarded-proto") === "https" ? "https" : "http"}://${host}`,
  };
}

/** A request for a host that nobody has goes to the only realm, where there is just one. */
async function findRealm({ engine }: App, host: string): Promise<RealmRow | undefined> {
  return (await findRealmByHost(engine.warmReader, host)) ?? (await onlyRealm(engine.warmReader));
}

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

/** The answer to a request that was refused; whatever is not a refusal is a bug, which only the log describes. */
export function failed(app: App, { request, requestId }: Omit<Routed, "pathParameters">, error: unknown): Response {
  if (error instanceof ApiError) return errorResponse(error, requestId);
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*|[?#].*$/gis, "");
  app.log.error("request_failed", { requestId, method: request.method, path, ...describeError(error) });
  const message = `Something went wrong on the server. Its log has the details under request ${requestId}.`;
  return errorResponse(new ApiError("INTERNAL_SERVER_ERROR", message, 500), requestId);
}
