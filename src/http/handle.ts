import type { Reader } from "../../db/reader";
import { authenticateApiKey, authenticateRequest, hasCredentials } from "../auth/sign-in";
import { FileAnswer } from "../core/answer";
import type { Actor, App, Context, RealmRow } from "../core/context";
import {
  ApiError,
  administratorRequired,
  badRequest,
  organizationNotFound,
  ownerRequired,
  unauthorized,
} from "../core/errors";
import { describeError } from "../core/log";
import { spectatorOf } from "../core/spectator";
import { readPictureForm, whileCounted } from "../pictures/upload";
import { arrive, hostName } from "../realm/arrival";
import { hasPublicAccess } from "../realm/queries";
import { isBreakOff } from "./body-stream";
import { decodeInput } from "./decode";
import type { Connection, Endpoint, Who } from "./endpoint";
import { fileResponse } from "./file-response";
import { isMultipart } from "./multipart";
import { readParameters } from "./parameters";
import { type Count, countRefused, countRequest, type RateLimiter, type Standing } from "./rate-limit";
import { errorResponse, outputResponse } from "./respond";
import { signInFirst } from "./sign-in-first";

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
    const sizeBytesMax = isReadLater(endpoint, request) ? undefined : app.config.requestSizeBytesMax;
    const parameters = await readParameters(request, pathParameters, sizeBytesMax);
    connection.keepOpen();
    count.cost = endpoint.cost(parameters);
    const ctx = await openContext(app, endpoint, request, requestId, parameters);
    countRequest(count, ctx.actor, ctx.now);
    requireCaller(endpoint, ctx.actor);
    requirePermission(endpoint.who, ctx.actor);
    const call = async (picture?: Uint8Array) => {
      const { input, ignored } = decodeInput(endpoint.input, endpoint.aliases, parameters);
      const known = endpoint.takesFiles ? noteFields(connection, ignored) : connection;
      return { output: await endpoint.call(ctx, input, picture ? { ...connection, picture } : known), ignored };
    };
    const { output, ignored } = await (bringsPicture(endpoint, request)
      ? withPicture(endpoint, ctx, connection, parameters, call)
      : call());
    if (output instanceof FileAnswer) return fileResponse(output, request, requestId, count.standing);
    return outputResponse(output, ignored, requestId, count.standing);
  } catch (error) {
    return failed(app, routed, countRefused(count, error, app.clock.now()), count.standing);
  }
}

/** Whether the body is read when it is known who sends it. */
const isReadLater = (endpoint: Endpoint, request: Request) =>
  endpoint.takesFiles || endpoint.isWebhook || bringsPicture(endpoint, request);

/** Whether a body is a form that may hold a picture: it is read when it is known who sends it. */
const bringsPicture = ({ pictureMibMax }: Endpoint, { headers }: Request) =>
  pictureMibMax !== undefined && isMultipart(headers.get("content-type"));

/** Adds the fields of such a form to the parameters; those of the address win. */
async function withPicture<Answer>(
  { pictureMibMax = () => 0 }: Endpoint,
  { app, actor }: Context,
  connection: Connection,
  parameters: Map<string, string>,
  call: (picture?: Uint8Array) => Promise<Answer>,
): Promise<Answer> {
  return whileCounted(app, "user" in actor ? actor.user.id : 0, async () => {
    const { fields, picture } = await readPictureForm(connection.parts(), pictureMibMax(app.config));
    for (const [name, value] of fields) if (!parameters.has(name)) parameters.set(name, value);
    return call(picture);
  });
}

/** The same connection, which notes the fields that come beside files in a form: no endpoint takes one there. */
function noteFields(connection: Connection, ignored: string[]): Connection {
  async function* parts() {
    for await (const part of connection.parts()) {
      if (part.filename === undefined) ignored.push(part.name);
      yield part;
    }
  }
  return { ...connection, parts };
}

async function openContext(
  app: App,
  endpoint: Endpoint,
  request: Request,
  requestId: string,
  parameters: ReadonlyMap<string, string>,
): Promise<Context> {
  app.engine.lookElsewhere();
  const host = request.headers.get("host") ?? "";
  const { realm, reader } = await arrive(app.engine, host);
  if (!realm) throw organizationNotFound(hostName(host));
  const url = app.config.url ?? `${request.headers.get("x-forwarded-proto") === "https" ? "https" : "http"}://${host}`;
  return {
    app,
    realm,
    actor: endpoint.isWebhook
      ? await authenticateApiKey(app, realm, parameters.get("api_key"))
      : await findActor(app, endpoint.who, realm, request, url, reader),
    // What is read after a body that takes its time is compared with the data then.
    reader: isReadLater(endpoint, request) ? app.engine.openReader() : reader,
    now: app.clock.now(),
    client: clientName(request.headers.get("user-agent") ?? ""),
    requestId,
    url,
  };
}

function findActor(
  app: App,
  who: Who,
  realm: RealmRow,
  request: Request,
  url: string,
  reader: Reader,
): Actor | Promise<Actor> {
  if (who === "anyone") return { kind: "anonymous" };
  const isOpen = who === "spectator" && realm.isActive && hasPublicAccess({ app, realm });
  return isOpen && !hasCredentials(request, url)
    ? spectatorOf(realm)
    : authenticateRequest(app, realm, request, url, reader);
}

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

/** An incoming webhook can do nothing but write, though its account is like others; clients know this text. */
function requireCaller({ callers }: Endpoint, actor: Actor) {
  if (!("user" in actor) || callers === "writers") return;
  if (actor.kind === "webhook") throw unauthorized("This API is not available to incoming webhook bots.");
  const isBot = actor.kind === "bot";
  if (isBot && callers === "people") throw badRequest("This endpoint does not accept bot requests.");
  if (!isBot && callers === "bots") throw badRequest("This endpoint is for bots alone: sign in with a bot's API key.");
}

/**
 * The answer to a request that was refused; whatever is not a refusal is a bug, which only the log describes. The log
 * names the path as it is declared: what is asked for may hold the token of a link.
 */
export function failed(app: App, asked: Asked, error: unknown, standing?: Standing): Response {
  const { request, requestId, route } = asked;
  if (error instanceof ApiError) return signInFirst(error, asked) ?? errorResponse(error, requestId, standing);
  if (isBreakOff(error)) return errorResponse(badRequest("The request was broken off."), requestId, standing);
  app.log.error("request_failed", { requestId, method: request.method, path: route, ...describeError(error) });
  const message = `Something went wrong on the server. Its log has the details under request ${requestId}.`;
  return errorResponse(new ApiError("INTERNAL_SERVER_ERROR", message, 500), requestId);
}
