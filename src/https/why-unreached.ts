const reasons: readonly [RegExp, string][] = [
  [/ECONNREFUSED|ConnectionRefused|FailedToOpenSocket/, "nobody listens there"],
  [/ENOTFOUND|ENODATA|EAI_AGAIN/, "its name has no address in the DNS"],
  [/EHOSTUNREACH|ENETUNREACH/, "no network leads there"],
  [/ECONNRESET|ConnectionClosed/, "the connection was closed"],
  [/TimeoutError|ETIMEDOUT/, "there was no answer in time"],
  [/ALTNAME/, "its certificate is for another host"],
  [/CERT_HAS_EXPIRED/, "its certificate has expired; or the clock of this machine is wrong"],
  [
    /SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|UNKNOWN_CA/,
    "its certificate is signed by nobody whom this machine knows: name that authority's certificate with acme_ca_file",
  ],
];

/** Reason in words why the directory of a certificate authority could not be requested. */
export function whyUnreached(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const text = error instanceof Error ? `${error.name} ${code} ${error.message}` : String(error);
  const [, reason] = reasons.find(([pattern]) => pattern.test(text)) ?? [];
  return reason ?? (error instanceof Error ? error.message : String(error));
}
