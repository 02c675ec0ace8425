import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AxiosAdapter } from "axios";
import { messageOf } from "../core/error-code";
import { IssueError } from "./certificate-keeper";
import type { Issued } from "./certificate-store";
import { whyUnreached } from "./why-unreached";

/* Certificates by ACME (RFC 8555), with the http challenge (HTTP-01, 8.3). */

interface IssuerParts {
  /** Address of the authority's directory. */
  directory: string;
  /**
   * File with the certificate that vouches for the authority's server; the system's certificates if
   * it is left out.
   */
  caFile: string | undefined;
  /** Address to which the authority may write. */
  email: string | undefined;
  accountKey: string;
  /** Answers to challenges of the authority, by token, while it may ask. */
  answers: Map<string, string>;
}

const requestMilliseconds = 30_000;
/** Polls the state of a challenge and of an order, at most two minutes each. */
const polling = { backoffAttempts: 15, backoffMin: 500, backoffMax: 10_000 };
const tooManyRequests = 429;
const serverErrorMin = 500;

type Library = typeof import("acme-client");
type Client = InstanceType<Library["Client"]>;

/** The library, loaded when a certificate is needed, because it is large. */
async function loadLibrary(caFile: string | undefined): Promise<Library> {
  const library = await import("acme-client");
  library.axios.defaults.adapter = requestOf(caFile);
  return library;
}

/**
 * Sends a request of the library. By itself, the library would repeat a request that was refused
 * because of too many, after the time that the authority names, with a nonce that is used up by
 * then. It would also hide why a connection failed.
 */
function requestOf(caFile: string | undefined): AxiosAdapter {
  const tls = caFile === undefined ? {} : { tls: { ca: readFileSync(caFile, "utf8") } };
  return async (config) => {
    const { url = "", method = "get", data } = config;
    const headers = new Headers();
    for (const [name, value] of Object.entries(config.headers)) headers.set(name, String(value));
    const signal = AbortSignal.timeout(requestMilliseconds);
    const options = { method: method.toUpperCase(), headers, body: data, signal, ...tls };
    const answer = await fetch(url, options).catch((error: unknown) => {
      throw new IssueError(
        `${new URL(url).host} cannot be reached: ${whyUnreached(error, "acme_ca_file")}.`,
        false,
      );
    });
    const { status, statusText } = answer;
    const text = await answer.text();
    if (status === tooManyRequests || status >= serverErrorMin)
      throw new IssueError(detailOf(text) ?? `HTTP ${status}`, true, waitSeconds(answer.headers));
    return { data: text, status, statusText, headers: Object.fromEntries(answer.headers), config };
  };
}

/** The description in a problem document (RFC 7807). */
function detailOf(text: string): string | undefined {
  try {
    const { detail } = JSON.parse(text);
    return typeof detail === "string" ? detail : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds in `Retry-After`, given as a number or as a date (RFC 9110, 10.2.3). */
function waitSeconds(headers: Headers): number {
  const given = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(given)) return Number(given);
  const milliseconds = Date.parse(given) - Date.parse(headers.get("date") ?? "");
  return Number.isNaN(milliseconds) ? 0 : Math.max(0, Math.ceil(milliseconds / 1000));
}

/** Makes the function that gets a certificate for a host. It throws an `IssueError`. */
export function makeIssuer(parts: IssuerParts) {
  return async (host: string): Promise<Issued> => {
    try {
      return await issue(await loadLibrary(parts.caFile), parts, host);
    } catch (error) {
      throw error instanceof IssueError ? error : new IssueError(messageOf(error), true);
    }
  };
}

async function issue(
  library: Library,
  { directory, accountKey, email, answers }: IssuerParts,
  host: string,
): Promise<Issued> {
  const client = new library.Client({ directoryUrl: directory, accountKey, ...polling });
  await openAccount(client, email === undefined ? {} : { contact: [`mailto:${email}`] });
  const order = await client.createOrder({ identifiers: [{ type: "dns", value: host }] });
  for (const authorization of await client.getAuthorizations(order)) {
    if (authorization.status === "valid") continue;
    const challenge = authorization.challenges.find(({ type }) => type === "http-01");
    if (!challenge) throw new Error(`The authority offers no question by http for ${host}.`);
    answers.set(challenge.token, await client.getChallengeKeyAuthorization(challenge));
    try {
      await client.completeChallenge(challenge);
      await client.waitForValidStatus(challenge);
    } finally {
      answers.delete(challenge.token);
    }
  }
  const key = await library.crypto.createPrivateEcdsaKey();
  const [, request] = await library.crypto.createCsr({ altNames: [host] }, key);
  const chain = await client.getCertificate(await client.finalizeOrder(order, request));
  return { chain, key: key.toString() };
}

/**
 * Registers the account, or finds it by its key if it is registered. Otherwise the library would
 * also send an update of it, which authorities refuse if it changes nothing.
 */
async function openAccount(client: Client, contact: { contact?: string[] }) {
  try {
    await client.createAccount({ termsOfServiceAgreed: true, ...contact });
  } catch (error) {
    if (!hasAccount(client)) throw error;
  }
}

function hasAccount(client: Client): boolean {
  try {
    return client.getAccountUrl() !== "";
  } catch {
    return false;
  }
}

/** A certificate that no client trusts, served until the authority has issued one. */
export async function makePlaceholder(host: string): Promise<Issued> {
  const { X509CertificateGenerator } = await import("@peculiar/x509");
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const name = `CN=no certificate yet for ${host}`;
  const own = { keys, name, signingAlgorithm: algorithm };
  const certificate = await X509CertificateGenerator.createSelfSigned(own);
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return {
    chain: certificate.toString("pem"),
    key: key.export({ format: "pem", type: "pkcs8" }).toString(),
  };
}
