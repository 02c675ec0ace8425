import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Subprocess, spawn } from "bun";
import { loadConfig } from "../../src/config/config";
import { declarationOf, metricNames } from "../../src/metrics/catalog";
import type { Client } from "../support/client";
import { dropDatabase, freshDatabase } from "../support/databases/postgres";
import { freePort } from "../support/processes/free-port";
import { requireTool } from "../support/processes/tools";
import { root } from "../support/root";
import { makeCertificate } from "../support/servers/relay";
import { receiveTraces } from "../support/servers/trace-receiver";
import {
  chatd,
  clientOf,
  freshFolder,
  readCredentials,
  type Server,
  serve,
  waitFor,
} from "./chatd";

/* Metrics of the executable, by the real Prometheus with the files of `deploy/prometheus`. */

const patienceMilliseconds = 40_000;

interface Watched {
  server: Server;
  alice: Client;
  /** Host and port of the metrics. */
  target: string;
}

const cleanings: (() => unknown)[] = [];
afterAll(async () => {
  for (const clean of cleanings) await clean();
});

const acme = {
  realm: { name: "Acme", host: "localhost" },
  users: [{ email: "alice@example.com", name: "Alice", role: "owner" }],
  channels: [{ name: "general", description: "", default: true, subscribers: "all" }],
};

/** Starts a server that gives metrics, in which Alice is. */
async function startWatched(env: Record<string, string> = {}): Promise<Watched> {
  const folder = freshFolder();
  const credentials = join(folder, "credentials.json");
  const target = `127.0.0.1:${freePort()}`;
  const { key, cert } = makeCertificate();
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  writeFileSync(keyFile, key);
  writeFileSync(certFile, cert);
  const organization = join(folder, "org.yaml");
  writeFileSync(organization, JSON.stringify(acme));
  const server = await serve(
    [
      "--data",
      join(folder, "data"),
      "--apply",
      organization,
      "--credentials",
      credentials,
      "--metrics-listen",
      target,
      "--channel-email-domain",
      "localhost",
      "--smtp-port",
      "0",
      "--smtp-tls-certificate",
      certFile,
      "--smtp-tls-key",
      keyFile,
      "--traces",
      collector.url,
      "--traces-sample-percent",
      "100",
    ],
    { env },
  );
  const alice = clientOf(server.site, readCredentials(credentials), "alice");
  return { server, alice, target };
}

const collector = receiveTraces();
cleanings.push(() => collector.stop());

let sqlite: Watched;
let postgres: Watched | undefined;

beforeAll(async () => {
  sqlite = await startWatched();
  if (!process.env.CHATD_TEST_POSTGRES) return;
  const url = await freshDatabase();
  postgres = await startWatched({ CHATD_DATABASE: url });
  const { server } = postgres;
  cleanings.push(async () => {
    await server.stop();
    await dropDatabase(url);
  });
});

const scrape = async ({ target }: Watched) => (await fetch(`http://${target}/metrics`)).text();

/** A bit of everything that people do. */
async function work({ alice }: Watched) {
  const message = { type: "channel", to: "general", topic: "lunch", content: "Soup?" };
  await Promise.all([alice.post("/messages", message), alice.get("/users/me")]);
  await alice.get("/messages", { anchor: "newest", num_before: 10, num_after: 0 });
}

/** Things that need to be done once: a poll that is held, a job, a file, a wrong password. */
async function beginWork({ alice, server }: Watched) {
  const queue = await alice.register({ event_types: ["presence"] });
  void queue.poll().catch(() => undefined);
  const later = Math.floor(Date.now() / 1000) + 86_400;
  const message = { type: "channel", to: "general", topic: "lunch", content: "Later." };
  await alice.post("/scheduled_messages", { ...message, scheduled_delivery_timestamp: later });
  const form = new FormData();
  form.append("file", new File(["soup"], "soup.txt"));
  await alice.open("/api/v1/user_uploads", { method: "POST", body: form });
  const wrong = new URLSearchParams({ username: "alice@example.com", password: "wrong" });
  await fetch(`${server.site}/api/v1/fetch_api_key`, {
    method: "POST",
    body: wrong,
    headers: { host: "localhost" },
  });
}

