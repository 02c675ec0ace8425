import type { EngineMeter } from "../db/measure";
import type { RunningApp } from "../src/app";
import type { Config } from "../src/config/config";
import type { Log } from "../src/core/log";
import type { Tls } from "../src/http/listeners";
import { joinWatches, type TrafficWatch } from "../src/http/traffic";
import { joinMeters } from "../src/metrics/join-meters";

/** Parts of a server that look into it from its start on, as the configuration wants them. */
export interface Watching {
  /** The log that the server writes to. */
  log: Log;
  watch: TrafficWatch | undefined;
  meter: EngineMeter | undefined;
  /** The address of the metrics; undefined where nobody gets any. */
  metricsUrl: string | undefined;
  /** The data is open. `servedTls` tells the certificates that are served, where there are some. */
  attach(app: RunningApp, servedTls: () => Tls | undefined): void;
  end(): Promise<void>;
}

/**
 * Takes the port for metrics, where there is one, and begins to trace. Nothing is loaded for what
 * nobody wants.
 */
export async function beginWatching(config: Config, log: Log): Promise<Watching> {
  const metered = await beginMetering(config, log);
  const tracing = await beginTracing(config, metered.log);
  const lines = config.accessLog
    ? (await import("../src/metrics/access-log")).accessLog(metered.log)
    : undefined;
  return {
    ...metered,
    watch: joinWatches([metered.watch, lines, tracing?.tracer]),
    meter: joinMeters(metered.meter, tracing?.tracer),
    attach(app, servedTls) {
      metered.attach(app, servedTls);
      tracing?.attach(app);
    },
    async end() {
      await tracing?.end();
      await metered.end();
    },
  };
}

async function beginTracing({ traces, tracesSamplePercent }: Config, log: Log) {
  if (traces === undefined) return undefined;
  const { beginTracing: begin } = await import("../src/metrics/tracing/begin");
  return begin(traces, tracesSamplePercent, log);
}

async function beginMetering(config: Config, log: Log): Promise<Watching> {
  if (config.metricsListen === undefined) return unwatched(log);
  const { Meter } = await import("../src/metrics/meter");
  const { listenForMetrics } = await import("../src/http/metrics-port");
  const meter = new Meter();
  const port = await listenForMetrics(config.metricsListen, () => meter.page(), log);
  const stopMeasuring = meter.start();
  return {
    log: meter.countingOf(log),
    watch: meter.requests,
    meter: meter.database,
    metricsUrl: port.url,
    attach: (app, servedTls) => meter.attach(app, servedTls),
    async end() {
      stopMeasuring();
      await port.stop();
    },
  };
}

const unwatched = (log: Log): Watching => ({
  log,
  watch: undefined,
  meter: undefined,
  metricsUrl: undefined,
  attach: () => undefined,
  end: async () => undefined,
});
