import type { App } from "../core/context";
import type { Connection, Part } from "../core/endpoint";
import { countedAddress, type Networks, parseNetworks } from "../core/network/address";
import { once } from "../core/once";
import { AnswerBudget, Answering } from "./answer-budget";
import { bodyChunks, uploadPace } from "./body-stream";
import { clientAddress, isForwardedEncrypted } from "./client-address";
import { isMultipart, readParts } from "./multipart";
import { readBody } from "./parameters";

/** The part of Bun's server that knows the connection of a request. */
export type Peers = Pick<Bun.Server<unknown>, "timeout" | "requestIP">;

export interface Connected {
  connection: Connection;
  /**
   * Restores the idle timeout. Bun does not restore it after it was lifted for one request of a
   * connection.
   */
  limitSilence(): void;
}

export type Connector = (request: Request) => Connected;

/**
 * Makes a function that gives verbs the facts about a request's connection. `isEncrypted` says that
 * all requests of the port come over https.
 */
export function makeConnector(
  { config, clock }: App,
  peers: Peers,
  idleTimeoutSeconds: number,
  isEncrypted = false,
): Connector {
  const budget = new AnswerBudget(config.answersInProgressBytesMax);
  const trusted = trustedBy(config);
  return (request) => {
    let isKeptOpen = false;
    const keepOpen = () => {
      peers.timeout(request, 0);
      isKeptOpen = true;
    };
    const answering = new Answering(budget, () => connection.address());
    // Bun forgets the address with the connection, so a refund goes to the address that was
    // charged.
    const peer = once(() => peers.requestIP(request)?.address ?? "");
    const origin = () => clientAddress(peer(), request.headers.get("x-forwarded-for"), trusted);
    const connection: Connection = {
      method: request.method,
      get signal() {
        return request.signal;
      },
      keepOpen,
      expect: (sizeBytes) => answering.expect(sizeBytes),
      answering,
      get target() {
        return request.url.slice(request.url.indexOf("/", "https://".length));
      },
      header: (name) => request.headers.get(name),
      origin,
      address: () => countedAddress(origin()),
      isEncrypted: () =>
        isEncrypted ||
        isForwardedEncrypted(peer, request.headers.get("x-forwarded-proto"), trusted),
      body: () => readBody(request, bodyChunks(request, clock), config.requestSizeBytesMax),
      chunks: () => bodyChunks(request, clock, uploadPace),
      parts() {
        const type = request.headers.get("content-type");
        return type !== null && isMultipart(type)
          ? readParts(bodyChunks(request, clock, uploadPace), type)
          : noParts();
      },
    };
    const limitSilence = () => {
      if (isKeptOpen) peers.timeout(request, idleTimeoutSeconds);
    };
    return { connection, limitSilence };
  };
}

/**
 * The peers that may name the client's address: the configured proxies, and every peer at a Unix
 * socket, because only accounts that the operator allows connect to it. Such a peer has no address.
 */
export function trustedBy({
  trustedProxies,
  listen,
}: Partial<Pick<App["config"], "trustedProxies" | "listen">>): Networks | undefined {
  const networks = trustedProxies === undefined ? undefined : parseNetworks(trustedProxies);
  if (listen === undefined) return networks;
  return { has: (address) => address === "" || networks?.has(address) === true };
}

/**
 * A body that is not a form has no parts. It is not refused here, because the endpoint says which
 * file it needs.
 */
async function* noParts(): AsyncGenerator<Part> {}
