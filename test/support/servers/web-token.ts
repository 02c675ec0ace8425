import { createHmac } from "node:crypto";

/** The secret that tokens of these tests are signed with, as the server is given it. */
export const jwtFlags = { jwt_secret: "winter-of-our-discontent-glorious-summer" };

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A JSON web token as a program of the operator makes it (RFC 7515, 7.1). */
export function makeWebToken(
  claims: unknown,
  {
    head = { alg: "HS256", typ: "JWT" },
    secret = jwtFlags.jwt_secret,
    hash = "sha256",
  }: {
    head?: object;
    secret?: string;
    hash?: string;
  } = {},
): string {
  const text = `${part(head)}.${part(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest("base64url")}`;
}
