import type { App } from "../../src/core/context";
import type { Composed, HttpServer } from "../../src/http/serve";
import { compose, serve } from "../../src/server";

/*
 * Habits of Elysia that a server, which starts once, never notices, and a process with thousands of
 * servers does: it composes its routes at each start, which takes longer than to open the data; it
 * collects garbage whenever it does so; and it keeps each app that has listened until the process
 * ends.
 */

Bun.gc = () => 0;

type Listening = Bun.Serve.Options<unknown>;

/** Routes that serve no port at the moment, because their server has ended. */
const idle: Composed[] = [];

/**
 * Starts a server, with routes of one that has ended where there are any. Answers it with a
 * function to be called when it has ended.
 */
export async function startServer(app: App): Promise<{ server: HttpServer; ended(): void }> {
  const composed = idle.pop() ?? (await composeKept(app));
  const server = await serve(app, composed);
  return {
    server,
    ended() {
      composed.elysia.server = null;
      idle.push(composed);
    },
  };
}

/** Composes routes that listen again as they listened at first. */
async function composeKept(app: App): Promise<Composed> {
  const composed = compose();
  const { elysia } = composed;
  const listening = await listeningOf(() => serve(app, composed));
  elysia.listen = (place) => {
    elysia.server = Bun.serve({ ...listening, ...Object(place) });
    return elysia;
  };
  return composed;
}

/** Options that Elysia hands to Bun, noted from a server that is started for that and ended at once. */
async function listeningOf(start: () => Promise<HttpServer>): Promise<Listening> {
  const before = new Set(process.listeners("beforeExit"));
  const { serve: serveUsually } = Bun;
  let asked: Listening | undefined;
  const noteAsked = (options: Listening) => {
    asked = options;
    return serveUsually(options);
  };
  Reflect.set(Bun, "serve", noteAsked);
  const server = await start().finally(() => Reflect.set(Bun, "serve", serveUsually));
  await server.stop(true);
  for (const listener of process.listeners("beforeExit")) {
    if (!before.has(listener)) process.off("beforeExit", listener);
  }
  if (asked === undefined) throw new Error("Elysia did not ask Bun to serve anything.");
  return asked;
}
