import { isSameHash } from "../core/secrets";

/** Bytes of a token, and of the random ones that mask it. */
const tokenBytes = 32;
const maskedForm = /^[0-9a-f]{128}$/;

/**
 * A CSRF token as a page may hold it: random bytes, then the token XOR these, hexadecimal. It is
 * another one each time, because somebody who can put text of theirs into a compressed page would
 * otherwise learn the token from the page's length, a character at a time (BREACH).
 */
export function maskToken(token: string): string {
  const mask = crypto.getRandomValues(Buffer.alloc(tokenBytes));
  return mask.toString("hex") + combine(mask, Buffer.from(token, "hex")).toString("hex");
}

/** Whether a request brings this token, masked or as it is. */
export function isToken(token: string, given: string): boolean {
  if (!maskedForm.test(given)) return isSameHash(token, given);
  const bytes = Buffer.from(given, "hex");
  const unmasked = combine(bytes.subarray(0, tokenBytes), bytes.subarray(tokenBytes));
  return isSameHash(token, unmasked.toString("hex"));
}

const combine = (one: Buffer, other: Buffer): Buffer =>
  Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));
