import type { Config } from "../config/config";
import { hasAccount } from "../core/account";
import { FileAnswer, Page, RawAnswer } from "../core/answer";
import type { Actor, App, Context } from "../core/context";
import { serverCounters } from "../core/counters";
import type { Connection, Endpoint, Who } from "../core/endpoint";
import {
  ApiError,
  administratorRequired,
  badRequest,
  ownerRequired,
  unauthorized,
} from "../core/errors";
import { describeError } from "../core/log";
import { roles } from "../core/rights/role";
import { refusalOfDatabase } from "../core/storage/database-trouble";
import { storageRefusal } from "../core/storage/storage-failure";
import { LongWork } from "../core/turns/loop-scheduler";
import { endLongWork, noteRequest } from "../core/turns/turn";
import { readPictureForm, whileCounted } from "../pictures/upload";
import { refusalInWordsOf } from "../sign-in/refusal";
import type { Answering } from "./answer-budget";
import { answerText } from "./answer-text";
import { isBreakOff } from "./body-stream";
import { parametersMax, strangers } from "./bounds";
import { withClientName } from "./client-name";
import type { Connected } from "./connection";
import { decodeInput } from "./decode";
import type { Asked, Routed } from "./elysia";
import { fileResponse } from "./file-response";
import { type Arrived, identify, signatureOf, urlOf } from "./identify";
import type { KnownSignatures } from "./known-signatures";
import { isMultipart } from "./multipart";
import {
  addBody,
  type Body,
  bodySize,
  type Parameters,
  readAddress,
  readWhole,
  tooManyParameters,
} from "./parameters";
import {
  admit,
  beginCount,
  type Count,
  chargeAnswer,
  countRefused,
  countRequest,
  giveBackHeld,
  type RateLimiter,
} from "./rate-limit";
import { refusalPage } from "./refusal-page";
import { errorBody, errorResponse, otherResponse } from "./respond";
import { buildHeader, plainResponse, sessionResponse, sessionUserOf } from "./session-answer";
import { signInFirst } from "./sign-in-first";

const longestUrl = 163_840;
const roleLimits: Partial<Record<Who, { roleMax: number; refusal: () => ApiError }>> = {
  owner: { roleMax: roles.owner, refusal: ownerRequired },
  administrator: { roleMax: roles.administrator, refusal: administratorRequired },
  nonGuest: {
    roleMax: roles.member,
    refusal: () => new ApiError("BAD_REQUEST", "Guests are not allowed to do this."),
  },
};

/** Parts that all requests of a server use. */
export interface ServerParts {
  app: App;
  limiter: RateLimiter;
  signatures: KnownSignatures;
  /** Id of the server's web client; undefined while it is not known. */
  buildId(): string | undefined;
}

/**
 * Takes a request to its endpoint's verb and back: rate limits, realm, sign-in, permission,
 * decoding, answer. Rights are checked after the body was read, because that may take long.
 */
export async function handle(
  parts: ServerParts,
  endpoint: Endpoint,
  routed: Routed,
  { connection, limitSilence }: Connected,
): Promise<Response> {
  const { app, limiter, signatures } = parts;
  const { request, pathParameters } = routed;
  const count = beginCount(limiter, connection, endpoint.isPicture ? "picture" : "unsigned");
  const longWork = new LongWork();
  let signature: string | undefined;
  try {
    if (request.url.length > longestUrl)
      throw new ApiError("REQUEST_TOO_LARGE", "The address is too long.", 414);
    const ofAddress = readAddress(request, pathParameters, strangers.parametersMax);
    count.cost = endpoint.cost(ofAddress.given);
    const url = urlOf(app, request, connection);
    signature = signatureOf(endpoint, request, url, ofAddress.given);
    if (signature !== undefined) count.who = "unproven";
    admit(count, signature === undefined ? undefined : signatures.find(signature), app.clock.now());
    const asked = { ...routed, connection, parameters: ofAddress.given, url, signature, longWork };
    const { ctx: arrived, body } = await takeIn(parts, endpoint, asked);
    connection.keepOpen();
    const parameters = readParameters(routed, ofAddress, body, arrived.actor);
    const ctx = withClientName(arrived, parameters);
    noteSender(routed, ctx);
    count.cost = endpoint.cost(parameters);
    countRequest(count, ctx.actor, ctx.now);
    if (hasAccount(ctx.actor)) noteRequest(ctx);
    const { answering } = connection;
    answering.begin(ctx, endpoint);
    requireCaller(endpoint, ctx.actor);
    requirePermission(endpoint.who, ctx.actor);
    const call = (picture?: Uint8Array) => callVerb(ctx, endpoint, connection, parameters, picture);
    const mibMax = pictureMibMax(endpoint, request, app.config);
    const { output, ignored } = await (mibMax === undefined
      ? call()
      : withPicture(mibMax, ctx, connection, parameters, call));
    if (output instanceof FileAnswer || output instanceof Page || output instanceof RawAnswer) {
      answering.gone();
      if (output instanceof Page) chargeAnswer(count, ctx.actor, output.sizeBytes, app.clock.now());
      return withBuild(parts, routed, notJsonResponse(output, routed, count, answering));
    }
    const made = answerText(output, ignored);
    const text = made instanceof Promise ? await made : made;
    answering.made(text.sizeBytes);
    chargeAnswer(count, ctx.actor, text.sizeBytes, app.clock.now());
    const buildId = routed.sessionUser ? parts.buildId() : undefined;
    const answer = { text, routed, limitState: count.limitState, answering, buildId };
    return routed.sessionUser ? await sessionResponse(answer) : plainResponse(answer);
  } catch (error) {
    connection.answering.gone();
    throw refused(parts, routed, count, signature, error);
  } finally {
    endLongWork(longWork);
    limitSilence();
  }
}