test("metrics are given by a port of their own, and by nothing else there", async () => {
  const { server, target, alice } = sqlite;
  const log = server.stderr();
  expect(log).toContain(`"metrics":"http://${target}/metrics"`);
  expect(loadConfig({}, undefined, {}).metricsListen).toBeUndefined();
  await alice.get("/users/me");
  const answer = await fetch(`http://${target}/metrics`);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await answer.text()).toMatch(
    /^chatd_http_requests_total\{method="GET",route="\/api\/v1\/users\/me",status="200"\} \d+$/m,
  );
  const paths = [`${server.site}/metrics`, `http://${target}/`, `http://${target}/api/v1/users/me`];
  const answers = await Promise.all(paths.map((url) => fetch(url)));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test("a route is what the API declares, however many paths people ask for", async () => {
  const { alice } = sqlite;
  for (const id of [1, 2, 3, 4]) await alice.get(`/users/${id}`);
  for (const name of ["a", "b", "c"]) await alice.open(`/nothing/${name}`);
  await alice.open("/static/style.css");
  const page = await scrape(sqlite);
  const routes = [...page.matchAll(/^chatd_http_requests_total\{.*route="([^"]*)"/gm)].map(
    ([, route]) => route,
  );
  expect(routes).toContain("/api/v1/users/{user_id_or_email}");
  expect(routes).toContain("/static/*");
  expect(routes).toContain("(none)");
  expect(routes.filter((route) => /nothing|\/\d/.test(route ?? ""))).toEqual([]);
});

test("a port that cannot be had is refused with what to do", async () => {
  const { target } = sqlite;
  const args = ["serve", "--ephemeral", "--port", "0", "--metrics-listen"];
  const [taken, nobodys, wrong] = await Promise.all(
    [target, "192.0.2.1:9464", "9464"].map((listen) => chatd([...args, listen])),
  );
  expect(taken?.stderr).toContain(`at ${target}, because that port is in use`);
  expect(nobodys?.stderr).toContain("Choose an address of this machine with --metrics-listen");
  expect(wrong?.stderr).toContain("must be an address with a port, like 127.0.0.1:9464");
  expect([taken?.code, nobodys?.code, wrong?.code]).toEqual([1, 1, 2]);
});

test("traces of its requests come to the collector, and are counted", async () => {
  await sqlite.alice.get("/users/me");
  const isThere = () => collector.spans.find(({ name }) => name === "GET /api/v1/users/me");
  const { facts } = await waitFor(isThere, patienceMilliseconds);
  expect(facts).toMatchObject({ "http.response.status_code": 200 });
  const isCounted = async () =>
    /^chatd_trace_spans_total\{result="exported"\} [1-9]/m.test(await scrape(sqlite)) || undefined;
  await waitFor(isCounted, patienceMilliseconds);
});

test("docs/metrics.md lists each metric", () => {
  const page = readFileSync(join(root, "docs/metrics.md"), "utf8");
  const engines = { file: " (SQLite)", server: " (PostgreSQL)" };
  const rows = metricNames.map((name) => {
    const { type, help, labels = [], only } = declarationOf(name);
    const shown = labels.map((label) => `\`${label}\``).join(", ");
    return `| \`${name}\` | ${type} | ${shown} | ${help}${only ? engines[only] : ""} |`;
  });
  expect(page.split("\n").filter((line) => /^\| `(chatd|process)_/.test(line))).toEqual(rows);
});

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const dashboard: { panels: Panel[] } = JSON.parse(
  readFileSync(join(root, "deploy/prometheus/chatd-dashboard.json"), "utf8"),
);
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

describe.skipIf(!requireTool("prometheus"))("Prometheus", () => {
  let child: Subprocess;
  let site: string;

  beforeAll(async () => {
    const folder = freshFolder();
    const targets = [sqlite, ...(postgres ? [postgres] : [])].map(({ target }) => `"${target}"`);
    const text = readFileSync(join(root, "deploy/prometheus/prometheus.yml"), "utf8");
    const file = join(folder, "prometheus.yml");
    const ours = text.replaceAll("15s", "1s").replace('"127.0.0.1:9464"', targets.join(", "));
    expect(ours).not.toContain('9464"');
    writeFileSync(file, ours);
    const rules = "chatd.rules.yml";
    copyFileSync(join(root, "deploy/prometheus", rules), join(folder, rules));
    const place = `127.0.0.1:${freePort()}`;
    site = `http://${place}`;
    child = spawn(
      [
        "prometheus",
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, "data")}`,
        `--web.listen-address=${place}`,
      ],
      { stdin: "ignore", stdout: "ignore", stderr: Bun.file(join(folder, "log")) },
    );
    const isReady = async () =>
      (await fetch(`${site}/-/ready`).catch(() => undefined))?.ok ? true : undefined;
    await waitFor(isReady, patienceMilliseconds, () => child.exitCode !== null);
  });

  afterAll(async () => {
    child.kill("SIGKILL");
    await child.exited;
  });

  const ask = async (path: string, parameters: Record<string, string> = {}) => {
    const answer = await fetch(`${site}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const { data } = await answer.json();
    return data;
  };

  /** Queries of the dashboard that Prometheus has no answer to. */
  const unanswered = async () => {
    const here = queries.filter((query) => postgres !== undefined || !query.includes("_postgres_"));
    const results = await Promise.all(
      here.map(async (query) => {
        const text = query.replaceAll("$__rate_interval", "20s").replaceAll("$instance", ".*");
        const { result } = await ask("query", { query: text });
        return { query, isAnswered: result.length > 0 };
      }),
    );
    return results.filter(({ isAnswered }) => !isAnswered).map(({ query }) => query);
  };

  test("under load it answers each query of the dashboard, and knows each documented name", async () => {
    const watched = [sqlite, ...(postgres ? [postgres] : [])];
    await Promise.all(watched.map(beginWork));
    let left: string[] = queries;
    await waitFor(async () => {
      await Promise.all(watched.map(work));
      left = await unanswered();
      return left.length === 0 ? true : undefined;
    }, patienceMilliseconds).catch(() => expect(left).toEqual([]));
    const names: string[] = await ask("label/__name__/values");
    const scraped = new Set(
      names
        .filter((name) => /^(chatd|process)_/.test(name))
        .map((name) => name.replace(/_(bucket|sum|count)$/, "")),
    );
    const here = metricNames.filter(
      (name) => declarationOf(name).only !== "server" || postgres !== undefined,
    );
    expect([...scraped].sort()).toEqual([...here].sort());
  });

  test("takes all that is in the rules and on the page", async () => {
    const { groups } = await ask("rules");
    expect(groups[0].rules.length).toBeGreaterThan(15);
    const { activeTargets } = await ask("targets");
    const wrong = activeTargets.filter(({ lastError }: { lastError: string }) => lastError !== "");
    expect(wrong).toEqual([]);
    const checked = spawn(["promtool", "check", "metrics"], {
      stdin: Buffer.from(await scrape(sqlite)),
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await new Response(checked.stderr).text()).toBe("");
    expect(await checked.exited).toBe(0);
  });
});
