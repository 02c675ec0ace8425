import type { Endpoint } from "../../../src/core/endpoint";
import { endpoints, rootEndpoints } from "../../../src/server";
import type { Client } from "../client";
import type { Person, World } from "../world";

/**
 * Callers of each endpoint: people by role, and one bot of each kind, `bot` being a generic one.
 * The outsider is a member of another organization, at their own address.
 */
export const callers = [
  "owner",
  "administrator",
  "moderator",
  "member",
  "guest",
  "bot",
  "incomingWebhook",
  "outgoingWebhook",
  "embeddedBot",
  "anonymous",
  "deactivated",
  "outsider",
] as const;
export type Caller = (typeof callers)[number];

/** `ok`, or the status and code of the refusal: `400 BAD_REQUEST`. */
export type Outcome = string;

/**
 * Answers that each caller gets; a caller who is not named gets the one of `others`. A bot of
 * another kind gets what the generic one does, but an incoming webhook is refused wherever one has
 * to sign in, unless it is named.
 */
export type Outcomes = Partial<Record<Caller, Outcome>> & { others: Outcome };

/** Answer that an endpoint's row gives for a caller. */
export function outcomeFor(outcomes: Outcomes, caller: Caller): Outcome {
  const { others, anonymous = others, bot = others } = outcomes;
  const isRefused = ["401", "401 UNAUTHORIZED"].includes(anonymous);
  const inGeneral: Partial<Outcomes> = {
    incomingWebhook: isRefused ? anonymous : bot,
    outgoingWebhook: bot,
    embeddedBot: bot,
  };
  return outcomes[caller] ?? inGeneral[caller] ?? others;
}

/** Arguments of a call: the parts of the path that are in braces, and the parameters. */
export interface Asked {
  path?: Record<string, string | number>;
  parameters?: Record<string, unknown>;
  /** In place of parameters. */
  form?: FormData;
  /** Headers that an endpoint of another protocol reads. */
  headers?: Record<string, string>;
  /** The body, as JSON: parameters stand in the address then. */
  json?: unknown;
}

/** One call of an endpoint, as somebody would really make it. */
export interface Call {
  outcomes: Outcomes;
  /** Makes what the call is about, anew for each, and answers what to ask. */
  prepare(world: World, caller: Person): Promise<Asked> | Asked;
  /** Person who is of no use to others afterwards: the caller, or everybody. */
  spends?: "caller" | "world";
  /** Whether only browsers in a session may call it: with a key it is refused. */
  isForSessions?: true;
  /** Whether this server refuses it to everybody. */
  isForNobody?: true;
  /** Person who calls when it has to succeed. */
  by?: "olga" | "adam" | "alice" | "robot";
}

/**
 * Calls by endpoint: `POST /messages`; `GET the page /login/link/{token}` for those below the root.
 */
export type Calls = Record<string, Call>;

/** Everything that can be asked of the server, by the name of its row. */
export const allEndpoints: ReadonlyMap<string, Endpoint> = new Map([
  ...endpoints.map((one): [string, Endpoint] => [`${one.method} ${one.path}`, one]),
  ...rootEndpoints.map((one): [string, Endpoint] => [`${one.method} the page ${one.path}`, one]),
]);

export const endpointNames = [...allEndpoints.keys()];

/** Asks what a row says, as somebody. */
export async function askFor(
  client: Client,
  name: string,
  { path = {}, parameters, form, headers, json }: Asked,
): Promise<Outcome> {
  const endpoint = allEndpoints.get(name);
  if (!endpoint) throw new Error(`there is no endpoint ${name}`);
  const { method } = endpoint;
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, part: string) =>
    encodeURI(String(path[part] ?? "")),
  );
  if (rootEndpoints.some((one) => one === endpoint)) {
    const { status } = await client.open(filled, {
      method,
      redirect: "manual",
      ...(form === undefined ? {} : { body: form }),
    });
    return status < 400 ? "ok" : String(status);
  }
  if (json !== undefined) {
    const address = `${filled}?${new URLSearchParams(Object.entries(parameters ?? {}).map(([name, value]) => [name, String(value)]))}`;
    const { status, body } = await client.ask(method, address, {}, { body: JSON.stringify(json) });
    return status < 300 ? "ok" : `${status} ${body.code}`;
  }
  const init = {
    ...(form === undefined ? {} : { body: form }),
    ...(headers === undefined ? {} : { headers }),
  };
  const { status, body } = await client.ask(method, filled, parameters, init);
  return status < 300 ? "ok" : method === "HEAD" ? String(status) : `${status} ${body.code}`;
}

export const signedOut = { anonymous: "401 UNAUTHORIZED", deactivated: "401 UNAUTHORIZED" };

const bad = "400 BAD_REQUEST";
const unauthorized = "400 UNAUTHORIZED_PRINCIPAL";

/** Everybody, signed in or not. */
export const open: Outcomes = { others: "ok" };
/** Everybody who has signed in, for themselves or in their own organization. */
export const everyone: Outcomes = { ...signedOut, others: "ok" };
/** Everybody of the organization; what it is about does not exist for others. */
export const everyoneHere: Outcomes = { ...everyone, outsider: bad };
/** People alone, for themselves or in their own organization. */
export const people: Outcomes = { ...everyone, bot: bad };
/** Everybody but guests. */
export const allButGuests: Outcomes = { ...everyone, guest: bad };
export const allButGuestsHere: Outcomes = { ...everyoneHere, guest: bad };
/** People who are no guests. */
export const members: Outcomes = { ...allButGuests, bot: bad };
export const membersHere: Outcomes = { ...allButGuestsHere, bot: bad };
/** Administrators of the organization. */
export const administrators: Outcomes = {
  ...signedOut,
  owner: "ok",
  administrator: "ok",
  others: unauthorized,
};
export const owners: Outcomes = { ...signedOut, owner: "ok", others: unauthorized };
