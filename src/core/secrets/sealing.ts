import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM (NIST SP 800-38D) with a random vector; the purpose is authenticated with the text.
 * In base64.
 */
export function seal(key: Buffer, purpose: string, text: string): string {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, key, iv).setAAD(Buffer.from(purpose));
  const encrypted = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
  return Buffer.concat([iv, sealing.getAuthTag(), encrypted]).toString("base64");
}

/** Decrypts a sealed text. Throws on anything else. */
export function open(key: Buffer, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([
    opening.update(bytes.subarray(ivBytes + tagBytes)),
    opening.final(),
  ]).toString("utf8");
}
