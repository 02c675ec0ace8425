import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openApp } from "../../src/app";
import { loadConfig } from "../../src/config/config";
import { serverCounters } from "../../src/core/counters";
import { makeLog } from "../../src/core/log";
import { beginTracing } from "../../src/metrics/tracing/begin";
import { parseTraceParent } from "../../src/metrics/tracing/span";
import { serve } from "../../src/server";
import {
  type ReceivedSpan,
  receiveTraces,
  type TraceReceiver,
} from "../support/servers/trace-receiver";
import { openPortWithSharedRoutes } from "../support/shared-routes";
import { makeWorld, type Person, type World } from "../support/world";

/* Traces as a collector on the loopback receives them, of requests and of background work. */

let world: World;
let collector: TraceReceiver;
let node: Awaited<ReturnType<typeof startTraced>>;
let alice: Person;

/** Another server on the world's data, which is traced. */
async function startTraced(url: string, samplePercent = 100, proxies = "127.0.0.1") {
  const { clock, place } = world;
  const logged: string[] = [];
  const log = makeLog(clock, "info", (line) => logged.push(line));
  const tracing = beginTracing(url, samplePercent, log);
  const flags = { data: place.dataFolder, database: place.databaseUrl, host: "127.0.0.1" };
  const config = loadConfig(
    { ...flags, port: "0", trusted_proxies: proxies, database_connections_max: "5" },
    undefined,
    {},
  );
  const { tracer } = tracing;
  const app = await openApp(config, { log, clock, meter: tracer, exit: () => undefined });
  tracing.attach(app);
  const server = await serve(app, { watch: tracer, openPort: openPortWithSharedRoutes });
  return {
    app,
    logged,
    site: `http://127.0.0.1:${server.port}`,
    /** Gives all spans so far to the collector. */
    flush: tracing.end,
    async close() {
      app.events.close();
      await server.stop(true);
      await tracing.end();
      await app.close();
    },
  };
}

beforeAll(async () => {
  world = await makeWorld();
  collector = receiveTraces();
  node = await startTraced(collector.url);
  alice = world.alice.at(node);
});
afterAll(async () => {
  await node.close();
  await collector.stop();
  await world.close();
});
beforeEach(async () => {
  await node.flush();
  collector.spans.length = 0;
});

async function received(): Promise<ReceivedSpan[]> {
  await node.flush();
  return collector.spans;
}

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const span = spans.find((one) => one.name === name);
  if (!span) throw new Error(`There is no span ${name} among ${spans.map((one) => one.name)}.`);
  return span;
};

test("A request is a span, with its write and the commit below it, in one trace and in time", async () => {
  await alice.say("general", "lunch", "Soup?");
  const spans = await received();
  const request = named(spans, "POST /api/v1/messages");
  const write = named(spans, "write");
  const commit = named(spans, "commit");
  expect(request).toMatchObject({
    kind: 2,
    facts: {
      "http.request.method": "POST",
      "http.route": "/api/v1/messages",
      "http.response.status_code": 200,
      "chatd.user_id": alice.id,
    },
  });
  expect(request.parentSpanId).toBeUndefined();
  expect([write.parentSpanId, commit.parentSpanId]).toEqual([request.spanId, write.spanId]);
  expect(new Set([request, write, commit].map(({ traceId }) => traceId)).size).toBe(1);
  expect(commit.facts["chatd.writes"]).toBe(1);
  for (const span of [write, commit]) {
    expect(span.beganAt).toBeGreaterThanOrEqual(request.beganAt);
    expect(span.endedAt).toBeLessThanOrEqual(request.endedAt);
    expect(span.endedAt).toBeGreaterThanOrEqual(span.beganAt);
  }
});

test("Requests at one time have traces of their own", async () => {
  await Promise.all(["a", "b", "c"].map((content) => alice.say("general", "lunch", content)));
  const spans = await received();
  const requests = spans.filter(({ name }) => name === "POST /api/v1/messages");
  const writes = spans.filter(({ name }) => name === "write");
  expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(3);
  expect(writes.map(({ parentSpanId }) => parentSpanId).toSorted()).toEqual(
    requests.map(({ spanId }) => spanId).toSorted(),
  );
});

test("Nothing of what people write, and no key, is in a span", async () => {
  await alice.say("general", "a private matter", "hunter2");
  await alice.open("/api/v1/users/me?api_key=hunter2");
  await alice.open("/nothing/hunter2");
  const spans = await received();
  expect(spans.length).toBeGreaterThan(3);
  expect(JSON.stringify(collector.raw)).not.toMatch(/hunter2|private matter/);
});

