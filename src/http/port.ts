import type { Config } from "../config/config";
import type { Log } from "../core/log";
import { type Networks, plainAddress } from "../core/network/address";
import { clientAddress } from "./client-address";
import { type Connector, trustedBy } from "./connection";
import type { RequestDetails, Routed } from "./elysia";
import type { ServerParts } from "./handle";
import type { RequestGate } from "./request-gate";
import { requestIdOf } from "./request-id";
import { type TrafficWatch, WatchedTraffic } from "./traffic";

/** The parts that answer requests once the data is open. */
export interface ReadyParts {
  serverParts: ServerParts;
  connect: Connector;
}

/** A port, or a Unix socket, as the routes see it. */
export interface Port {
  readonly gate: RequestGate<ReadyParts>;
  /** Log for errors before there is an app, which has its own log. */
  readonly log: Pick<Log, "error"> | undefined;
  readonly watch: TrafficWatch | undefined;
  /** Notes the route of a request, whose path is given as it is declared. */
  note(request: Request, route: string | undefined): Routed;
  /** Runs the answer to a request, and passes the answer on to the client. */
  pass(answer: (request: Request) => unknown, request: Request): unknown;
}

type Peer = (request: Request) => string;
type Trusting = Partial<Pick<Config, "trustedProxies" | "listen">>;

/** Makes a port that does not listen yet; `peerOf` gives the address of a request's sender. */
export function makePort(
  config: Trusting,
  gate: RequestGate<ReadyParts>,
  peerOf: Peer,
  { log, watch }: Partial<Pick<Port, "log" | "watch">>,
): Port {
  const trusted: Networks | undefined = trustedBy(config);
  const routed = (request: Request, route: string | undefined): Routed => ({
    request,
    requestId: requestIdOf(request, peerOf, trusted),
    route,
    limitState: undefined,
    sessionUser: undefined,
    pathParameters: noParameters,
    details: undefined,
  });
  if (watch === undefined) {
    const pass: Port["pass"] = (answer, request) => gate.pass(answer, request);
    return { gate, log, watch, note: routed, pass };
  }
  const traffic = new WatchedTraffic(watch);
  const detailsOf = (request: Request): RequestDetails => {
    const peer = peerOf(request);
    return {
      address: clientAddress(peer, request.headers.get("x-forwarded-for"), trusted),
      isFromProxy: trusted?.has(plainAddress(peer)) === true,
      userId: undefined,
      sizeBytes: undefined,
    };
  };
  return {
    gate,
    log,
    watch,
    note(request, route) {
      const asked = routed(request, route);
      if (watch.wantsDetails) asked.details = detailsOf(request);
      traffic.note(asked);
      return asked;
    },
    pass: (answer, request) => traffic.follow((passing) => gate.pass(answer, passing), request),
  };
}

const noParameters = {};
