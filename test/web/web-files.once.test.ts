import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { once } from "../../src/core/once";
import { setPassword } from "../../src/management/accounts/update";
import { currentBundle } from "../../src/web-page/files";
import { type Bundle, publicPath } from "../../src/web-page/forms";
import { Browser } from "../support/browser";
import { root } from "../support/root";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** The page of the web client, as Alice gets it in a browser. */
async function openPage(): Promise<string> {
  const { operator, alice, site } = world;
  const password = "correct-horse-battery";
  await setPassword(operator, alice.id, password);
  const browser = new Browser(site, worldHost);
  expect((await browser.submit("/login", { email: alice.email, password })).status).toBe(303);
  return (await browser.open("/")).text();
}

describe("the files of the web client", () => {
  test("are those that its page names, kept for a year, and in the smallest form that is accepted", async () => {
    const page = await openPage();
    const named = [...page.matchAll(/(?:href|src)="(\/static\/web\/[^"]+)"/g)].map(([, at]) => at);
    expect(named.map((at) => at?.replace(/-\w+\./, "-HASH."))).toEqual([
      "/static/web/main-HASH.css",
      "/static/web/main-HASH.js",
    ]);
    for (const at of named) {
      const ask = (accepted: string, more: Record<string, string> = {}) =>
        fetch(`${world.site}${at}`, {
          headers: { host: worldHost, "accept-encoding": accepted, ...more },
          decompress: false,
        });
      const plain = await ask("identity");
      const bytes = Buffer.from(await plain.arrayBuffer());
      for (const [accepted, unpack] of [
        ["br", brotliDecompressSync],
        ["gzip", gunzipSync],
      ] as const) {
        const answer = await ask(accepted);
        expect(answer.headers.get("content-encoding")).toBe(accepted);
        expect(unpack(await answer.arrayBuffer()).equals(bytes)).toBe(true);
        expect(answer.headers.get("etag")).not.toBe(plain.headers.get("etag"));
      }
      expect([
        plain.status,
        plain.headers.get("cache-control"),
        plain.headers.get("vary"),
        plain.headers.get("content-encoding"),
      ]).toEqual([200, "public, max-age=31536000, immutable", "Accept-Encoding", null]);
      const etag = plain.headers.get("etag") ?? "";
      const again = await ask("identity", { "if-none-match": etag });
      expect([again.status, again.headers.get("vary")]).toEqual([304, "Accept-Encoding"]);
    }
  });

  test.each([
    ["the entry", "main.tsx"],
    ["a part", "parts/dialog.tsx"],
    ["a style sheet", "look/tokens.css"],
    ["a language", "words/words-de.ts"],
    ["the worker", "worker/service-worker.ts"],
  ])("are bundled anew when a source has changed: %s", async (_kind, path) => {
    const bundle = await currentBundle();
    expect(await currentBundle()).toBe(bundle);
    const source = join(root, "src/web", path);
    const { atime, mtime } = statSync(source);
    utimesSync(source, atime, mtime);
    expect(await currentBundle()).not.toBe(bundle);
  });

  test("are found under no other name", async () => {
    await currentBundle();
    for (const name of ["main-00000000.js", "main.js", "..%2fpackage.json"]) {
      const answer = await fetch(`${world.site}/static/web/${name}`, {
        headers: { host: worldHost },
      });
      expect([name, answer.status]).toEqual([name, 404]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("of the first load are small: 45 KB of scripts, 9 KB of styles", async () => {
    const bundle = await smallBundle();
    const mainNames = [...bundle.keys()].filter((name) => /^main-\w+\.(js|css)$/.test(name));
    const styles = mainNames.filter((name) => name.endsWith("css"));
    const scripts = await withImports(
      bundle,
      mainNames.filter((name) => name.endsWith("js")),
    );
    expect([styles.length, scripts.length]).toEqual([1, 1]);
    expect(sizeOf(bundle, scripts)).toBeLessThan(45_000);
    expect(sizeOf(bundle, styles)).toBeLessThan(9_000);
  });

  test("of the settings are small, 25 KB, and come when they are opened", async () => {
    const bundle = await smallBundle();
    const names = [...bundle.keys()];
    const [style = ""] = names.filter((name) => /^settings-\w+\.css$/.test(name));
    const own: string[] = [];
    for (const name of names.filter((file) => file.endsWith(".js")))
      if ((await bundle.get(name)?.identity.text())?.includes(style)) own.push(name);
    expect([style === "", own.length === 0]).toEqual([false, false]);
    const first = names.filter((name) => /^main-\w+\.js$/.test(name));
    expect((await withImports(bundle, first)).filter((name) => own.includes(name))).toEqual([]);
    expect(sizeOf(bundle, own)).toBeGreaterThan(10_000);
    expect(sizeOf(bundle, [...own, style])).toBeLessThan(25_000);
  });
});

/** The client as `make build` bundles it, made once: its compression takes long. */
const smallBundle = once(async () => {
  const { bundleWeb } = await import("../../src/web-page/bundle");
  return bundleWeb("small");
});

const sizeOf = (bundle: Bundle, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (bundle.get(name)?.br.size ?? Number.NaN), 0);

/** Imports of a script that a browser asks for before it runs: no `import()`. */
const imports = new RegExp(`(?:from|import)"${publicPath}([^"]+)"`, "g");

/** Names of scripts, and of all that a browser asks for before they run. */
async function withImports(bundle: Bundle, scripts: readonly string[]): Promise<string[]> {
  const names = new Set(scripts);
  for (const name of names) {
    const text = (await bundle.get(name)?.identity.text()) ?? "";
    for (const [, imported] of text.matchAll(imports)) if (imported) names.add(imported);
  }
  return [...names];
}
