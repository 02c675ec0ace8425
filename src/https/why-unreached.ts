import { codeOf, messageOf } from "../core/error-code";

const unsigned = "its certificate is from an authority that this machine does not trust";

const reasons: readonly [RegExp, string][] = [
  [/ECONNREFUSED|ConnectionRefused|FailedToOpenSocket/, "nobody listens there"],
  [/ENOTFOUND|ENODATA|EAI_AGAIN/, "its name has no address in the DNS"],
  [/EHOSTUNREACH|ENETUNREACH/, "no network leads there"],
  [/ECONNRESET|ConnectionClosed/, "the connection was closed"],
  [/TimeoutError|ETIMEDOUT/, "there was no answer in time"],
  [/ALTNAME/, "its certificate is for another host"],
  [/CERT_HAS_EXPIRED/, "its certificate has expired; or the clock of this machine is wrong"],
  [/SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|UNKNOWN_CA/, unsigned],
];

/**
 * Reason in words why a service could not be requested. `caSetting` is the setting that
 * names the certificate of a private authority.
 */
export function whyUnreached(error: unknown, caSetting = "NODE_EXTRA_CA_CERTS"): string {
  const text =
    error instanceof Error ? `${error.name} ${codeOf(error)} ${error.message}` : String(error);
  const [, reason] = reasons.find(([pattern]) => pattern.test(text)) ?? [];
  if (reason === unsigned)
    return `${unsigned}: name that authority's certificate with ${caSetting}`;
  const message = messageOf(error);
  return reason ?? message.replace(/[.?!\s]+$/, "");
}
