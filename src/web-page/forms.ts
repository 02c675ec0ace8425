import type { Encoding } from "../core/content-encoding";

/** Endings that the names of files have by the encoding of their content. */
export const endings: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz", identity: "" };

/** Files of the web client by name, each in all encodings. */
export type Bundle = ReadonlyMap<string, Readonly<Record<Encoding, Blob>>>;

/** Path below which browsers ask for the files. */
export const publicPath = "/static/web/";

/**
 * Id of a bundle. Names of files hold the hashes of their contents, so that bundles with one id
 * have equal files. The service worker does not count, because it holds the id.
 */
export const buildIdOf = (names: Iterable<string>): string =>
  Bun.hash(
    [...names]
      .filter((name) => !name.startsWith("service-worker-"))
      .sort()
      .join("\n"),
  ).toString(36);
