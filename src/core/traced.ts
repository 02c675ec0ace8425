import type { App } from "./context";
import { perServer } from "./per-server";

/** Facts of a piece of work that its trace shows: short, and never a secret or a text of people. */
export type Facts = Readonly<Record<string, string | number>>;

/** Kinds of work, as traces have them. */
export type WorkKind = "server" | "client" | "consumer" | "internal";

/** Makes traces of what a server does. */
export interface WorkTracer {
  trace<T>(
    work: { name: string; kind: WorkKind; facts?: Facts },
    run: () => Promise<T>,
  ): Promise<T>;
}

const tracers = perServer((): { current: WorkTracer | undefined } => ({ current: undefined }));

/** Traces the work of a server from now on. */
export function traceWorkOf(app: Pick<App, "memory">, tracer: WorkTracer): void {
  tracers.of(app).current = tracer;
}

/** Does a piece of work, with a trace of it if the server makes traces. */
export function traced<T>(
  app: Pick<App, "memory">,
  work: { name: string; kind: WorkKind; facts?: Facts },
  run: () => Promise<T>,
): Promise<T> {
  const { current } = tracers.of(app);
  return current ? current.trace(work, run) : run();
}
