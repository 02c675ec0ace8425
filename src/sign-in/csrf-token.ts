import { isSameHash } from "../core/secrets/secrets";

/** Bytes of a token, and of the random bytes that mask it. */
const tokenBytes = 32;
const maskedForm = /^[0-9a-f]{128}$/;

/**
 * A CSRF token in the form that pages contain: random bytes, then the token XOR these bytes, in
 * hexadecimal. It differs each time, because otherwise somebody whose text appears in a compressed
 * page could learn the token from the page's length, one character at a time (BREACH).
 */
export function maskToken(token: string): string {
  const mask = crypto.getRandomValues(Buffer.alloc(tokenBytes));
  return mask.toString("hex") + combine(mask, Buffer.from(token, "hex")).toString("hex");
}

/** Whether a request contains this token, masked or unmasked. */
export function isToken(token: string, given: string): boolean {
  if (!maskedForm.test(given)) return isSameHash(token, given);
  const bytes = Buffer.from(given, "hex");
  const unmasked = combine(bytes.subarray(0, tokenBytes), bytes.subarray(tokenBytes));
  return isSameHash(token, unmasked.toString("hex"));
}

const combine = (one: Buffer, other: Buffer): Buffer =>
  Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));
