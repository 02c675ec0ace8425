import { randomBytes } from "node:crypto";
import type { Facts, WorkKind } from "../../core/traced";

/** A piece of work with its start and end. Times are milliseconds since 1970, with fractions. */
export interface Span {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  /** Whether it is sent to the collector. A trace is sent with all of its spans or not at all. */
  isSampled: boolean;
  name: string;
  kind: WorkKind;
  beganAt: number;
  endedAt: number;
  facts: Record<string, string | number>;
  hasFailed: boolean;
}

export const newTraceId = (): string => randomBytes(16).toString("hex");
export const newSpanId = (): string => randomBytes(8).toString("hex");

/** Place in another program's trace, which the spans here continue. */
interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** The header `traceparent` (W3C Trace Context, 3.2.2); undefined if it is invalid. */
export function parseTraceParent(header: string | null): TraceParent | undefined {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(
    header ?? "",
  );
  if (!match) return undefined;
  const [, version = "", traceId = "", spanId = "", flags = "", more] = match;
  const isValid = version !== "ff" && (version !== "00" || more === undefined);
  if (!isValid || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const kinds: Record<WorkKind, number> = { internal: 1, server: 2, client: 3, consumer: 5 };
const failed = 2;

/** Spans in the JSON of the OpenTelemetry protocol (OTLP 1.x, `/v1/traces`). */
export const asOtlp = (spans: readonly Span[], resource: Facts) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [{ scope: { name: "chatd" }, spans: spans.map(spanAsOtlp) }],
    },
  ],
});

const spanAsOtlp = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.beganAt),
  endTimeUnixNano: nanoseconds(span.endedAt),
  attributes: attributesOf(span.facts),
  status: span.hasFailed ? { code: failed } : {},
});

const attributesOf = (facts: Facts) =>
  Object.entries(facts).map(([key, value]) => ({
    key,
    value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) },
  }));

/** A JavaScript number cannot hold all of these digits. */
const nanoseconds = (milliseconds: number): string =>
  String(BigInt(Math.round(milliseconds * 1_000)) * 1_000n);
