import type { Port } from "../../src/http/port";
import { composeSite, type OpenPort } from "../../src/http/serve";

/*
 * To compose the routes of a server takes longer than to open its data, and a process of the tests
 * has thousands of servers. They all listen with one app of Elysia, each at a port of its own: what
 * a request meets is decided by the port that it came in by.
 */

// Elysia collects garbage whenever it composes an app.
Bun.gc = () => 0;

type Handler = (request: Request, server: object) => Response | Promise<Response>;

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

const portsOfServers = new WeakMap<object, Port>();

const composed = new WeakMap<Site, ReturnType<typeof compose>>();

/** Opens a port with routes that are composed once in a process. */
export const openPortWithSharedRoutes: OpenPort = async (site, port, options) => {
  const once = composed.get(site) ?? compose(site);
  composed.set(site, once);
  const { elysia, routes } = await once;
  const server = Bun.serve({ ...options, ...routes });
  portsOfServers.set(server, port);
  return {
    elysia: {
      handle(request) {
        ports.set(request, port);
        return elysia.handle(request);
      },
    },
    server,
  };
};

/** Composes the routes of a site, and notes them instead of listening. */
async function compose(site: Site) {
  const elysia = await composeSite(site, portOf);
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
  return { elysia, routes: noting(routes) };
}

/** Routes that note the port of each request before they handle it. */
function noting({ fetch, routes }: Routes): Routes {
  const notingOne =
    (handler: Handler): Handler =>
    (request, server) => {
      const port = portsOfServers.get(server);
      if (port !== undefined) ports.set(request, port);
      return handler(request, server);
    };
  const notingEach = (atPath: Handler | Record<string, Handler>) =>
    typeof atPath === "function"
      ? notingOne(atPath)
      : Object.fromEntries(
          Object.entries(atPath).map(([method, handler]) => [method, notingOne(handler)]),
        );
  return {
    fetch: notingOne(fetch),
    routes: Object.fromEntries(
      Object.entries(routes).map(([path, atPath]) => [path, notingEach(atPath)]),
    ),
  };
}
