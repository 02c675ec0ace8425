/** Forms in which each file of the web client is kept, the smallest first. */
export const encodings = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof encodings)[number];

/** Endings that the names of files have by their form. */
export const endings: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz", identity: "" };

/** Files of the web client by name, each in all of its forms. */
export type Bundle = ReadonlyMap<string, Readonly<Record<Encoding, Blob>>>;

/** Path below which browsers ask for the files. */
export const publicPath = "/static/web/";

/** The smallest form that a browser accepts, by its header `Accept-Encoding` (RFC 9110, 12.5.3). */
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
