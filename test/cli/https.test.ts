import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { freePort } from "../support/processes/free-port";
import { requireTool } from "../support/processes/tools";
import { type Authority, standBefore, startAuthority } from "../support/servers/pebble";
import { freshFolder, serve } from "./chatd";

/* `chatd serve --https`: the executable gets its certificate from a real authority. */

const atLocalhost = (site: string) => site.replace("127.0.0.1", "localhost");

function flagsOf(
  { directory, caFile }: Pick<Authority, "directory" | "caFile">,
  httpPort: number,
  data: string,
): string[] {
  const authority = ["--acme-directory", directory, "--acme-ca-file", caFile];
  const place = ["--http-port", String(httpPort), "--data", data];
  return ["--https", "localhost", ...authority, ...place];
}

/** Days until the end of the certificate of https, as the metrics have it. */
async function daysLeft(metrics: string): Promise<number> {
  const page = await (await fetch(metrics)).text();
  const line = /^chatd_certificate_expiry_timestamp_seconds\{use="https"\} (\d+)$/m;
  return (Number(line.exec(page)?.[1]) - Date.now() / 1000) / 86_400;
}

describe.skipIf(!requireTool("pebble"))("chatd serve --https localhost", () => {
  test("starts while the authority is away, gets a certificate when it is there, and after a restart serves it without asking", async () => {
    const [httpPort, port] = [freePort(), freePort()];
    const directory = `https://localhost:${port}/dir`;
    const here = { httpPort, port };
    const first = await startAuthority(here);
    await first.stop();
    const flags = flagsOf({ directory, caFile: first.caFile }, httpPort, freshFolder());
    const http = `http://127.0.0.1:${httpPort}/login?a=b`;
    const byHttp = () => fetch(http, { redirect: "manual", headers: { host: "localhost" } });

    const servedAt = String(freePort());
    const site = `https://localhost:${servedAt}`;
    const place = ["--port", servedAt, "--url", "https://localhost"];
    const server = await serve([...flags, ...place, "--metrics-listen", "127.0.0.1:0"]);
    expect(server.site).toBe("https://localhost");
    const { metrics } = await server.logged("started");
    expect(await daysLeft(metrics)).toBeWithin(-1, 1);
    expect(await server.logged("certificate_awaited")).toMatchObject({ hosts: ["localhost"] });
    expect(await server.logged("certificate_not_got")).toMatchObject({ host: "localhost" });
    expect(server.stdout()).toContain("There is no certificate for localhost yet");
    const early = await byHttp();
    expect([early.status, await early.text()]).toEqual([
      503,
      "This server waits for its certificate. Its log says why.\n",
    ]);
    expect(await fetch(`${site}/healthz`).catch(() => "refused")).toBe("refused");

    const authority = await startAuthority(here);
    const tls = { ca: await authority.root() };
    server.signal("SIGHUP");
    await server.logged("certificate_got");
    await server.logged("certificate_served");
    expect(await daysLeft(metrics)).toBeGreaterThan(30);
    const answer = await fetch(`${site}/api/v1/server_settings`, { tls });
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=15768000");
    expect(await answer.json()).toMatchObject({ realm_url: "https://localhost" });
    const led = await byHttp();
    // The port of the public address, which leads here, and not the one that it listens at.
    expect([led.status, led.headers.get("location")]).toEqual([301, "https://localhost/login?a=b"]);
    expect(await server.stop()).toBe(0);

    await authority.stop();
    const restarted = await serve(flags);
    const again = await fetch(`${atLocalhost(restarted.site)}/healthz`, { tls });
    expect([again.status, again.headers.get("strict-transport-security")]).toEqual([200, null]);
    expect(await restarted.stop()).toBe(0);
    expect(restarted.stderr()).not.toContain("certificate_");
    expect(restarted.stdout()).not.toContain("no certificate");
  });

  test("serves each of several hosts its own certificate", async () => {
    const httpPort = freePort();
    const authority = await startAuthority({ httpPort, isEveryNameHere: true });
    const hosts = ["one.example.com", "two.example.com"];
    const flags = flagsOf(authority, httpPort, freshFolder());
    const server = await serve([...flags, "--https", hosts.join(", ")]);
    await server.logged("certificate_served", 1);
    const [port, ca] = [Number(new URL(server.site).port), await authority.root()];
    const namesAt = (servername: string) =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: "127.0.0.1", port, servername, ca }, () => {
          resolve(socket.getPeerCertificate().subjectaltname);
          socket.destroy();
        });
        socket.once("error", reject);
      });
    expect(await Promise.all(hosts.map(namesAt))).toEqual(hosts.map((host) => `DNS:${host}`));
    expect(await server.stop()).toBe(0);
    await authority.stop();
  });

  test("that is killed while the authority makes its certificate gets one at the next start, with the account that it had", async () => {
    const httpPort = freePort();
    const authority = await startAuthority({ httpPort });
    const finalizing = Promise.withResolvers<void>();
    let isStalling = true;
    const stalling = standBefore(authority, async (path) => {
      if (!isStalling || !path.startsWith("/finalize-order/")) return undefined;
      finalizing.resolve();
      return new Promise<undefined>(() => undefined);
    });
    const data = freshFolder();
    const flags = flagsOf(stalling, httpPort, data);
    const killed = await serve(flags);
    await finalizing.promise;
    await killed.kill();
    isStalling = false;
    const stored = () => readdirSync(join(data, "https")).sort();
    const [account = "", ...others] = stored();
    expect([account, others]).toEqual([
      expect.stringMatching(/^account-/),
      [expect.stringMatching(/failures/)],
    ]);

    const server = await serve(flags);
    await server.logged("certificate_served");
    const tls = { ca: await authority.root() };
    expect((await fetch(`${atLocalhost(server.site)}/healthz`, { tls })).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(stored()).toEqual([account, "localhost.pem"]);
    stalling.stop();
    await authority.stop();
  });
});
