import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { daySeconds } from "../core/clock";
import { codeOf } from "../core/error-code";

/* A certificate and its key as PEM files of the operator, read and compared. */

/** A certificate that cannot be served: the message says what to do. */
class KeyPairError extends Error {}

interface KeyPair {
  /** The server's own certificate, followed by the certificates of the authorities above it. */
  certificates: readonly [X509Certificate, ...X509Certificate[]];
  /** Texts of both files, in PEM. */
  chain: string;
  key: string;
}

export interface KeyPairPaths {
  certificate: string;
  key: string;
}

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const keyPattern = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/;

/**
 * Reads a certificate and its key. Refuses, with an explanation, a pair that no client would
 * accept.
 */
export function readKeyPair(paths: KeyPairPaths): KeyPair {
  const chain = readText("tls_certificate", paths.certificate);
  const key = readText("tls_key", paths.key);
  const certificates = parseCertificates(paths.certificate, chain);
  const [own, ...above] = certificates;
  const parsed = parseKey(paths.key, key);
  if (own.checkPrivateKey(parsed)) return { certificates, chain, key };
  throw new KeyPairError(
    above.some((one) => one.checkPrivateKey(parsed))
      ? `tls_certificate names ${paths.certificate}, in which the server's own certificate is not the first: put it before those of the authorities.`
      : `tls_key names ${paths.key}, which is not the key of the certificate in ${paths.certificate}. Give the two files that belong together.`,
  );
}

/** Days before its expiry from which there are warnings about a certificate. */
const warningDays = 7;
const readableByOthers = 0o004;

/**
 * Sentences about a certificate that can be served, but that clients refuse or may refuse soon, or
 * whose key others can read. `host` is the host of the public address.
 */
export function listKeyPairWarnings(
  { certificates }: KeyPair,
  paths: KeyPairPaths,
  now: number,
  host: string | undefined,
): string[] {
  const [own] = certificates;
  const at = `The certificate in ${paths.certificate}`;
  const remedy = "Renew it, and then: systemctl reload chatd";
  const warnings: string[] = [];
  if (secondsOf(own.validTo) <= now)
    warnings.push(`${at} has expired on ${own.validTo}: clients refuse it. ${remedy}`);
  else if (secondsOf(own.validTo) <= now + warningDays * daySeconds)
    warnings.push(`${at} expires on ${own.validTo}. ${remedy}`);
  if (secondsOf(own.validFrom) > now)
    warnings.push(
      `${at} is not valid before ${own.validFrom}: clients refuse it until then. Check the clock of this machine, too.`,
    );
  if (host !== undefined && own.checkHost(host) === undefined)
    warnings.push(
      `${at} is not for ${host}, but for ${own.subjectAltName ?? own.subject}: clients refuse it. Get one for the host of url.`,
    );
  const missing = missingAuthority(certificates);
  if (missing !== undefined)
    warnings.push(
      `${at} stands without that of the authority that has signed it (${missing}): clients that do not know it refuse both. Put it below in the file, as in fullchain.pem.`,
    );
  if ((statSync(paths.key).mode & readableByOthers) !== 0)
    warnings.push(
      `The key in ${paths.key} can be read by every account of this machine: chmod o= ${paths.key}`,
    );
  return warnings;
}

const secondsOf = (time: string) => Date.parse(time) / 1000;

/**
 * The issuer of the last certificate, if the file lacks the issuer's certificate and programs do
 * not know the issuer.
 */
function missingAuthority(certificates: KeyPair["certificates"]): string | undefined {
  const last = certificates.at(-1) ?? certificates[0];
  if (last.checkIssued(last)) return undefined;
  const isKnown = rootCertificates.some((pem) => new X509Certificate(pem).subject === last.issuer);
  return isKnown ? undefined : last.issuer.replaceAll("\n", ", ");
}

function parseCertificates(path: string, text: string): KeyPair["certificates"] {
  const [own, ...above] = text.match(certificatePattern) ?? [];
  if (own === undefined)
    throw new KeyPairError(
      keyPattern.test(text)
        ? `tls_certificate names ${path}, which holds a key. Are tls_certificate and tls_key swapped?`
        : `tls_certificate names ${path}, which holds no certificate in the form PEM (-----BEGIN CERTIFICATE-----).`,
    );
  try {
    return [new X509Certificate(own), ...above.map((one) => new X509Certificate(one))];
  } catch {
    throw new KeyPairError(
      `tls_certificate names ${path}, whose certificate is damaged: get the file again.`,
    );
  }
}

function parseKey(path: string, text: string): KeyObject {
  if (!keyPattern.test(text))
    throw new KeyPairError(
      `tls_key names ${path}, which holds no key in the form PEM (-----BEGIN PRIVATE KEY-----).`,
    );
  if (/ENCRYPTED/.test(text))
    throw new KeyPairError(
      `tls_key names ${path}, whose key has a passphrase, which nobody can type when a server starts. Take it away: openssl pkey -in ${path} -out NEW-FILE`,
    );
  try {
    return createPrivateKey(text);
  } catch {
    throw new KeyPairError(`tls_key names ${path}, whose key is damaged: get the file again.`);
  }
}

const advice: Readonly<Record<string, string>> = {
  ENOENT: "which does not exist.",
  ENOTDIR: "which does not exist.",
  EISDIR: "which is a folder. Name the file in it.",
  EACCES:
    "which the account that runs chatd may not read. Give that account the right to read it, or a copy of its own.",
};

function readText(key: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new KeyPairError(
      `${key} names ${path}, ${advice[codeOf(error)] ?? "which cannot be read."}`,
    );
  }
}
