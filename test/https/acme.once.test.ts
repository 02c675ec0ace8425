import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { turn } from "../../src/core/turns/turn";
import { listenForRedirects, type RedirectPort } from "../../src/http/redirect-port";
import { makeIssuer } from "../../src/https/acme";
import { CertificateKeeper, renewalTime } from "../../src/https/certificate-keeper";
import { CertificateStore } from "../../src/https/certificate-store";
import { makeFakeClock } from "../support/fake-clock";
import { folderOfFile } from "../support/folder-of-file";
import { freePort } from "../support/processes/free-port";
import { requireTool } from "../support/processes/tools";
import { type Authority, standBefore, startAuthority } from "../support/servers/pebble";

const host = "localhost";
const minuteSeconds = 60;
const hourSeconds = 3_600;
const httpPort = freePort();
const answers = new Map<string, string>();
let authority: Authority;
let redirects: RedirectPort;

const freshFolder = () => folderOfFile("acme");

interface Place {
  directory: string;
  caFile?: string | undefined;
}

interface Line {
  event: string;
  what?: string;
  served?: string;
  next_try?: string;
}

/** A server's certificates: its clock stands still, its log and its attempts are noted. */
function makeServer({ directory, caFile }: Place, data = freshFolder()) {
  const clock = makeFakeClock(Math.floor(Date.now() / 1000));
  const store = new CertificateStore(data);
  const lines: Line[] = [];
  const waiting: (() => void)[] = [];
  const note = (event: string, fields = {}) => {
    lines.push({ event, ...fields });
    for (const wake of waiting.splice(0)) wake();
  };
  const log = { debug: note, info: note, warn: note, error: note };
  const email = undefined;
  const accountKey = store.accountKey(directory);
  const issueReally = makeIssuer({ directory, caFile, email, accountKey, answers });
  const asked: string[] = [];
  const issue = (name: string) => {
    asked.push(name);
    return issueReally(name);
  };
  const keeper = new CertificateKeeper({
    hosts: [host],
    store,
    clock,
    log,
    issue,
    changed: async () => note("served"),
  });
  const heard = async (event: string, count = 1): Promise<Line> => {
    for (;;) {
      // The keeper sets its timer right after the line.
      await turn();
      const found = lines.filter((one) => one.event === event);
      const last = found.at(-1);
      if (last && found.length >= count) return last;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  /** Lets time pass until the keeper's timer is due; it works in steps of an hour. */
  const pass = (seconds: number) => {
    for (let left = seconds; left > 0; left -= hourSeconds)
      clock.advance(Math.min(left, hourSeconds));
  };
  return { clock, store, keeper, lines, asked, heard, pass, data };
}

const serialOf = (chain = "") => new X509Certificate(chain).serialNumber;

describe.skipIf(!requireTool("pebble"))("a server that gets its certificate by itself", () => {
  beforeAll(async () => {
    authority = await startAuthority({ httpPort });
    redirects = await listenForRedirects("127.0.0.1", httpPort, {
      httpsPort: 443,
      hosts: [host],
      challengeAnswer: (token) => answers.get(token),
    });
  });
  afterAll(async () => {
    await redirects?.close();
    await authority?.stop();
  });

  test("gets one, keeps it to its owner, renews it when two thirds of its life are over, and asks nobody before", async () => {
    const server = makeServer(authority);
    server.keeper.start();
    server.pass(0.001);
    // A reload meanwhile does not ask once more.
    server.keeper.tryAgain();
    server.pass(0.001);
    await server.heard("served");
    expect(server.asked).toEqual([host]);
    const first = server.store.certificate(host);
    expect(new X509Certificate(first?.chain ?? "").checkHost(host)).toBe(host);
    const folder = join(server.data, "https");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const files = readdirSync(folder);
    expect(files.sort()).toEqual([expect.stringMatching(/^account-\w+\.pem$/), `${host}.pem`]);
    expect(files.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);

    const dueAt = first ? renewalTime(first) : 0;
    const life = (first?.to ?? 0) - (first?.from ?? 0);
    expect((dueAt - (first?.from ?? 0)) / life).toBeWithin(0.64, 0.69);
    server.pass(dueAt - server.clock.now() - minuteSeconds);
    expect(server.lines.map(({ event }) => event)).toEqual(["certificate_got", "served"]);
    server.pass(2 * minuteSeconds);
    await server.heard("served", 2);
    expect(serialOf(server.store.certificate(host)?.chain)).not.toBe(serialOf(first?.chain));

    const restarted = makeServer(
      { ...authority, directory: "https://localhost:1/dir" },
      server.data,
    );
    restarted.keeper.start();
    restarted.pass(24 * hourSeconds);
    expect([restarted.keeper.missing(), restarted.lines]).toEqual([[], []]);
  });

  test("serves what it has while the authority is away, asks again each ten minutes at most, and gets one when it is back", async () => {
    const port = freePort();
    const server = makeServer({ ...authority, directory: `https://localhost:${port}/dir` });
    server.keeper.start();
    server.pass(0.001);
    const { what, served, next_try } = await server.heard("certificate_not_got");
    expect(what).toBe(`localhost:${port} cannot be reached: nobody listens there.`);
    expect([served, server.keeper.missing()]).toEqual(["none: clients are refused", [host]]);
    expect(Date.parse(String(next_try)) / 1000 - server.clock.now()).toBe(2 * minuteSeconds);
    for (let attempt = 2; attempt < 6; attempt++) {
      server.pass(10 * minuteSeconds);
      await server.heard("certificate_not_got", attempt);
    }
    const back = await startAuthority({ httpPort, port });
    server.pass(10 * minuteSeconds);
    await server.heard("served");
    expect(server.keeper.missing()).toEqual([]);
    await back.stop();
  });

  test("says what to do where nobody known vouches for the authority", async () => {
    const server = makeServer({ directory: authority.directory });
    server.keeper.start();
    server.pass(0.001);
    expect((await server.heard("certificate_not_got")).what).toContain("with acme_ca_file");
  });

  test("says in the authority's words why a question was answered wrongly, and waits also after a restart", async () => {
    const deaf = makeServer(authority);
    const { set } = answers;
    answers.set = (token) => set.call(answers, token, "something else");
    deaf.keeper.start();
    deaf.pass(0.001);
    const { what } = await deaf.heard("certificate_not_got");
    answers.set = set;
    expect(String(what)).toContain("something else");

    const restarted = makeServer(authority, deaf.data);
    restarted.keeper.start();
    restarted.pass(minuteSeconds);
    expect(restarted.lines).toEqual([]);
    restarted.keeper.tryAgain();
    restarted.pass(0.001);
    await restarted.heard("served");
  });

  test("waits as long as the authority says where it was asked too often", async () => {
    const problem = {
      type: "urn:ietf:params:acme:error:rateLimited",
      detail: "too many certificates already issued",
    };
    let asked = 0;
    const limiting = standBefore(authority, (path) => {
      if (path !== "/order-plz") return undefined;
      asked += 1;
      const headers = { "retry-after": String(5 * hourSeconds), "replay-nonce": "none" };
      return Response.json(problem, { status: 429, headers });
    });
    const server = makeServer(limiting);
    server.keeper.start();
    server.pass(0.001);
    const { what, next_try } = await server.heard("certificate_not_got");
    expect(what).toBe(problem.detail);
    expect(Date.parse(String(next_try)) / 1000 - server.clock.now()).toBe(5 * hourSeconds);
    expect(asked).toBe(1);
    limiting.stop();
  });
});
