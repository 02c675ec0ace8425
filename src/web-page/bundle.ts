import { join } from "node:path";
import { compress, type Level } from "../core/compress";
import { type Bundle, publicPath } from "./forms";

const web = join(import.meta.dir, "../web");

/** The client, and a file for each language but English, which is inside the client. */
const entries = (): string[] => [
  join(web, "main.tsx"),
  ...new Bun.Glob("words/words-*.ts").scanSync({ cwd: web, absolute: true }),
];

/** The service worker stands alone, because it is no module in every browser. */
const worker = join(web, "worker/service-worker.ts");

const options = {
  target: "browser",
  minify: true,
  sourcemap: "linked",
  publicPath,
  naming: "[name]-[hash].[ext]",
  define: { "process.env.NODE_ENV": '"production"' },
} as const;

/**
 * Bundles the web client from its sources. The name of each file holds a hash of its content, so
 * that it may be kept forever.
 */
export async function bundleWeb(level: Level): Promise<Bundle> {
  const builds = await Promise.all([
    Bun.build({ ...options, entrypoints: entries(), splitting: true }),
    Bun.build({ ...options, entrypoints: [worker], format: "iife" }),
  ]);
  const files = builds
    .flatMap(({ outputs }) => outputs)
    .map(async (output) => {
      const bytes = new Uint8Array(await output.arrayBuffer());
      const forms = {
        br: new Blob([compress(bytes, "br", level)]),
        gzip: new Blob([compress(bytes, "gzip", level)]),
        identity: new Blob([bytes]),
      };
      return [output.path.replace(/^\.?\//, ""), forms] as const;
    });
  return new Map(await Promise.all(files));
}
