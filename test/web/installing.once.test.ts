import { afterEach, beforeEach, expect, test } from "bun:test";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${world.site}${path}`, { headers: { host: world.realm.host, ...headers } });

test("a browser can install the organization as an app, by its name and icon", async () => {
  const { olga } = world;
  const name = '</script>"Kitchen';
  expect((await olga.patch("/realm", { name })).status).toBe(200);
  const answer = await open("/manifest.webmanifest");
  expect(answer.headers.get("content-type")).toBe("application/manifest+json");
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  const manifest: { icons: { src: string }[] } = await answer.json();
  expect(manifest).toMatchObject({ name, start_url: "/", scope: "/", display: "standalone" });
  const icon = await open(manifest.icons[0]?.src ?? "");
  expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/png"]);
});

test("the service worker is asked for anew each time, and may ask this server alone", async () => {
  const answer = await open("/service-worker.js");
  expect({
    type: answer.headers.get("content-type"),
    cache: answer.headers.get("cache-control"),
    policy: answer.headers.get("content-security-policy"),
  }).toEqual({
    type: "text/javascript; charset=utf-8",
    cache: "no-cache",
    policy: "default-src 'none'; connect-src 'self'",
  });
  // Browsers take it for a plain script: it loads no module.
  expect(await answer.text()).not.toMatch(/\b(import|export)\b/);
  const etag = answer.headers.get("etag") ?? "";
  expect((await open("/service-worker.js", { "if-none-match": etag })).status).toBe(304);
});
