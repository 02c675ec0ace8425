import { badRequest } from "../../core/errors";

/**
 * First byte of a push key: the name of libsodium's `crypto_secretbox_easy`, XSalsa20 with
 * Poly1305.
 */
const secretBoxPrefix = 0x31;
const keyBytes = 32;
const nonceBytes = 24;

/**
 * Refuses an invalid key for notifications. A valid one is a byte that names the cipher, and 32
 * bytes of key, in base64.
 */
export function requirePushKey(pushKey: string): string {
  const bytes = Buffer.from(pushKey, "base64");
  if (
    bytes.toString("base64") !== pushKey ||
    bytes.length !== keyBytes + 1 ||
    bytes[0] !== secretBoxPrefix
  ) {
    throw badRequest("Invalid `push_key`: it is the byte 0x31 and 32 random bytes, in base64.");
  }
  return pushKey;
}

/**
 * Encrypts a notification for a device: the random nonce and the box of `crypto_secretbox_easy`, in
 * base64. The encryption code is loaded on first use.
 */
export async function encryptFor(pushKey: string, payload: object): Promise<string> {
  const { xsalsa20poly1305 } = await import("@noble/ciphers/salsa.js");
  const key = new Uint8Array(Buffer.from(pushKey, "base64").subarray(1));
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const box = xsalsa20poly1305(key, nonce).encrypt(Buffer.from(JSON.stringify(payload)));
  return Buffer.concat([nonce, box]).toString("base64");
}
