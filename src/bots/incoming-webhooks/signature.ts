import { badRequest } from "../../core/errors";

/** Post whose signature is checked. */
export interface Signed {
  body: Uint8Array;
  header(name: string): string | null;
  /** UNIX seconds. */
  now: number;
}

/** Whether a post comes from the owner of the secret. */
export type SignatureScheme = (signed: Signed, secret: string) => boolean;

const hmac = (secret: string, ...parts: (string | Uint8Array)[]) => {
  const hasher = new Bun.CryptoHasher("sha256", secret);
  for (const part of parts) hasher.update(part);
  return hasher.digest("hex");
};

/**
 * Compares in constant time, which reveals neither the place of a difference nor the length of the
 * secret text.
 */
function isSame(given: string, right: string): boolean {
  const digest = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest();
  return crypto.timingSafeEqual(digest(given), digest(right));
}

/**
 * One of several signatures must be right, because a sender whose secret changes signs with both
 * for a while.
 */
const hasOne = (given: readonly string[], right: string) =>
  given.reduce((found, one) => isSame(one.toLowerCase(), right) || found, false);

/**
 * HMAC-SHA-256 of the body in hexadecimal, after `prefix`, in the first of the headers that exists.
 */
export const signedBody =
  (headers: readonly string[], prefix = ""): SignatureScheme =>
  ({ body, header }, secret) => {
    const given = headers.map(header).find((value) => value !== null) ?? "";
    return given.startsWith(prefix) && hasOne([given.slice(prefix.length)], hmac(secret, body));
  };

/** Several signatures separated by commas, each after its prefix. */
export const signedBodyList =
  (name: string, prefix: string): SignatureScheme =>
  ({ body, header }, secret) => {
    const given = (header(name) ?? "").split(",").map((one) => one.trim());
    return hasOne(
      given.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length)),
      hmac(secret, body),
    );
  };

/** The secret itself in a header. */
export const sharedToken =
  (name: string): SignatureScheme =>
  ({ header }, secret) =>
    isSame(header(name) ?? "", secret);

const secondsOffMax = 300;

/** `t=1492774577,v1=…`: time and body are signed together, so that an old signature expires. */
export const signedWithTime =
  (name: string): SignatureScheme =>
  ({ body, header, now }, secret) => {
    const pairs = (header(name) ?? "").split(",").map((pair) => pair.trim().split("=", 2));
    const time = pairs.find(([key]) => key === "t")?.[1] ?? "";
    const given = pairs.filter(([key]) => key === "v1").map(([, value = ""]) => value);
    const isFresh = /^\d{1,12}$/.test(time) && Math.abs(now - Number(time)) <= secondsOffMax;
    return isFresh && hasOne(given, hmac(secret, `${time}.`, body));
  };

/** Refuses (BAD_REQUEST) a post that is not signed with the secret. */
export function requireSignature(scheme: SignatureScheme, signed: Signed, secret: string) {
  if (scheme(signed, secret)) return;
  throw badRequest(
    "The signature of the request is missing or wrong: the sender must sign with the bot's secret.",
  );
}