/** Calls an endpoint's verb with its input; answers also the names of unknown parameters. */
async function callVerb(
  ctx: Context,
  endpoint: Endpoint,
  connection: Connection,
  parameters: ReadonlyMap<string, string>,
  picture: Uint8Array | undefined,
) {
  const { input, ignored } = decodeInput(endpoint.input, endpoint.aliases, parameters);
  const withFields = endpoint.body.kind === "files" ? noteFields(connection, ignored) : connection;
  const withAll = picture ? { ...connection, picture } : withFields;
  return { output: await endpoint.call(ctx, input, withAll), ignored };
}

function noteSender(routed: Routed, ctx: Context) {
  const { actor } = ctx;
  routed.sessionUser = sessionUserOf(ctx);
  if (routed.details && hasAccount(actor)) routed.details.userId = actor.user.id;
}

/** A file, a page or an answer of another protocol. */
const notJsonResponse = (
  output: FileAnswer | Page | RawAnswer,
  { request, requestId }: Asked,
  { limitState }: Count,
  answering: Answering,
): Response =>
  output instanceof FileAnswer
    ? fileResponse(output, request, requestId, limitState, answering)
    : otherResponse(output, requestId, limitState);

/**
 * The error to answer with. Notes the state of the rate limits, and that the request's signature
 * may be wrong.
 */
function refused(
  { app, signatures }: ServerParts,
  asked: Asked,
  count: Count,
  signature: string | undefined,
  error: unknown,
) {
  const now = app.clock.now();
  const isOfServer = isTroubleOfServer(error);
  if (isOfServer) giveBackHeld(count, now);
  else if (signature !== undefined && !count.isDone) signatures.forget(signature);
  const refusal = isOfServer ? error : countRefused(count, error, now);
  asked.limitState = count.limitState;
  return refusal;
}

/**
 * Whether a request failed for a reason that its sender did not cause, such as a database that is
 * away.
 */
const isTroubleOfServer = (error: unknown) =>
  error instanceof ApiError ? error.status >= 500 : !isBreakOff(error);

interface TakenIn {
  ctx: Context;
  /** Undefined if there is none, or if the verb reads it. */
  body: Body | undefined;
}

/**
 * Identifies the sender of a request and reads its body. A body that is allowed without a sign-in
 * is read first, so that the sender is looked up only once, when the body is complete. A larger
 * body is read only for people who have signed in, and who still are signed in afterwards.
 */
async function takeIn(
  { app, signatures }: ServerParts,
  endpoint: Endpoint,
  arrived: Arrived,
): Promise<TakenIn> {
  const { request } = arrived;
  const { requestSizeBytesMax } = app.config;
  const ofStrangers = Math.min(requestSizeBytesMax, strangers.bodyBytesMax);
  if (isReadLater(endpoint, request, app.config)) {
    const ctx = await identify(app, signatures, endpoint, arrived);
    // Reading a body may take long, so the request is compared with the data at that time.
    return { ctx: { ...ctx, reader: app.engine.openReader() }, body: undefined };
  }
  const sizeBytes = bodySize(request);
  if (sizeBytes <= ofStrangers) {
    const body = sizeBytes === 0 ? undefined : await readWhole(request, ofStrangers);
    return { body, ctx: await identify(app, signatures, endpoint, arrived) };
  }
  const { actor } = await identify(app, signatures, endpoint, arrived);
  const body = await readWhole(request, hasAccount(actor) ? requestSizeBytesMax : ofStrangers);
  return { body, ctx: await identify(app, signatures, endpoint, arrived) };
}

