import type { Reader } from "../../db/reader";
import type { Actor, App, Context, RealmRow } from "../core/context";
import type { Connection, Endpoint, Who } from "../core/endpoint";
import { organizationNotFound } from "../core/errors";
import { languageAsked } from "../core/language";
import { siteOf } from "../core/network/site";
import { spectatorOf } from "../core/rights/spectator";
import type { LongWork } from "../core/turns/loop-scheduler";
import { arrive, hostName, learnPublicHost } from "../realm/arrival";
import { hasPublicAccess } from "../realm/queries";
import { readSessionCookie } from "../sign-in/cookies";
import { noteKeyUse } from "../sign-in/key-uses";
import { authenticateApiKey, authenticateRequest, hasCredentials } from "../sign-in/sign-in";
import { clientNameIn } from "./client-name";
import type { KnownSignatures } from "./known-signatures";

/** A request that has arrived: its address was read, its body was not. */
export interface Arrived {
  request: Request;
  requestId: string;
  connection: Connection;
  /** The parameters of its address. */
  parameters: ReadonlyMap<string, string>;
  /** Address by which the client reached the server. */
  url: string;
  /** Its credentials; undefined if there are none, or if the endpoint ignores them. */
  signature: string | undefined;
  longWork: LongWork;
}

/**
 * The address by which a client reached the server, as far as the operator or a trusted proxy says
 * it.
 */
export const urlOf = (
  { config }: App,
  { headers }: Request,
  connection: Pick<Connection, "isEncrypted">,
): string =>
  config.url ?? `${connection.isEncrypted() ? "https" : "http"}://${headers.get("host") ?? ""}`;

/**
 * Longer than an e-mail address with a key, and than a session's token: a longer text cannot be a
 * valid signature.
 */
const signatureLengthMax = 2_000;

/** The credentials in a request's head: a header, a cookie or a key. */
export function signatureOf(
  endpoint: Pick<Endpoint, "who" | "body">,
  request: Request,
  url: string,
  parameters: ReadonlyMap<string, string>,
): string | undefined {
  const signature =
    endpoint.body.kind === "webhook"
      ? parameters.get("api_key")
      : endpoint.who === "anyone"
        ? undefined
        : (request.headers.get("authorization") ??
          readSessionCookie({ header: (name) => request.headers.get(name), url }));
  return signature !== undefined && signature.length <= signatureLengthMax ? signature : undefined;
}

/**
 * Finds the organization and the sender of a request. Refuses like `authenticateRequest` and
 * `authenticateApiKey`.
 */
export async function identify(
  app: App,
  signatures: KnownSignatures,
  endpoint: Endpoint,
  arrived: Arrived,
): Promise<Context> {
  const { request, requestId, signature, connection, longWork } = arrived;
  app.engine.checkForOtherWrites();
  const host = request.headers.get("host") ?? "";
  const arrival = arrive(app.engine, host);
  const learned = learnPublicHost(app, host);
  const { realm, reader } = learned ? (await Promise.all([arrival, learned]))[0] : await arrival;
  if (!realm) throw organizationNotFound(hostName(host));
  const url = app.config.url === undefined ? arrived.url : siteOf({ app, realm });
  const actor =
    endpoint.body.kind === "webhook"
      ? await authenticateApiKey(app, realm, arrived.parameters.get("api_key"))
      : await findActor(app, endpoint.who, realm, arrived, url, reader);
  const now = app.clock.now();
  if (signature !== undefined && "user" in actor) {
    signatures.note(signature, { userId: actor.user.id, apiKeyId: actor.apiKeyId });
    if (!("isSession" in actor)) noteKeyUse(app, realm.id, actor.apiKeyId, now);
  }
  const client = clientNameIn(request.headers.get("user-agent"));
  const clientAddress = connection.origin;
  const ctx = { app, realm, actor, reader, now, client, clientAddress, requestId, url, longWork };
  if (actor.kind !== "anonymous") return ctx;
  return { ...ctx, browserLanguage: languageAsked(request.headers.get("accept-language")) };
}

function findActor(
  app: App,
  who: Who,
  realm: RealmRow,
  { request, signature }: Pick<Arrived, "request" | "signature">,
  url: string,
  reader: Reader,
): Actor | Promise<Actor> {
  if (who === "anyone") return { kind: "anonymous" };
  const isOpen = who === "spectator" && realm.isActive && hasPublicAccess({ app, realm });
  return isOpen && !hasCredentials(request, url)
    ? spectatorOf(realm)
    : authenticateRequest(app, realm, request, url, reader, signature);
}
