import type { Encoding } from "../core/content-encoding";

/** File name extensions by the encoding of the content. */
export const endings: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz", identity: "" };

/** Files of the web client by name, each in all encodings. */
export type Bundle = ReadonlyMap<string, Readonly<Record<Encoding, Blob>>>;

/** Path below which browsers request the files. */
export const publicPath = "/static/web/";

/**
 * Id of a bundle. The names of files contain hashes of their contents, so bundles with one id have
 * equal files. The service worker does not count, because it contains the id.
 */
export const buildIdOf = (names: Iterable<string>): string =>
  Bun.hash(
    [...names]
      .filter((name) => !name.startsWith("service-worker-"))
      .sort()
      .join("\n"),
  ).toString(36);
