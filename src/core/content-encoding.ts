/** Encodings in which answers are sent, the smallest first. */
export const encodings = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof encodings)[number];

/** The smallest encoding that a client accepts, by its header `Accept-Encoding` (RFC 9110, 12.5.3). */
export function encodingFor(accepted: string | null): Encoding {
  const named = (accepted ?? "")
    .toLowerCase()
    .split(",")
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(";")[0]?.trim());
  return encodings.find((encoding) => named.includes(encoding)) ?? "identity";
}

export const encodingHeader = (encoding: Encoding): Record<string, string> =>
  encoding === "identity" ? {} : { "content-encoding": encoding };
