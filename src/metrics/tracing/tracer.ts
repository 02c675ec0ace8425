import { AsyncLocalStorage } from "node:async_hooks";
import type { EngineMeter } from "../../../db/measure";
import { steadyMilliseconds, systemClock } from "../../core/clock";
import type { Facts, WorkKind, WorkTracer } from "../../core/traced";
import type { Routed } from "../../http/elysia";
import type { Answered, TrafficWatch } from "../../http/traffic";
import { newSpanId, newTraceId, parseTraceParent, type Span } from "./span";

/** A group of writes that was just stored. */
interface Stored {
  writes: number;
  beganAt: number;
  endedAt: number;
}

/**
 * Makes traces of requests and of background work: a span for each, with child spans for each
 * write, its commit, and each request to another server. `add` takes the sampled spans.
 */
export class Tracer implements TrafficWatch, WorkTracer, EngineMeter {
  readonly wantsDetails = true;
  readonly milliseconds = steadyMilliseconds;
  /** Span of the current work, kept across everything that the work awaits. */
  private readonly current = new AsyncLocalStorage<Span>();
  private readonly startedAt = systemClock.nowMilliseconds() - steadyMilliseconds();
  private stored: Stored | undefined;

  /** `samplePercent`: how many of a hundred traces are sent. */
  constructor(
    private readonly samplePercent: number,
    private readonly add: (span: Span) => void,
  ) {}

  /** Follows a request from its arrival; its span is named when its route is found. */
  around(answer: () => unknown): unknown {
    return this.current.run(this.begin("request", "server", undefined), answer);
  }

  /**
   * A trusted proxy may say which trace a request belongs to. From others the header is ignored.
   */
  routed({ request, route, requestId, details }: Routed) {
    const span = this.current.getStore();
    if (!span) return;
    span.name = `${request.method} ${route ?? ""}`.trim();
    span.facts["http.request.method"] = request.method;
    span.facts["chatd.request_id"] = requestId;
    if (route !== undefined) span.facts["http.route"] = route;
    const header = details?.isFromProxy ? request.headers.get("traceparent") : null;
    const parent = parseTraceParent(header);
    if (!parent) return;
    span.traceId = parent.traceId;
    span.parentId = parent.spanId;
    span.isSampled = parent.isSampled;
  }

  answered({ asked, response }: Answered) {
    const span = this.current.getStore();
    if (!span) return;
    const { userId } = asked?.details ?? {};
    if (userId !== undefined) span.facts["chatd.user_id"] = userId;
    span.facts["http.response.status_code"] = response?.status ?? 0;
    span.hasFailed = response === undefined || response.status >= 500;
    this.end(span);
  }

  async trace<T>(
    { name, kind, facts = {} }: { name: string; kind: WorkKind; facts?: Facts },
    run: () => Promise<T>,
  ): Promise<T> {
    const span = this.begin(name, kind, this.current.getStore());
    Object.assign(span.facts, facts);
    try {
      const value = await this.current.run(span, run);
      if (name === "write") this.noteCommit(span);
      return value;
    } catch (error) {
      span.hasFailed = true;
      throw error;
    } finally {
      this.end(span);
    }
  }

  committed({ writes, commitMilliseconds }: Parameters<EngineMeter["committed"]>[0]) {
    const endedAt = this.now();
    this.stored = { writes, beganAt: endedAt - commitMilliseconds, endedAt };
  }

  wroteBack() {
    // It belongs to no request.
  }

  /** The commit that a write was stored with, which other writes may share. */
  private noteCommit(write: Span) {
    const { stored } = this;
    if (!stored || stored.endedAt < write.beganAt) return;
    const commit = this.begin("commit", "internal", write);
    commit.beganAt = stored.beganAt;
    commit.facts["chatd.writes"] = stored.writes;
    this.end(commit, stored.endedAt);
  }

  private now = () => this.startedAt + steadyMilliseconds();

  private begin(name: string, kind: WorkKind, parent: Span | undefined): Span {
    const beganAt = this.now();
    return {
      traceId: parent?.traceId ?? newTraceId(),
      spanId: newSpanId(),
      parentId: parent?.spanId,
      isSampled: parent?.isSampled ?? Math.random() * 100 < this.samplePercent,
      name,
      kind,
      beganAt,
      endedAt: beganAt,
      facts: {},
      hasFailed: false,
    };
  }

  private end(span: Span, endedAt = this.now()) {
    span.endedAt = endedAt;
    if (span.isSampled) this.add(span);
  }
}