describe("a trace that a trusted proxy has begun", () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const from = (flags: string) => ({
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-${flags}` },
  });

  test("goes on here", async () => {
    await alice.open("/api/v1/users/me", from("01"));
    const request = named(await received(), "GET /api/v1/users/me");
    expect([request.traceId, request.parentSpanId]).toEqual([traceId, "b7ad6b7169203331"]);
  });

  test("is nobody's where anybody else says so", async () => {
    const other = await startTraced(collector.url, 100, "192.0.2.1");
    await world.alice.at(other).open("/api/v1/users/me", from("00"));
    await other.close();
    const request = named(collector.spans, "GET /api/v1/users/me");
    expect(request.parentSpanId).toBeUndefined();
    expect(request.traceId).not.toBe(traceId);
  });

  test("is left out where it says so", async () => {
    await alice.open("/api/v1/users/me", from("00"));
    expect(await received()).toEqual([]);
  });

  test.each([
    ["", "nothing"],
    [`00-${traceId}-b7ad6b7169203331`, "no flags"],
    [`ff-${traceId}-b7ad6b7169203331-01`, "a version that is none"],
    [`00-${"0".repeat(32)}-b7ad6b7169203331-01`, "no trace"],
    [`00-${traceId}-${"0".repeat(16)}-01`, "no span"],
    [`00-${traceId.toUpperCase()}-b7ad6b7169203331-01`, "capitals"],
    [`00-${traceId}-b7ad6b7169203331-01-more`, "more than its version has"],
  ])("is none with %p: %s", (header) => expect(parseTraceParent(header)).toBeUndefined());

  test("of a later version is read as far as it is known", () => {
    const parent = { traceId, spanId: "b7ad6b7169203331", isSampled: true };
    expect(parseTraceParent(`01-${traceId}-b7ad6b7169203331-01-more`)).toEqual(parent);
  });
});

test("Background work and what it asks of others are spans of one trace", async () => {
  const { app } = node;
  const stranger = Bun.serve({ port: 0, fetch: () => new Response("ok") });
  const { outboundRequest } = await import("../../src/core/network/outbound");
  const { traced } = await import("../../src/core/traced");
  const work = { name: "job greet", kind: "consumer" } as const;
  const url = `http://127.0.0.1:${stranger.port}/?token=hunter2`;
  const scope = { app, realm: world.realm };
  await traced(app, work, () =>
    outboundRequest(scope, url, { method: "POST", allowPrivate: true }),
  );
  await stranger.stop(true);
  const spans = await received();
  const [job, post] = [named(spans, "job greet"), named(spans, "POST 127.0.0.1")];
  expect([job.kind, post.kind, post.parentSpanId]).toEqual([5, 3, job.spanId]);
});

test("Jobs are traced as they run", async () => {
  const stop = node.app.startBackground();
  const later = world.clock.now() + 60;
  const { status } = await alice.post("/scheduled_messages", {
    type: "channel",
    to: world.channels.general,
    topic: "lunch",
    content: "Later.",
    scheduled_delivery_timestamp: later,
  });
  expect(status).toBe(200);
  world.clock.advance(61);
  await node.app.jobs.settled();
  await world.app.jobs.settled();
  stop();
  const spans = await received();
  const jobs = spans.filter(({ name }) => name.startsWith("job "));
  const runs = spans.filter(({ name }) => name.startsWith("run "));
  expect(jobs.length).toBeGreaterThan(0);
  for (const run of runs)
    expect(jobs.map(({ spanId }) => spanId)).toContain(run.parentSpanId ?? "");
});

test("Of a hundred requests as many are traced as were asked for", async () => {
  const none = await startTraced(collector.url, 0);
  await world.alice.at(none).get("/users/me");
  await none.close();
  expect(collector.spans).toEqual([]);
});

test("A collector that is away costs dropped spans, which are counted, and one line of the log", async () => {
  const away = await startTraced("http://127.0.0.1:1");
  const person = world.alice.at(away);
  for (let round = 0; round < 2; round += 1) {
    expect((await person.get("/users/me")).status).toBe(200);
    await away.flush();
  }
  const counts = serverCounters.of(away.app);
  expect(counts.count("spans", "dropped")).toBeGreaterThan(1);
  expect(counts.count("spans", "exported")).toBe(0);
  expect(away.logged.filter((line) => line.includes("traces_not_taken"))).toHaveLength(1);
  await away.close();
});

test("Spans that nobody takes in time do not grow without bound", async () => {
  const { SpanExporter } = await import("../../src/metrics/tracing/exporter");
  const held = Promise.withResolvers<void>();
  const slow = Bun.serve({
    port: 0,
    async fetch() {
      await held.promise;
      return new Response("{}");
    },
  });
  const counts = { exported: 0, dropped: 0 };
  const exporter = new SpanExporter(
    `http://127.0.0.1:${slow.port}`,
    {},
    world.app.log,
    (result, count) => {
      counts[result] += count;
    },
  );
  const [span] = collector.asSpans;
  for (let count = 0; count < 10_000; count += 1) exporter.add(span);
  expect(counts.dropped).toBe(10_000 - 4_096 - 512);
  held.resolve();
  await exporter.end();
  await slow.stop(true);
  expect(counts.exported).toBe(4_096 + 512);
});
