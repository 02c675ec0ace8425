import type { Span } from "../../../src/metrics/tracing/span";

/** A span as a collector reads it. Times are nanoseconds since 1970. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: number;
  beganAt: bigint;
  endedAt: bigint;
  facts: Record<string, unknown>;
}

export interface TraceReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** Bodies as they came. */
  raw: unknown[];
  /** Spans to give to an exporter. */
  asSpans: [Span];
  stop(): Promise<void>;
}

type Json = ReturnType<typeof JSON.parse>;

const readValue = ({ stringValue, intValue }: Json) =>
  stringValue === undefined ? Number(intValue) : stringValue;

const factsOf = (attributes: Json[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]));

/**
 * A collector on the loopback that takes the JSON of OTLP, and refuses what is not of its form: ids
 * in hexadecimal digits, times as texts of nanoseconds (its page "OTLP Specification").
 */
export function receiveTraces(): TraceReceiver {
  const spans: ReceivedSpan[] = [];
  const raw: unknown[] = [];
  const read = ({ traceId, spanId, parentSpanId, name, kind, ...rest }: Json): ReceivedSpan => {
    const { startTimeUnixNano, endTimeUnixNano, attributes } = rest;
    if (!/^[0-9a-f]{32}$/.test(traceId) || !/^[0-9a-f]{16}$/.test(spanId)) throw new Error("ids");
    if (typeof startTimeUnixNano !== "string" || typeof kind !== "number") throw new Error("form");
    const [beganAt, endedAt] = [BigInt(startTimeUnixNano), BigInt(endTimeUnixNano)];
    return {
      traceId,
      spanId,
      parentSpanId,
      name,
      kind,
      beganAt,
      endedAt,
      facts: factsOf(attributes),
    };
  };
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname !== "/v1/traces" || request.headers.get("content-type") !== "application/json")
        return new Response("", { status: 404 });
      const body = await request.json();
      raw.push(body);
      for (const { resource, scopeSpans } of body.resourceSpans) {
        if (factsOf(resource.attributes)["service.name"] !== "chatd") throw new Error("resource");
        for (const { spans: its } of scopeSpans) spans.push(...its.map(read));
      }
      return Response.json({});
    },
  });
  const span: Span = {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    parentId: undefined,
    isSampled: true,
    name: "work",
    kind: "internal",
    beganAt: 1,
    endedAt: 2,
    facts: {},
    hasFailed: false,
  };
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    raw,
    asSpans: [span],
    stop: () => server.stop(true),
  };
}
