import { createHash, generateKeyPairSync, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../core/error-code";
import { replacePrivateFile } from "../core/storage/private-file";

/** A certificate that an authority has issued, with its key, in PEM. */
export interface Issued {
  chain: string;
  key: string;
}

export interface StoredCertificate extends Issued {
  /** Start and end of its validity, in UNIX seconds. */
  from: number;
  to: number;
}

/** Attempts that have failed since the last certificate of a host. */
export interface Failures {
  count: number;
  /** UNIX seconds before which the authority is not asked again. */
  waitUntil: number;
}

const keyPattern = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n?/;
const draftEnding = ".new";
const privateFolder = 0o700;

/**
 * The folder `https` of the data folder: keys of accounts at authorities, certificates with their
 * keys, and failures. Each file is replaced as a whole, so that a killed server leaves the former
 * one. Only the owner can read them.
 */
export class CertificateStore {
  private readonly folder: string;
  /** Certificates that were read or saved here, because only this server writes them. */
  private readonly certificates = new Map<string, StoredCertificate | undefined>();

  constructor(dataFolder: string) {
    this.folder = join(dataFolder, "https");
    this.removeDrafts();
  }

  /** The key of the account at an authority (PEM), which is made on first use. */
  accountKey(directory: string): string {
    const name = `account-${createHash("sha256").update(directory).digest("hex").slice(0, 16)}.pem`;
    const stored = this.read(name);
    if (stored !== undefined) return stored;
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    this.write(name, key);
    return key;
  }

  /** The certificate of a host; undefined if there is no readable one. */
  certificate(host: string): StoredCertificate | undefined {
    if (!this.certificates.has(host))
      this.certificates.set(host, certificateIn(this.read(`${host}.pem`) ?? ""));
    return this.certificates.get(host);
  }

  /**
   * Stores a new certificate in place of the former one, and forgets failures. Answers false if the
   * new one cannot be read; then the former one stays.
   */
  saveCertificate(host: string, { chain, key }: Issued): boolean {
    const text = `${key.trimEnd()}\n${chain.trimEnd()}\n`;
    const certificate = certificateIn(text);
    if (!certificate) return false;
    this.write(`${host}.pem`, text);
    this.certificates.set(host, certificate);
    rmSync(join(this.folder, `${host}.failures.json`), { force: true });
    return true;
  }

  failures(host: string): Failures {
    const none = { count: 0, waitUntil: 0 };
    try {
      const { count, waitUntil } = JSON.parse(this.read(`${host}.failures.json`) ?? "{}");
      return Number.isSafeInteger(count) && Number.isSafeInteger(waitUntil)
        ? { count, waitUntil }
        : none;
    } catch {
      return none;
    }
  }

  saveFailures(host: string, failures: Failures) {
    this.write(`${host}.failures.json`, `${JSON.stringify(failures)}\n`);
  }

  private read(name: string): string | undefined {
    try {
      return readFileSync(join(this.folder, name), "utf8");
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Removes drafts of a killed server, because they may contain a key. */
  private removeDrafts() {
    const names = existsSync(this.folder) ? readdirSync(this.folder) : [];
    for (const name of names.filter((one) => one.endsWith(draftEnding)))
      rmSync(join(this.folder, name), { force: true });
  }

  private write(name: string, text: string) {
    mkdirSync(this.folder, { recursive: true, mode: privateFolder });
    const path = join(this.folder, name);
    replacePrivateFile(path, `${path}${draftEnding}`, text);
  }
}

/** The certificate in the text of a file; undefined if there is no readable one. */
function certificateIn(text: string): StoredCertificate | undefined {
  const [key] = keyPattern.exec(text) ?? [];
  if (key === undefined) return undefined;
  const chain = text.replace(key, "");
  const own = parsed(chain);
  if (!own) return undefined;
  const [from, to] = [own.validFrom, own.validTo].map((time) => Date.parse(time) / 1000);
  return { chain, key, from: from ?? 0, to: to ?? 0 };
}

function parsed(chain: string): X509Certificate | undefined {
  try {
    return new X509Certificate(chain);
  } catch {
    return undefined;
  }
}
