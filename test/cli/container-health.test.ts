import { beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { freePort } from "../support/processes/free-port";
import { root } from "../support/root";
import { signedByItself } from "../support/servers/certificates";
import { freshFolder, type Server, serve } from "./chatd";

/*
 * The health check of the container image, with servers that are configured by variables as there.
 */

const ports = { http: String(freePort()), https: String(freePort()), nobody: String(freePort()) };
const socket = join(freshFolder(), "chatd.sock");
const { certificate, key } = signedByItself("one", ["localhost"]);
const pair = { CHATD_TLS_CERTIFICATE: certificate, CHATD_TLS_KEY: key };
const servers: Server[] = [];

beforeAll(async () => {
  servers.push(await serve(["--ephemeral", "--port", ports.http]));
  servers.push(await serve(["--ephemeral", "--port", ports.https], { env: pair }));
  servers.push(await serve(["--ephemeral", "--listen", `unix:${socket}`]));
});

const isHealthy = (env: Record<string, string>): boolean => {
  const script = join(root, "deploy/container-health.sh");
  return spawnSync(["bash", script], { env: { PATH: process.env.PATH, ...env } }).exitCode === 0;
};

test("the image can be built by Docker 20.10 and by the builder before BuildKit", () => {
  const steps = readFileSync(join(root, "deploy/Containerfile"), "utf8");
  expect(steps.match(/--(?:start-interval|chmod|link|mount|parents|exclude)\b/g)).toBe(null);
});

test("a server that takes requests is healthy, by http, by https and at a socket", () => {
  expect(isHealthy({ CHATD_PORT: ports.http })).toBe(true);
  expect(isHealthy({ CHATD_PORT: ports.https, ...pair })).toBe(true);
  expect(isHealthy({ CHATD_PORT: ports.https, CHATD_HTTPS: "localhost" })).toBe(true);
  expect(isHealthy({ CHATD_LISTEN: `unix:${socket}` })).toBe(true);
  // It speaks https.
  expect(isHealthy({ CHATD_PORT: ports.https })).toBe(false);
});

test("a server that does not listen is not", async () => {
  expect(isHealthy({ CHATD_PORT: ports.nobody })).toBe(false);
  expect(isHealthy({ CHATD_PORT: ports.nobody, ...pair })).toBe(false);
  await Promise.all(servers.map((server) => server.stop()));
  expect(existsSync(socket)).toBe(false);
  expect(isHealthy({ CHATD_LISTEN: `unix:${socket}` })).toBe(false);
});
