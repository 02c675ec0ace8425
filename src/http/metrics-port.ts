import { Elysia } from "elysia";
import { codeOf } from "../core/error-code";
import { describeError, type Log } from "../core/log";

/** A separate port on which Prometheus requests metrics. */
interface MetricsPort {
  /** The address of the metrics: `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The text format of Prometheus. */
const contentType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Host and port of an address that the configuration has checked: `127.0.0.1:9464`, `[::1]:9464`.
 */
function placeOfMetrics(listen: string): { host: string; port: number } {
  const colon = listen.lastIndexOf(":");
  const host = listen.slice(0, colon).replace(/^\[(.*)\]$/, "$1");
  return { host, port: Number(listen.slice(colon + 1)) };
}

/** Listens at a separate address that serves metrics and nothing else. */
export async function listenForMetrics(
  listen: string,
  page: () => Promise<string>,
  log: Pick<Log, "error">,
): Promise<MetricsPort> {
  const { host, port } = placeOfMetrics(listen);
  const answer = async () => {
    try {
      return new Response(await page(), { headers: { "content-type": contentType } });
    } catch (error) {
      log.error("metrics_failed", describeError(error));
      return new Response("The metrics could not be made: see the log.\n", { status: 500 });
    }
  };
  const elysia = new Elysia()
    .get("/metrics", answer)
    .all("/*", () => new Response("The metrics are at /metrics.\n", { status: 404 }));
  await elysia.modules;
  try {
    elysia.listen({ hostname: host, port, reusePort: false, development: false });
  } catch (error) {
    throw new Error(whyNot(listen, error), { cause: error });
  }
  const { server } = elysia;
  if (server === null) throw new Error("The port for metrics does not listen.");
  const shown = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${shown}:${server.port}/metrics`,
    stop: () => server.stop(true),
  };
}

function whyNot(listen: string, error: unknown): string {
  if (codeOf(error) === "EADDRINUSE")
    return `Metrics cannot be given at ${listen}, because that port is in use. Choose another one with --metrics-listen.`;
  return `Metrics cannot be given at ${listen}: ${error instanceof Error ? error.message : error}. Choose an address of this machine with --metrics-listen.`;
}
