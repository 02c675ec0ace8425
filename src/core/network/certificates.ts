import { X509Certificate } from "node:crypto";
import { perServer } from "../per-server";

/**
 * Expiry times (UNIX seconds) of the certificates that a server uses besides those of https, by
 * their purpose. Code that loads a certificate notes its expiry here, so that metrics show it in
 * advance.
 */
export const certificateEnds = perServer(() => new Map<"mail", number>());

/** The end of the first certificate of a PEM file (UNIX seconds). */
export const endOfCertificate = (pem: Buffer | string): number =>
  Date.parse(new X509Certificate(pem).validTo) / 1_000;
