import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { giveName } from "../../../db/give-name";
import { syncFolder, syncToDisk } from "../../../db/sync-to-disk";
import type { Config } from "../../config/config";
import { whyNotUsed } from "../storage/file-failure";

const secretBytes = 32;
const secretLengthMin = 32;
const distinctCharactersMin = 10;
const apiKeyLength = 32;
const sessionTokenBytes = 32;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Functions that depend on the server's secret. The secret is never stored in the database. */
export interface Secrets {
  /**
   * The form in which an API key is stored: HMAC-SHA-256 under the server's secret, hexadecimal.
   */
  hashApiKey(apiKey: string): string;
  /** Hash of a secret of some kind. It does not match as the hash of another kind. */
  hash(
    kind:
      | "invitation"
      | "login-link"
      | "password-reset"
      | "address"
      | "registration"
      | "joining"
      | "unsubscribe"
      | "file-link"
      | "own-mail"
      | "session"
      | "csrf"
      | "channel-address"
      | "imported-file"
      | "known-browser"
      | "sign-in-source"
      | "push-realm",
    text: string,
  ): string;
  /**
   * Encrypts a text that must be shown again. It opens only with the purpose given here, which
   * should name the text's owner.
   */
  seal(purpose: string, text: string): string;
  /** The text that was sealed for this purpose. Throws on anything else. */
  open(purpose: string, sealed: string): string;
  /** Equal on two servers if their secrets are equal; reveals nothing else about the secret. */
  readonly fingerprint: string;
}

export function makeSecrets(serverSecret: string): Secrets {
  const hash = (text: string) =>
    new Bun.CryptoHasher("sha256", serverSecret).update(text).digest("hex");
  const sealingKey = Buffer.from(hash("seal"), "hex");
  return {
    hashApiKey: (apiKey) => hash(`api-key:${apiKey}`),
    hash: (kind, text) => hash(`${kind}:${text}`),
    seal: (purpose, text) => sealing().seal(sealingKey, purpose, text),
    open: (purpose, sealed) => sealing().open(sealingKey, purpose, sealed),
    fingerprint: hash("fingerprint"),
  };
}

/** The encryption code is loaded on first use, because loading it would make every start slower. */
const sealing = (): typeof import("./sealing") => require("./sealing");

const randomBytes = (count: number) => crypto.getRandomValues(Buffer.alloc(count));

/**
 * The server's secret: the configured one, or the file `secret` in the data folder, which is made
 * (mode 0600) when missing. Refuses one that can be guessed. Nodes that share a database must share
 * the configured secret.
 */
export function loadServerSecret(configured: string | undefined, dataFolder: string): string {
  if (configured !== undefined) return requireStrong(configured, "CHATD_SECRET");
  const path = join(dataFolder, "secret");
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) createSecretFile(path);
  return requireStrong(readSecretFile(path), path);
}

/**
 * Refuses a SQLite database whose secret is missing. A new secret would not fit to it, and nobody
 * would see any more that the file is missing. A first start makes the secret before the database.
 */
export function requireSecretOfDatabase({
  secret,
  data,
  database,
}: Pick<Config, "secret" | "data" | "database">): void {
  if (secret !== undefined || database !== undefined) return;
  const [file, path] = [join(data, "chatd.db"), join(data, "secret")];
  if (!existsSync(file) || existsSync(path)) return;
  throw new Error(
    `The secret ${path} is missing, and ${file} can be used with that secret only. Copy the file from where the data came from, ` +
      "or restore a backup, which holds it. If the secret was in CHATD_SECRET, set it again.",
  );
}

function readSecretFile(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new Error(whyNotUsed(path, error));
  }
}

/**
 * The file appears complete, so that of two processes that start at once, one makes it and the
 * other reads it. It is synced to the disk before anything is stored that needs the secret.
 */
function createSecretFile(path: string) {
  const draft = `${path}.${makeRandomId()}`;
  const text = `${randomBytes(secretBytes).toString("hex")}\n`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    syncToDisk(draft);
    giveName(draft, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(path));
}

function requireStrong(secret: string, source: string): string {
  if (secret.length < secretLengthMin || new Set(secret).size < distinctCharactersMin) {
    throw new Error(
      `The secret in ${source} can be guessed: it must have at least ${secretLengthMin} random characters. ` +
        "Make one with: openssl rand -hex 32",
    );
  }
  return secret;
}

/** 32 characters of [A-Za-z0-9] from the system's random source: 190 bits. */
export function makeApiKey(): string {
  let key = "";
  while (key.length < apiKeyLength) {
    for (const byte of randomBytes(apiKeyLength)) {
      if (byte < alphabet.length * 4 && key.length < apiKeyLength)
        key += alphabet.charAt(byte % alphabet.length);
    }
  }
  return key;
}

/** A random name for an address, in the form of an API key. */
export const makeToken = () => makeApiKey();

/** Token of a browser's session: 256 random bits. */
export const makeSessionToken = () => randomBytes(sessionTokenBytes).toString("base64url");

const browserIdBytes = 16;

/** The id of a browser that has signed in: 128 random bits. */
export const makeBrowserId = () => randomBytes(browserIdBytes).toString("base64url");

/** A random id that cannot be guessed: 128 bits. */
export const makeRandomId = () => crypto.randomUUID();

/** Compares two strings of hexadecimal in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, "hex"), Buffer.from(other, "hex")];
  return a.length === b.length && crypto.timingSafeEqual(a, b);
}
