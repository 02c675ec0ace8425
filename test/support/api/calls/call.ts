import type { Endpoint } from "../../../../src/core/endpoint";
import { endpoints, rootEndpoints } from "../../../../src/server";
import type { Client } from "../../client";
import type { Person, World } from "../../world";

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
 * Answers for each caller; callers without an entry get the answer of `others`. A bot of another
 * kind gets the answer of the generic bot. Incoming webhook bots without an entry are refused
 * wherever a sign-in is needed.
 */
export type Outcomes = Partial<Record<Caller, Outcome>> & { others: Outcome };

/** Expected answer of an endpoint's row for a caller. */
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

/** Arguments of a call: the parts of the path in braces, and the parameters. */
export interface Asked {
  path?: Record<string, string | number>;
  parameters?: Record<string, unknown>;
  /** Replaces the parameters. */
  form?: FormData;
  /** Headers that an endpoint of another protocol reads. */
  headers?: Record<string, string>;
  /** The body, as JSON; then the parameters are in the address. */
  json?: unknown;
}

/** One realistic call of an endpoint. */
export interface Call {
  outcomes: Outcomes;
  /** Creates the objects of the call, new ones each time, and answers the arguments. */
  prepare(world: World, caller: Person): Promise<Asked> | Asked;
  /**
   * Whether one object serves all callers in turn, because each of them does something of their own
   * with it. Reads need not say so.
   */
  servesAll?: true;
  /** Person whom the call makes useless for later calls: the caller, or everybody. */
  spends?: "caller" | "world";
  /** Whether only browsers in a session may call it: requests with a key are refused. */
  isForSessions?: true;
  /** Whether this server refuses it to everybody. */
  isForNobody?: true;
  /** Person who makes the call when it must succeed. */
  by?: "olga" | "adam" | "alice" | "robot";
}

/**
 * Calls by endpoint: `POST /messages`; `GET the page /login/link/{token}` for endpoints below the
 * root.
 */
export type Calls = Record<string, Call>;

/** All endpoints of the server, by the name of their row. */
export const allEndpoints: ReadonlyMap<string, Endpoint> = new Map([
  ...endpoints.map((one): [string, Endpoint] => [`${one.method} ${one.path}`, one]),
  ...rootEndpoints.map((one): [string, Endpoint] => [`${one.method} the page ${one.path}`, one]),
]);

export const endpointNames = [...allEndpoints.keys()];

/** Makes the call of a row as a person. */
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
/** Everybody of the organization; for others its object does not exist. */
export const everyoneHere: Outcomes = { ...everyone, outsider: bad };
/** People alone, for themselves or in their own organization. */
export const people: Outcomes = { ...everyone, bot: bad };
/** Everybody except guests. */
export const allButGuests: Outcomes = { ...everyone, guest: bad };
export const allButGuestsHere: Outcomes = { ...everyoneHere, guest: bad };
/** People except guests. */
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
