import { createHmac, timingSafeEqual } from "node:crypto";
import { badRequest } from "../core/errors";
import { parsedJson } from "../core/json/parsed-json";
import { isRecord } from "../core/json/record";

const tokenForm = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const tokenLengthMax = 8_000;

/** Values that a token must match. `audience` is the organization's host. */
interface Expected {
  secret: string;
  audience: string;
  /** UNIX seconds. */
  now: number;
}

/**
 * The e-mail address in a JSON web token (RFC 7519) that is signed by HMAC with SHA-256. Refuses
 * (BAD_REQUEST) every other algorithm, a wrong signature, and a token that is not valid yet, has
 * expired (`nbf`, `exp`) or is for another audience (`aud`). Other mistakes are explained only if
 * the signature is right.
 */
export function readWebToken(token: string, { secret, audience, now }: Expected): string {
  const [, head = "", body = "", signature = ""] =
    token.length <= tokenLengthMax ? (tokenForm.exec(token) ?? []) : [];
  if (!isSigned(`${head}.${body}`, signature, secret) || !isOurAlgorithm(partOf(head)))
    throw badRequest("The token is not valid: it has to be signed by HS256 with jwt_secret.");
  const { email, exp, nbf, aud } = partOf(body);
  if (exp !== undefined && !(typeof exp === "number" && now < exp))
    throw badRequest("The token has expired: make a new one.");
  if (nbf !== undefined && !(typeof nbf === "number" && nbf <= now))
    throw badRequest("The token is not valid yet: its 'nbf' is in the future.");
  if (aud !== undefined && ![aud].flat().includes(audience))
    throw badRequest(
      `The token is for another organization or server: its 'aud' is not ${audience}.`,
    );
  if (typeof email !== "string") throw badRequest("The token has no 'email'.");
  return email;
}

function isSigned(text: string, given: string, secret: string): boolean {
  const signature = createHmac("sha256", secret).update(text).digest();
  const bytes = Buffer.from(given, "base64url");
  return bytes.length === signature.length && timingSafeEqual(bytes, signature);
}

/**
 * A recipient must understand the extensions that a token calls critical (RFC 7515, 4.1.11), and
 * chatd supports none.
 */
const isOurAlgorithm = ({ alg, crit }: Record<string, unknown>) =>
  alg === "HS256" && crit === undefined;

function partOf(part: string): Record<string, unknown> {
  const value = parsedJson(Buffer.from(part, "base64url").toString());
  return isRecord(value) ? value : {};
}
