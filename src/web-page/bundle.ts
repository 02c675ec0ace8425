import { join } from "node:path";
import { compress, type Level } from "../core/compress";
import type { ClientBuild } from "../web/model/kept";
import { type Bundle, buildIdOf, publicPath } from "./forms";

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
 * that it may be kept forever. The worker is told the build that it belongs to.
 */
export async function bundleWeb(level: Level): Promise<Bundle> {
  const client = await Bun.build({ ...options, entrypoints: entries(), splitting: true });
  const names = client.outputs.map(nameOf);
  const build: ClientBuild = {
    id: buildIdOf(names),
    files: names.filter((name) => !name.endsWith(".map")).map((name) => publicPath + name),
  };
  const define = { ...options.define, chatdBuild: JSON.stringify(build) };
  const own = await Bun.build({ ...options, define, entrypoints: [worker], format: "iife" });
  const files = [...client.outputs, ...own.outputs].map(async (output) => {
    const bytes = new Uint8Array(await output.arrayBuffer());
    const forms = {
      br: new Blob([compress(bytes, "br", level)]),
      gzip: new Blob([compress(bytes, "gzip", level)]),
      identity: new Blob([bytes]),
    };
    return [nameOf(output), forms] as const;
  });
  return new Map(await Promise.all(files));
}

const nameOf = ({ path }: { path: string }): string => path.replace(/^\.?\//, "");
