import type { ECDH } from "node:crypto";
import { badRequest } from "../../core/errors";

const publicKeyBytes = 65;
const authBytes = 16;
const saltBytes = 16;
/** The size of a record (RFC 8188): a message is a single record. */
const recordBytes = 4_096;
/** Byte that marks the last record, before encryption. */
const lastRecord = 2;

/** Loaded on first use, because loading it would make every start slower. */
function makeCurve(): ECDH {
  const { createECDH }: typeof import("node:crypto") = require("node:crypto");
  return createECDH("prime256v1");
}

/** Keys of a browser's subscription: its public key and a secret, in base64url. */
interface WebPushKeys {
  p256dh: string;
  auth: string;
}

/** Refuses keys that no browser makes: they must be a point of P-256 and 16 bytes. */
export function requireWebPushKeys({ p256dh, auth }: WebPushKeys): WebPushKeys {
  const [point, secret] = [decode(p256dh), decode(auth)];
  if (point.length !== publicKeyBytes || point[0] !== 4 || !isOnCurve(point)) {
    throw badRequest(
      "Invalid `p256dh`: it is the subscription's public key, 65 bytes in base64url.",
    );
  }
  if (secret.length !== authBytes) {
    throw badRequest("Invalid `auth`: it is the subscription's secret, 16 bytes in base64url.");
  }
  return { p256dh: point.toString("base64url"), auth: secret.toString("base64url") };
}

const decode = (text: string) => Buffer.from(text, "base64url");

function isOnCurve(point: Buffer): boolean {
  try {
    const ours = makeCurve();
    ours.generateKeys();
    ours.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

/** Values that are new for each message, in addition to the receiver's keys. */
export interface Ephemeral {
  salt: Buffer;
  /** A private key of P-256. */
  privateKey: Buffer;
}

function makeEphemeral(): Ephemeral {
  const ours = makeCurve();
  ours.generateKeys();
  return {
    salt: crypto.getRandomValues(Buffer.alloc(saltBytes)),
    privateKey: ours.getPrivateKey(),
  };
}

/**
 * Encrypts a message for a browser with the content encoding aes128gcm, so that its push service
 * cannot read it. Source: RFC 8291 sections 3.3 and 3.4, RFC 8188 section 2.
 */
export async function encryptForBrowser(
  { p256dh, auth }: WebPushKeys,
  message: Uint8Array,
  { salt, privateKey }: Ephemeral = makeEphemeral(),
): Promise<Uint8Array<ArrayBuffer>> {
  const theirs = decode(p256dh);
  const ours = makeCurve();
  ours.setPrivateKey(privateKey);
  const ourKey = ours.getPublicKey();
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, ourKey]);
  const shared = await derive(ours.computeSecret(theirs), decode(auth), keyInfo, 32);
  const contentKey = await derive(shared, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = await derive(shared, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const key = await crypto.subtle.importKey("raw", contentKey, "AES-GCM", false, ["encrypt"]);
  const padded = Buffer.concat([message, Buffer.from([lastRecord])]);
  const encrypted = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, key, padded);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordBytes);
  const head = [salt, size, Buffer.from([ourKey.length]), ourKey];
  return new Uint8Array(Buffer.concat([...head, Buffer.from(encrypted)]));
}

/** HKDF with SHA-256 (RFC 5869). */
async function derive(
  secret: Uint8Array,
  salt: Uint8Array,
  info: Uint8Array,
  length: number,
): Promise<Buffer<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", new Uint8Array(secret), "HKDF", false, [
    "deriveBits",
  ]);
  const how = {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(salt),
    info: new Uint8Array(info),
  };
  return Buffer.from(await crypto.subtle.deriveBits(how, key, length * 8));
}
