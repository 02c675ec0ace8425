import { describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { copyFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { connect } from "node:tls";
import { freePort } from "../support/processes/free-port";
import { type CertificateFiles, signedByItself, textOf } from "../support/servers/certificates";
import { chatd, freshFolder, organizationFile, readCredentials, serve, waitFor } from "./chatd";

/* A server that speaks https with a certificate from files. */

const reloads = 10;
const clientsCount = 12;
const answersBetween = 40;
const loadMilliseconds = 60_000;

const flagsOf = ({ certificate, key }: CertificateFiles) => [
  "--tls-certificate",
  certificate,
  "--tls-key",
  key,
];

/** The name in the certificate that a new connection gets. */
const servedAt = (site: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(site);
    const options = { host: hostname, port: Number(port), rejectUnauthorized: false };
    const socket = connect(options, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.once("error", reject);
  });

/** A connection that is kept: each call sends a request on it, and answers what comes back. */
function openConnection(site: string): () => Promise<string> {
  const { hostname, port } = new URL(site);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  return () =>
    new Promise((resolve, reject) => {
      let text = "";
      const take = (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes('"alive"}')) resolve(text);
      };
      socket.on("data", take);
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("the connection was closed")));
      socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    });
}

interface Answered {
  status: number;
  body: string;
  headers: NodeJS.Dict<string | string[]>;
}

interface Ask {
  method?: string;
  agent?: Agent;
  authorization?: string;
  form?: Record<string, string>;
}

