import { badRequest, notFound } from "../core/errors";
import type { ElysiaApp, RouteContext, Routed } from "./elysia";
import type { Endpoint, Method } from "./endpoint";
import { allowedMethods, errorResponse, hangUpOnUnread, methodNotAllowed } from "./respond";

export type AnswerEndpoint = (endpoint: Endpoint, routed: Routed) => Promise<Response>;

/** The methods of places, in the order in which `Allow` names them. */
const methods: readonly Method[] = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"];

/** Mounts endpoints, whose paths stand below a prefix, as routes. GET is HEAD too, except where HEAD is an endpoint itself. */
export function mountEndpoints(elysia: ElysiaApp, endpoints: Endpoint[], below: string, answer: AnswerEndpoint): void {
  const places = Map.groupBy(endpoints, (endpoint) => below + pathForElysia(endpoint));
  for (const [path, own] of places) {
    const hasHead = own.some(({ method }) => method === "HEAD");
    const routes = own.flatMap((endpoint) => {
      const handler = handlerOf(endpoint, below, placesTakenFrom(path, endpoint.method, places), answer);
      const methodsToo: Method[] = endpoint.method === "GET" && !hasHead ? ["GET", "HEAD"] : [endpoint.method];
      return methodsToo.map((method) => ({ method, handler }));
    });
    if (path.endsWith("*")) elysia.all(path, byMethod(routes), { parse: "none" });
    else for (const { method, handler } of routes) elysia.route(method, path, handler, { parse: "none" });
  }
}

interface Route {
  method: Method;
  handler(context: RouteContext): Promise<Response>;
}

/**
 * One route for all methods of a place that takes the rest of a path, because Elysia would answer HEAD there with the length
 * of what is left of the body that GET answers.
 */
function byMethod(routes: Route[]) {
  const allowed = methodsOf(routes.map(({ method }) => method));
  return async (context: RouteContext): Promise<Response> => {
    const { request } = context;
    const route = routes.find(({ method }) => method === request.method);
    return route ? route.handler(context) : withoutMethod(allowed, request);
  };
}

/** Mounts the answer to requests that no route takes: another method is refused with those of the place, else nothing is there. */
export function mountRest(elysia: ElysiaApp): void {
  const answer = ({ request }: RouteContext) => hangUpOnUnread(request, withoutEndpoint(elysia, request));
  elysia.all("/*", answer, { parse: "none" });
}

/**
 * The path of an endpoint in Elysia's form. Its routers want one name for all parameters of one place in paths, so that they
 * are named by their number: `/users/{user_id}/presence` is `/users/:p1/presence`.
 */
function pathForElysia({ path, takesRest }: Endpoint): string {
  let count = 0;
  const named = path.replace(/\{\w+\}/g, () => `:p${++count}`);
  return takesRest ? named.replace(/:p\d+$/, "*") : named;
}

function handlerOf(endpoint: Endpoint, below: string, taken: TakenPlace[], answer: AnswerEndpoint) {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const route = below + endpoint.path;
  // Elysia sees by the word `async` that it has to wait for the answer, and to catch its errors.
  return async (context: RouteContext): Promise<Response> => {
    const { request, params } = context;
    const requestId = crypto.randomUUID();
    const asked: Routed = { request, requestId, route, standing: undefined, pathParameters: noParameters };
    context.asked = asked;
    if (names.length === 0) return answer(endpoint, asked);
    const place = taken.find(({ words }) => words.every(([name, word]) => params[name] === word));
    if (place) return hangUpOnUnread(request, methodNotAllowed(place.allowed, asked.requestId));
    asked.pathParameters = pathParameters(names, params, request);
    return answer(endpoint, asked);
  };
}

const noParameters = {};

/** Elysia leaves what stands for all the rest of a path as it is, and Bun replaces what is malformed. */
function pathParameters(names: string[], params: RouteContext["params"], request: Request): Record<string, string> {
  const path = pathOf(request.url);
  if (path.includes("%")) decodePart(path);
  const { "*": rest } = params;
  if (rest === "" || rest?.startsWith("/")) throw notFound(`There is nothing at ${path}.`);
  return Object.fromEntries(names.map((name, index) => [name, params[`p${index + 1}`] ?? decodePart(rest ?? "")]));
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest("The path is not valid: a % must be followed by two hexadecimal digits of UTF-8.");
  }
}

/** A place whose words stand where another one has parameters. */
interface TakenPlace {
  words: [parameter: string, word: string][];
  allowed: Method[];
}

/**
 * Places that a path with parameters would take a request from, because they do not have its method: PATCH of `/users/me` is
 * refused, and `me` is not taken for the id of a user.
 */
function placesTakenFrom(path: string, method: Method, places: ReadonlyMap<string, Endpoint[]>): TakenPlace[] {
  return [...places].flatMap(([other, own]) => {
    const words = wordsFor(path.split("/"), other.split("/"));
    const allowed = methodsOf(own.map((endpoint) => endpoint.method));
    return words && !allowed.includes(method) ? [{ words, allowed }] : [];
  });
}

/** The words of one path in place of parameters of another one; undefined where they differ in more than these. */
function wordsFor(path: string[], other: string[]): TakenPlace["words"] | undefined {
  if (path.length !== other.length) return undefined;
  const words: TakenPlace["words"] = [];
  for (const [index, part] of path.entries()) {
    const word = other[index] ?? "";
    const [isParameter, isWord] = [part.startsWith(":"), !/^[:*]/.test(word)];
    if (word === part || (isParameter && !isWord)) continue;
    if (!isParameter) return undefined;
    words.push([part.slice(1), word]);
  }
  return words.length > 0 ? words : undefined;
}

const methodsOf = (own: readonly string[]): Method[] =>
  methods.filter((method) => own.includes(method) || (method === "HEAD" && own.includes("GET")));

function withoutEndpoint(elysia: ElysiaApp, request: Request): Response {
  const path = pathOf(request.url);
  const allowed = methodsAt(elysia, path);
  if (allowed.length > 0) return withoutMethod(allowed, request);
  return errorResponse(notFound(`There is nothing at ${path}.`), crypto.randomUUID());
}

function withoutMethod(allowed: Method[], request: Request): Response {
  const requestId = crypto.randomUUID();
  const isAsking = request.method === "OPTIONS";
  return isAsking ? allowedMethods(allowed, requestId) : hangUpOnUnread(request, methodNotAllowed(allowed, requestId));
}

function methodsAt({ router }: ElysiaApp, path: string): Method[] {
  const atWords = router.static[path];
  if (atWords) return methodsOf(Object.keys(atWords));
  return methods.filter((method) => router.http.find(method, path) !== null);
}

/** The path of an address that begins with a scheme and a host. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}
