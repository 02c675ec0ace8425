import { createPublicKey, verify } from "node:crypto";
import { badRequest } from "../../core/errors";
import { type PostedText, pickText } from "./payload";

/** Post whose signature is checked. */
export interface Signed {
  body: Uint8Array;
  /** The text of the body that is parsed. */
  text: PostedText;
  /** The address that it was sent to, as far as the operator or a trusted proxy tells it. */
  address: string;
  header(name: string): string | null;
  /** UNIX seconds. */
  now: number;
}

/** Whether a post comes from the owner of the secret. */
export type SignatureScheme = (signed: Signed, secret: string) => boolean;

/** Hash function of a signature, and how its bytes are written. */
interface Digest {
  algorithm?: "sha256" | "sha1" | "md5";
  encoding?: "hex" | "base64" | "base64url";
}

const hmac = (
  secret: string,
  parts: readonly (string | Uint8Array)[],
  { algorithm = "sha256", encoding = "hex" }: Digest = {},
) => {
  const hasher = new Bun.CryptoHasher(algorithm, secret);
  for (const part of parts) hasher.update(part);
  return hasher.digest(encoding);
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
  given.reduce((found, one) => isSame(one, right) || found, false);

/**
 * HMAC of the body, SHA-256 in hexadecimal by default, after `prefix`, in the first of the headers
 * that exists.
 */
export const signedBody =
  (headers: readonly string[], prefix = "", digest: Digest = {}): SignatureScheme =>
  ({ body, header }, secret) => {
    const sent = headers.map(header).find((value) => value !== null) ?? "";
    const given = digest.encoding === undefined ? sent.toLowerCase() : sent;
    return (
      given.startsWith(prefix) && isSame(given.slice(prefix.length), hmac(secret, [body], digest))
    );
  };

/** Either of two schemes, where the sender lets people choose. */
export const signedByEither =
  (one: SignatureScheme, other: SignatureScheme): SignatureScheme =>
  (signed, secret) =>
    one(signed, secret) || other(signed, secret);

/** Several signatures separated by commas, each after its prefix. */
export const signedBodyList =
  (name: string, prefix: string): SignatureScheme =>
  ({ body, header }, secret) => {
    const given = (header(name) ?? "").split(",").map((one) => one.trim().toLowerCase());
    return hasOne(
      given.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length)),
      hmac(secret, [body]),
    );
  };

/** The secret itself in a header. */
export const sharedToken =
  (name: string): SignatureScheme =>
  ({ header }, secret) =>
    isSame(header(name) ?? "", secret);

const secondsOffMax = 300;

/**
 * `t=1492774577,v1=…`, or with other names of the two: time and body are signed together, so that
 * an old signature expires.
 */
export const signedWithTime =
  (name: string, timeName = "t", signatureName = "v1"): SignatureScheme =>
  ({ body, header, now }, secret) => {
    const pairs = (header(name) ?? "").split(",").map((pair) => pair.trim().split("=", 2));
    const time = pairs.find(([key]) => key === timeName)?.[1] ?? "";
    const given = pairs.filter(([key]) => key === signatureName).map(([, value = ""]) => value);
    const isFresh = /^\d{1,12}$/.test(time) && Math.abs(now - Number(time)) <= secondsOffMax;
    const right = hmac(secret, [`${time}.`, body]);
    return (
      isFresh &&
      hasOne(
        given.map((one) => one.toLowerCase()),
        right,
      )
    );
  };

/** HMAC-SHA-256 in base64 of the text of a header, which is a time (ISO 8601), and the body. */
export const signedAfterTime =
  (name: string, timeName: string): SignatureScheme =>
  ({ body, header, now }, secret) => {
    const time = header(timeName) ?? "";
    const isFresh = Math.abs(now - Date.parse(time) / 1_000) <= secondsOffMax;
    return (
      isFresh && isSame(header(name) ?? "", hmac(secret, [time, body], { encoding: "base64" }))
    );
  };

/**
 * JSON Web Token (RFC 7519) with HMAC-SHA-256, whose claim `sha256` is the hexadecimal SHA-256 of
 * the body.
 */
export const signedToken =
  (name: string): SignatureScheme =>
  ({ body, header }, secret) => {
    const [head = "", claims = "", given = ""] = (header(name) ?? "").split(".");
    const right = hmac(secret, [`${head}.${claims}`], { encoding: "base64url" });
    if (!isSame(given, right)) return false;
    const bodyHash = new Bun.CryptoHasher("sha256").update(body).digest("hex");
    return isSame(pickText(jsonOf(claims), "sha256"), bodyHash);
  };

/** JSON in base64url; undefined for other text. */
function jsonOf(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, "base64url").toString());
  } catch {
    return undefined;
  }
}

/** HMAC-SHA-1 in base64 of the body and the address that the sender was given during its setup. */
export const signedWithAddress =
  (name: string): SignatureScheme =>
  ({ body, address, header }, secret) =>
    isSame(
      header(name) ?? "",
      hmac(secret, [body, address], { algorithm: "sha1", encoding: "base64" }),
    );

/**
 * HMAC-SHA-256 in base64 of four lines: the method, the address that another header names, the date
 * of the request and the MD5 of the body.
 */
export const signedWithDate =
  (name: string, addressName: string): SignatureScheme =>
  ({ body, header, now }, secret) => {
    const date = header("date") ?? "";
    const isFresh = Math.abs(now - Date.parse(date) / 1_000) <= secondsOffMax;
    const bodyHash = new Bun.CryptoHasher("md5").update(body).digest("hex");
    const text = ["POST", header(addressName) ?? "", date, bodyHash].join("\n");
    return isFresh && isSame(header(name) ?? "", hmac(secret, [text], { encoding: "base64" }));
  };

/**
 * RSA with SHA-1, in base64, of the only field `payload` of a form: of the very text that is
 * parsed, because another reading of the body could find another text in it. The secret is the
 * public key of the sender, in PEM.
 */
export const signedFormField =
  (name: string): SignatureScheme =>
  ({ text: { json, isFormField }, header }, secret) =>
    isFormField &&
    verify("sha1", Buffer.from(json), secret, Buffer.from(header(name) ?? "", "base64"));

const publicKeyForm =
  /^-----BEGIN (RSA )?PUBLIC KEY-----[A-Za-z\d+/=\s]+-----END (?:RSA )?PUBLIC KEY-----$/;

/**
 * Whether a text is a public key (PEM) for RSA, and nothing else. The form is looked at, because a
 * private key would be taken for the public one that belongs to it.
 */
export function isPublicKey(text: string): boolean {
  if (!publicKeyForm.test(text.trim())) return false;
  try {
    return createPublicKey(text).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/** Refuses (BAD_REQUEST) a post that is not signed with the secret. */
export function requireSignature(scheme: SignatureScheme, signed: Signed, secret: string) {
  if (scheme(signed, secret)) return;
  throw badRequest(
    "The signature of the request is missing or wrong: the sender must sign with the bot's secret.",
  );
}