function ask(url: string, { method = "GET", agent, authorization, form }: Ask = {}) {
  return new Promise<Answered>((resolve, reject) => {
    const body = form && new URLSearchParams(form).toString();
    const headers = {
      ...(authorization && { authorization }),
      ...(body && { "content-type": "application/x-www-form-urlencoded" }),
    };
    const options = { method, headers, rejectUnauthorized: false, ...(agent && { agent }) };
    const sent = request(url, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const { statusCode: status = 0, headers: its } = answer;
        resolve({ status, body: Buffer.concat(chunks).toString(), headers: its });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Asks one thing after the other, on a kept connection or on a new one each time. */
async function keepAsking(url: string, ways: Ask, tally: { answered: number; broken: string[] }) {
  for (let isGoingOn = true; isGoingOn; ) {
    const outcome = await ask(url, ways).catch((error: unknown) => error);
    if (outcome instanceof Error) tally.broken.push(outcome.message);
    tally.answered += 1;
    isGoingOn = !stopAsking.aborted;
  }
}

let stopAsking = AbortSignal.abort();

test(
  `of ${reloads} reloads with new certificates under load none breaks a request, and a held poll lives on`,
  async () => {
    const folder = freshFolder();
    const [file, ...served] = ["credentials.json", "cert.pem", "key.pem"].map((name) =>
      join(folder, name),
    );
    const [certificate = "", key = ""] = served;
    const pairs = ["one", "two"].map((name) => signedByItself(name, ["localhost"]));
    const put = (turn: number) => {
      const next = pairs[turn % pairs.length];
      copyFileSync(next?.certificate ?? "", certificate);
      copyFileSync(next?.key ?? "", key);
    };
    put(0);
    const unlimited = ["user", "key", "address"].flatMap((by) => [
      `--requests-per-minute-per-${by}`,
      "0",
    ]);
    const declared = ["--ephemeral", "--apply", organizationFile, "--credentials", file ?? ""];
    const server = await serve([...declared, ...flagsOf({ certificate, key }), ...unlimited]);
    const { site } = server;
    expect(site).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const person = readCredentials(file ?? "").users[0];
    const authorization = `Basic ${btoa(`${person?.email}:${person?.api_key}`)}`;

    const queue = { method: "POST", authorization, form: { event_types: '["message"]' } };
    const { queue_id: queueId } = JSON.parse((await ask(`${site}/api/v1/register`, queue)).body);
    const poll = ask(`${site}/api/v1/events?queue_id=${queueId}&last_event_id=-1`, {
      authorization,
    });

    const ending = new AbortController();
    stopAsking = ending.signal;
    const tally = { answered: 0, broken: [] };
    const clients = Array.from({ length: clientsCount }, (_, index) => {
      const agent = new Agent({ keepAlive: index % 2 === 0, maxSockets: 1 });
      return keepAsking(`${site}/api/v1/users/me`, { authorization, agent }, tally);
    });
    for (let turn = 1; turn <= reloads; turn++) {
      const aim = tally.answered + answersBetween;
      await waitFor(() => (tally.answered >= aim ? true : undefined), loadMilliseconds);
      const askAgain = openConnection(site);
      expect(await askAgain()).not.toMatch(/^connection: close/im);
      put(turn);
      server.signal("SIGHUP");
      expect(await server.logged("configuration_taken", turn - 1)).toMatchObject({
        certificate: "another one",
      });
      expect(await servedAt(site)).toBe(turn % 2 === 0 ? "one" : "two");
      expect(await askAgain()).toMatch(/^connection: close/im);
    }
    const to = JSON.stringify([person?.email]);
    const message = {
      method: "POST",
      authorization,
      form: { type: "direct", to, content: "still here" },
    };
    expect((await ask(`${site}/api/v1/messages`, message)).status).toBe(200);
    expect((await poll).body).toContain("still here");
    ending.abort();
    await Promise.all(clients);
    expect(tally.broken).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
  loadMilliseconds * 2,
);

describe("a server with a certificate", () => {
  test("knows that its requests are encrypted, leads http to https, and keeps its certificate when the new one is wrong", async () => {
    const [pair, other] = [signedByItself("one", ["localhost"]), signedByItself("two")];
    const ports = ["--http-port", "0", "--metrics-listen", "127.0.0.1:0"];
    const server = await serve(["--ephemeral", ...flagsOf(pair), ...ports]);
    const { site } = server;
    const { http_port: port, metrics } = await server.logged("started");
    const ofHttps = async () =>
      (await (await fetch(metrics)).text()).match(/^.*"https"\} .*$/m)?.[0];
    const end = Date.parse(new X509Certificate(textOf(pair.certificate)).validTo) / 1000;
    const served = `chatd_certificate_expiry_timestamp_seconds{use="https"} ${end}`;
    expect(await ofHttps()).toBe(served);
    const http = `http://127.0.0.1:${port}/login?next=%2F`;
    const led = async (method: string) => {
      const { status, headers } = await fetch(http, { method, redirect: "manual" });
      return [status, headers.get("location")];
    };
    expect(await led("GET")).toEqual([301, `${site}/login?next=%2F`]);
    expect(await led("POST")).toEqual([308, `${site}/login?next=%2F`]);
    const { realm_url: url } = JSON.parse((await ask(`${site}/api/v1/server_settings`)).body);
    expect(url).toBe(site);

    copyFileSync(other.key, pair.key);
    server.signal("SIGHUP");
    expect(await server.logged("reload_failed")).toMatchObject({
      what: expect.stringContaining("is not the key of the certificate"),
    });
    expect(await servedAt(site)).toBe("one");
    expect(await ofHttps()).toBe(served);
    expect(await server.stop()).toBe(0);
  });

  test("refuses a port that another server has, though it shares its own with its next certificate", async () => {
    const pair = signedByItself("one", ["localhost"]);
    const port = String(freePort());
    const first = await serve(["--ephemeral", ...flagsOf(pair), "--port", port]);
    const second = await chatd([
      "serve",
      "--ephemeral",
      "--host",
      "127.0.0.1",
      ...flagsOf(pair),
      "--port",
      port,
    ]);
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining(`Port ${port} of`)]);
    expect(await first.stop()).toBe(0);
  });

  test("by itself is not for a throwaway server, and config check says what it lacks", async () => {
    const throwAway = await chatd(["serve", "--ephemeral", "--https", "chat.example.com"]);
    expect([throwAway.code, throwAway.stderr]).toEqual([
      2,
      expect.stringContaining("--ephemeral would ask Let's Encrypt for another certificate"),
    ]);
    const directory = "https://localhost:1/dir";
    const authority = ["--acme-directory", directory, "--data", freshFolder()];
    const check = ["admin", "config", "check", "--https", "no-such-host.invalid", ...authority];
    const { code, stderr } = await chatd(check);
    expect(code).toBe(2);
    expect(stderr).toContain(`The certificate authority at ${directory} cannot be reached`);
    expect(stderr).toContain("The host no-such-host.invalid in https has no address in the DNS");
  });

  test("is checked at the start and by config check, all problems at once", async () => {
    const [pair, other] = [signedByItself("one"), signedByItself("two")];
    const wrong = [...flagsOf({ ...pair, key: other.key }), "--listen", "unix:/tmp/chatd.sock"];
    for (const command of [["serve"], ["admin", "config", "check", "--offline"]]) {
      const { code, stderr } = await chatd([...command, ...wrong, "--data", freshFolder()]);
      expect(code).toBe(2);
      expect(stderr).toContain("listen and tls_certificate cannot be combined");
      expect(stderr).toContain("is not the key of the certificate");
    }
    const of = ["--url", "https://chat.example.com", "--data", freshFolder()];
    const check = ["admin", "config", "check", "--offline", ...flagsOf(pair), ...of];
    expect((await chatd(check)).stdout).toContain("is not for chat.example.com, but for CN=one");
  });
});
