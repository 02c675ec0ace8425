/** Encodings in which answers are sent, the smallest first. */
export const encodings = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The smallest encoding that a client accepts, by its header `Accept-Encoding` (RFC 9110, 12.5.3).
 */
export function encodingFor(accepted: string | null): Encoding {
  const named = (accepted ?? "")
    .toLowerCase()
    .split(",")
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(";")[0]?.trim());
  return encodings.find((encoding) => named.includes(encoding)) ?? "identity";
}

/** Values of `Sec-Fetch-Site` by which another site has no part in a request. */
const ownSites: readonly (string | null)[] = [null, "same-origin", "none"];

/**
 * The encoding of an answer in which private words stand beside those of other people. It is
 * compressed for our own pages and for people who have typed the address. Another site can lead a
 * browser to an address, in the session, and may see how long the answer is: from compressed ones
 * it could guess the private words (BREACH).
 */
export const encodingForOwnPage = (header: (name: string) => string | null): Encoding =>
  ownSites.includes(header("sec-fetch-site")) ? encodingFor(header("accept-encoding")) : "identity";

/** The header `Vary` of such answers. */
export const variesForOwnPage = "Accept-Encoding, Sec-Fetch-Site";

export const encodingHeader = (encoding: Encoding): Record<string, string> =>
  encoding === "identity" ? {} : { "content-encoding": encoding };
