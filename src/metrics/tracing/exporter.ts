import { systemClock } from "../../core/clock";
import { messageOf } from "../../core/error-code";
import type { Log } from "../../core/log";
import type { Facts } from "../../core/traced";
import { asOtlp, type Span } from "./span";

/** Highest number of waiting spans, and of spans in one request to the collector. */
const waitingMax = 4_096;
const perRequestMax = 512;
const pauseMilliseconds = 2_000;
const patienceMilliseconds = 5_000;
const lastMilliseconds = 2_000;

/** Results of spans: sent to the collector, or dropped. */
type CountSpans = (result: "exported" | "dropped", count: number) => void;

/**
 * Sends spans to a collector in batches. While the collector is unavailable or too slow, spans are
 * dropped and counted, and nothing waits for it.
 */
export class SpanExporter {
  private waiting: Span[] = [];
  private sending: Promise<void> | undefined;
  private isAway = false;
  private readonly stop: () => void;

  constructor(
    private readonly url: string,
    private readonly resource: Facts,
    private readonly log: Pick<Log, "warn" | "info">,
    private readonly count: CountSpans,
  ) {
    this.stop = systemClock.every(pauseMilliseconds, () => void this.send(patienceMilliseconds));
  }

  add(span: Span) {
    if (this.waiting.length >= waitingMax) return this.count("dropped", 1);
    this.waiting.push(span);
    if (this.waiting.length === perRequestMax) void this.send(patienceMilliseconds);
  }

  /** Sends the last spans if the collector answers soon. */
  async end() {
    this.stop();
    await this.sending;
    do await this.send(lastMilliseconds);
    while (this.waiting.length > 0 && !this.isAway);
  }

  private send(milliseconds: number): Promise<void> {
    if (this.waiting.length === 0) return this.sending ?? Promise.resolve();
    this.sending ??= this.sendNext(milliseconds).finally(() => {
      this.sending = undefined;
    });
    return this.sending;
  }

  private async sendNext(milliseconds: number) {
    const spans = this.waiting.splice(0, perRequestMax);
    const why = await this.post(spans, milliseconds);
    this.count(why === undefined ? "exported" : "dropped", spans.length);
    if (why !== undefined && !this.isAway)
      this.log.warn("traces_not_taken", { collector: this.url, why });
    if (why === undefined && this.isAway) this.log.info("traces_taken", { collector: this.url });
    this.isAway = why !== undefined;
  }

  /** Reason why the collector did not accept them; undefined if it did. */
  private async post(spans: readonly Span[], milliseconds: number): Promise<string | undefined> {
    try {
      const answer = await fetch(`${this.url}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(asOtlp(spans, this.resource)),
        redirect: "manual",
        signal: AbortSignal.timeout(milliseconds),
      });
      await answer.arrayBuffer();
      return answer.ok ? undefined : `It answered with ${answer.status}.`;
    } catch (error) {
      return messageOf(error);
    }
  }
}