/** All parameters of a request, as many as its sender may send. */
function readParameters(
  { request, pathParameters }: Routed,
  ofAddress: Parameters,
  body: Body | undefined,
  actor: Actor,
): Map<string, string> {
  const countMax = hasAccount(actor) ? parametersMax : strangers.parametersMax;
  const parameters = ofAddress.isCut ? readAddress(request, pathParameters, countMax) : ofAddress;
  if (parameters.isCut) throw tooManyParameters(countMax);
  if (body) addBody(parameters, body, pathParameters, countMax);
  return parameters.given;
}

/** Whether the body is read only after the sender is identified. */
const isReadLater = (endpoint: Endpoint, request: Request, config: Config) =>
  endpoint.body.kind === "files" ||
  endpoint.body.kind === "webhook" ||
  pictureMibMax(endpoint, request, config) !== undefined;

/**
 * Size limit in MiB of a picture in the request's form; undefined if the request is not a multipart
 * form.
 */
const pictureMibMax = (
  { body }: Endpoint,
  { headers }: Request,
  config: Config,
): number | undefined =>
  body.kind === "picture" && isMultipart(headers.get("content-type"))
    ? body.mibMax(config)
    : undefined;

/** Adds the fields of a form with a picture to the parameters; parameters of the address win. */
async function withPicture<Answer>(
  mibMax: number,
  { app, actor }: Context,
  connection: Connection,
  parameters: Map<string, string>,
  call: (picture?: Uint8Array) => Promise<Answer>,
): Promise<Answer> {
  return whileCounted(app, "user" in actor ? actor.user.id : 0, async () => {
    const { fields, picture } = await readPictureForm(connection.parts(), mibMax);
    for (const [name, value] of fields) if (!parameters.has(name)) parameters.set(name, value);
    return call(picture);
  });
}

/**
 * Connection that notes fields in a form with files, because no endpoint uses fields there.
 */
function noteFields(connection: Connection, ignored: string[]): Connection {
  async function* parts() {
    for await (const part of connection.parts()) {
      if (part.filename === undefined) ignored.push(part.name);
      yield part;
    }
  }
  return { ...connection, parts };
}

function requirePermission(who: Who, actor: Actor) {
  if (who === "anyone") return;
  if (!("user" in actor)) throw unauthorized();
  const limit = roleLimits[who];
  if (limit && actor.user.role > limit.roleMax) throw limit.refusal();
}

/**
 * Incoming webhook bots can only send messages, although their accounts are like others; clients
 * know this text.
 */
function requireCaller({ callers }: Endpoint, actor: Actor) {
  if (!("user" in actor) || callers === "writers") return;
  if (actor.kind === "webhook")
    throw unauthorized("This API is not available to incoming webhook bots.");
  const isBot = actor.kind === "bot";
  if (isBot && callers === "people")
    throw badRequest("This endpoint does not accept bot requests.");
  if (!isBot && callers === "bots")
    throw badRequest("This endpoint is only for bots: sign in with a bot's API key.");
}

/**
 * The answer to a request that failed. Any error except a refusal is a bug, which only the log
 * describes. The log contains the declared path, because the requested one may contain the token of
 * a link.
 */
export const failed = (parts: ServerParts, asked: Asked, error: unknown): Response =>
  withBuild(parts, asked, refusedWith(parts.app, asked, error));

/**
 * Adds the id of the server's web client to each answer to a session, so that open pages notice a
 * new one.
 */
function withBuild(parts: ServerParts, { sessionUser }: Asked, response: Response): Response {
  const id = sessionUser ? parts.buildId() : undefined;
  if (id !== undefined) response.headers.set(buildHeader, id);
  return response;
}

function refusedWith(app: App, asked: Asked, error: unknown): Response {
  const refusal = refusalFor(app, asked, error);
  serverCounters.of(app).add("refusals", refusal.code);
  const { requestId, limitState, details, sessionUser } = asked;
  const inWords = sessionUser ? refusalInWordsOf(sessionUser, refusal) : refusal;
  const forPeople = signInFirst(refusal, asked) ?? refusalPage(refusal, asked);
  if (details) details.sizeBytes = forPeople ? undefined : Buffer.byteLength(errorBody(inWords));
  return forPeople ?? errorResponse(inWords, requestId, limitState);
}

function refusalFor(app: App, asked: Asked, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isBreakOff(error)) return badRequest("The request was aborted.");
  const ofDisk = storageRefusal(error);
  if (ofDisk) {
    app.storage.report(error);
    return ofDisk;
  }
  return refusalOfDatabase(app, error) ?? refusalOfBug(app, asked, error);
}

function refusalOfBug(app: App, { request, requestId, route }: Asked, error: unknown): ApiError {
  app.log.error("request_failed", {
    requestId,
    method: request.method,
    path: route,
    ...describeError(error),
  });
  const message = `Something went wrong on the server. Its log has the details under request ${requestId}.`;
  const reason = { name: "server-error", values: [requestId] } as const;
  return new ApiError("INTERNAL_SERVER_ERROR", message, 500, {}, reason);
}
