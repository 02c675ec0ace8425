import type { Port } from "../../src/http/port";
import { composeSite, type OpenPort } from "../../src/http/serve";

/*
 * To compose the routes of a server takes longer than to open its data, and a process of the tests
 * has thousands of servers. They all listen with one app of Elysia, each at a port of its own: what
 * a request meets is decided by the port that it came in by.
 */

// Elysia collects garbage whenever it composes an app.
Bun.gc = () => 0;

type Handler = (request: Request, server: unknown) => Response | Promise<Response>;

/** Handlers that Elysia gives Bun: by path one for all methods, or one for each. */
interface Routes {
  fetch: Handler;
  routes: Record<string, Handler | Record<string, Handler>>;
}

type Site = Parameters<OpenPort>[0];

const ports = new WeakMap<Request, Port>();

function portOf(request: Request): Port {
  const port = ports.get(request);
  if (port === undefined) throw new Error(`no port is known of the request for ${request.url}`);
  return port;
}

const composed = new WeakMap<Site, ReturnType<typeof compose>>();

/** Opens a port with routes that are composed once in a process. */
export const openPortWithSharedRoutes: OpenPort = async (site, port, options) => {
  const once = composed.get(site) ?? compose(site);
  composed.set(site, once);
  const { elysia, routes } = await once;
  const comesBy = (request: Request) => {
    ports.set(request, port);
    return request;
  };
  return {
    elysia: { handle: (request) => elysia.handle(comesBy(request)) },
    server: Bun.serve({ ...options, ...withRequests(routes, comesBy) }),
  };
};

/** Composes the routes of a site, and notes them instead of listening. */
async function compose(site: Site) {
  const elysia = composeSite(site, portOf);
  await elysia.modules;
  const { serve } = Bun;
  const noted: Routes[] = [];
  const note = (routes: Routes) => ({ reload: note, ended: noted.push(routes) });
  Reflect.set(Bun, "serve", note);
  try {
    elysia.listen(0);
  } finally {
    Reflect.set(Bun, "serve", serve);
  }
  await elysia.modules;
  const routes = noted.at(-1);
  if (routes === undefined) throw new Error("Elysia did not ask Bun to listen.");
  return { elysia, routes };
}

/** Routes whose requests are taken by a function before their handlers. */
function withRequests({ fetch, routes }: Routes, take: (request: Request) => Request): Routes {
  const taking =
    (handler: Handler): Handler =>
    (request, server) =>
      handler(take(request), server);
  const takingEach = (atPath: Handler | Record<string, Handler>) =>
    typeof atPath === "function"
      ? taking(atPath)
      : Object.fromEntries(
          Object.entries(atPath).map(([method, handler]) => [method, taking(handler)]),
        );
  return {
    fetch: taking(fetch),
    routes: Object.fromEntries(
      Object.entries(routes).map(([path, atPath]) => [path, takingEach(atPath)]),
    ),
  };
}
