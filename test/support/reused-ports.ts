import type { RunningApp } from "../../src/app";
import type { HttpServer } from "../../src/http/serve";
import { serve } from "../../src/server";
import { startForgettable } from "./elysia-leftovers";

/** A port on which a server of a test answers. */
export interface LentPort {
  port: number;
  /** Closes it, after the requests that are under way. */
  close(): Promise<void>;
  /** Closes it for this server, and leaves it to a later one where no request is under way. */
  giveBack(): Promise<void>;
}

interface Listening {
  server: HttpServer;
  forget(): void;
}

/**
 * Ports without a server, in the order in which they were given back. The next server takes one of
 * them, because to mount all routes anew, and to warm them up, takes longer than most tests.
 */
const free: Listening[] = [];

/** Ports that rest, so that a request which comes late finds no other world's server. */
const restingCount = 3;

export async function lendPort(app: RunningApp): Promise<LentPort> {
  const { server, forget } = takeFree(app) ?? (await startForgettable(() => serve(app)));
  let isLent = true;
  const close = async () => {
    if (!isLent) return;
    isLent = false;
    await server.stop();
    forget();
  };
  return {
    port: server.port,
    close,
    async giveBack() {
      if (!mayHaveAny(app) || pendingRequests(server) > 0) return close();
      if (!isLent) return;
      isLent = false;
      free.push({ server, forget });
    },
  };
}

function takeFree(app: RunningApp): Listening | undefined {
  const listening = mayHaveAny(app) && free.length > restingCount ? free.shift() : undefined;
  listening?.server.open(app);
  return listening;
}

const mayHaveAny = ({ config }: RunningApp) => config.port === 0 && config.host === "127.0.0.1";

const pendingRequests = ({ elysia }: HttpServer) =>
  (elysia as unknown as { server: Bun.Server<unknown> }).server.pendingRequests;
