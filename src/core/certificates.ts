import { X509Certificate } from "node:crypto";
import { perServer } from "./per-server";

/**
 * Ends of the certificates that a server uses beside those of https (UNIX seconds), by what for. Code that
 * loads a certificate notes it here, so that metrics tell of it before it ends.
 */
export const certificateEnds = perServer(() => new Map<"mail", number>());

/** The end of the first certificate of a PEM file (UNIX seconds). */
export const endOfCertificate = (pem: Buffer | string): number =>
  Date.parse(new X509Certificate(pem).validTo) / 1_000;
