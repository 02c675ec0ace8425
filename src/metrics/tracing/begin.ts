import { hostname } from "node:os";
import type { App } from "../../core/context";
import { serverCounters } from "../../core/counters";
import type { Log } from "../../core/log";
import { traceWorkOf } from "../../core/traced";
import { version } from "../../core/version";
import { SpanExporter } from "./exporter";
import { Tracer } from "./tracer";

/**
 * Starts to make traces for a collector: of requests and, once there is an app, of its background
 * work.
 */
export function beginTracing(url: string, samplePercent: number, log: Log) {
  let app: App | undefined;
  const resource = {
    "service.name": "chatd",
    "service.version": version,
    "host.name": hostname(),
    "process.pid": process.pid,
  };
  const exporter = new SpanExporter(url, resource, log, (result, count) => {
    if (app) serverCounters.of(app).add("spans", result, count);
  });
  const tracer = new Tracer(samplePercent, (span) => exporter.add(span));
  return {
    tracer,
    attach(opened: App) {
      app = opened;
      traceWorkOf(opened, tracer);
    },
    end: () => exporter.end(),
  };
}
