import { type Endpoint, type Method, methods } from "../core/endpoint";
import { ApiError, badRequest, notFound } from "../core/errors";
import { once } from "../core/once";
import type { ElysiaApp, NoteRequest, RouteContext, Routed } from "./elysia";
import { refusalPage } from "./refusal-page";
import { allowedMethods, errorResponse, methodNotAllowed } from "./respond";

type AnswerEndpoint = (endpoint: Endpoint, routed: Routed) => Promise<Response>;

/**
 * Mounts endpoints, whose paths are below a prefix, as routes. HEAD works like GET, unless an
 * endpoint has HEAD itself.
 */
export function mountEndpoints(
  elysia: ElysiaApp,
  endpoints: Endpoint[],
  below: string,
  answer: AnswerEndpoint,
  note: NoteRequest,
): void {
  const byPath = Map.groupBy(endpoints, (endpoint) => below + pathForElysia(endpoint));
  const places = [...byPath].map(([path, atPath]) => placeOf(path, atPath));
  for (const [path, atPath] of byPath) {
    const hasHead = atPath.some(({ method }) => method === "HEAD");
    const routes = atPath.flatMap((endpoint) => {
      const taken = once(() => placesTakenFrom(path, endpoint.method, places));
      const run = runnerOf(endpoint, taken, answer);
      const methodsToo: Method[] =
        endpoint.method === "GET" && !hasHead ? ["GET", "HEAD"] : [endpoint.method];
      return methodsToo.map((method): Route => ({ method, declared: below + endpoint.path, run }));
    });
    if (path.endsWith("*")) mountRestOfPath(elysia, path, routes, note);
    else for (const route of routes) mountRoute(elysia, path, route, note);
  }
}

interface Route {
  method: Method;
  /** The path as its endpoint declares it. */
  declared: string;
  run(asked: Routed, params: RouteContext["params"]): Promise<Response>;
}

/**
 * Makes a route. The word `async` tells Elysia to wait for an answer and to catch its errors.
 * Elysia parses headers, query and cookies if it sees that a context is passed on, and the query
 * also if it sees `return context`, which a minifier produces from a lone assignment.
 */
function mountRoute(
  elysia: ElysiaApp,
  path: string,
  { method, declared, run }: Route,
  note: NoteRequest,
) {
  const handler = async (context: RouteContext): Promise<Response> => {
    context.asked = note(context.request, declared);
    const { asked, params } = context;
    return run(asked, params);
  };
  elysia.route(method, path, handler, { parse: "none" });
}

/**
 * Makes one route for all methods of a path that ends with the rest of a path, because otherwise
 * Elysia would answer HEAD there with the remaining length of the body that GET answers.
 */
function mountRestOfPath(elysia: ElysiaApp, path: string, routes: Route[], note: NoteRequest) {
  const allowed = methodsOf(routes.map(({ method }) => method));
  const handler = async (context: RouteContext): Promise<Response> => {
    const { request } = context;
    const route = routes.find(({ method }) => method === request.method);
    if (!route) return withoutMethod(allowed, note(request, undefined));
    context.asked = note(request, route.declared);
    const { asked, params } = context;
    return route.run(asked, params);
  };
  elysia.all(path, handler, { parse: "none" });
}

/** Mounts the answer to requests without a route: 405 with the methods of the path, or 404. */
export function mountRest(elysia: ElysiaApp, note: NoteRequest): void {
  elysia.all(
    "/*",
    ({ request }: RouteContext) => withoutEndpoint(elysia, note(request, undefined)),
    { parse: "none" },
  );
}

/**
 * The path of an endpoint in Elysia's form. Its routers need one name for all parameters at one
 * position, so parameters are named by their number: `/users/{user_id}/presence` is
 * `/users/:p1/presence`.
 */
function pathForElysia({ path, takesRest }: Endpoint): string {
  let count = 0;
  const named = path.replace(/\{\w+\}/g, () => `:p${++count}`);
  return takesRest ? named.replace(/:p\d+$/, "*") : named;
}

function runnerOf(
  endpoint: Endpoint,
  takenPlaces: () => TakenPlace[],
  answer: AnswerEndpoint,
): Route["run"] {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  if (names.length === 0) return (asked) => answer(endpoint, asked);
  return async (asked, params) => {
    const path = pathOf(asked.request.url);
    const taken = takenPlaces();
    const parts = taken.length > 0 ? path.split("/") : [];
    const place = taken.find(({ words }) => words.every(([index, word]) => parts[index] === word));
    if (place) return withoutMethod(place.allowed, asked);
    asked.pathParameters = pathParameters(names, params, path);
    return answer(endpoint, asked);
  };
}

/** Elysia passes on the rest of a path undecoded, and Bun replaces malformed characters in it. */
function pathParameters(
  names: string[],
  params: RouteContext["params"],
  path: string,
): Record<string, string> {
  if (path.includes("%")) decodePart(path);
  const { "*": rest } = params;
  if (rest === "" || rest?.startsWith("/")) throw notFound(`There is nothing at ${path}.`);
  return Object.fromEntries(
    names.map((name, index) => [name, params[`p${index + 1}`] ?? decodePart(rest ?? "")]),
  );
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest(
      "The path is not valid: a % must be followed by two hexadecimal digits of UTF-8.",
    );
  }
}

/** A path with its methods. */
interface Place {
  parts: string[];
  allowed: Method[];
}

const placeOf = (path: string, endpoints: Endpoint[]): Place => ({
  parts: path.split("/"),
  allowed: methodsOf(endpoints.map(({ method }) => method)),
});

/** A path with words at positions where another path has parameters. */
interface TakenPlace {
  words: [index: number, word: string][];
  allowed: Method[];
}

/**
 * Paths that would get a request for a path with parameters, because they lack its method. PATCH of
 * `/users/me` is refused, so that `me` is not taken for the ID of a user.
 */
function placesTakenFrom(path: string, method: Method, places: readonly Place[]): TakenPlace[] {
  if (!path.includes(":")) return [];
  const parts = path.split("/");
  return places.flatMap(({ parts: other, allowed }) => {
    const words = allowed.includes(method) ? undefined : wordsFor(parts, other);
    return words ? [{ words, allowed }] : [];
  });
}

/**
 * The words of a path that decide which of two paths a request is for, if the first difference is a
 * word instead of a parameter; undefined if no request could be for both.
 */
function wordsFor(path: string[], other: string[]): TakenPlace["words"] | undefined {
  if (path.length !== other.length || path.includes("*") || other.includes("*")) return undefined;
  const words: TakenPlace["words"] = [];
  for (const [index, part] of path.entries()) {
    const otherPart = other[index] ?? "";
    const [isParameter, isWord] = [part.startsWith(":"), !otherPart.startsWith(":")];
    if (part !== otherPart && !isParameter && isWord) return undefined;
    if (isParameter && isWord) words.push([index, otherPart]);
    else if (!isParameter && !isWord && words.length === 0) return undefined;
  }
  return words.length > 0 ? words : undefined;
}

const methodsOf = (declared: readonly string[]): Method[] =>
  methods.filter(
    (method) => declared.includes(method) || (method === "HEAD" && declared.includes("GET")),
  );

function withoutEndpoint(elysia: ElysiaApp, asked: Routed): Response {
  const { request, requestId } = asked;
  const path = pathOf(request.url);
  const allowed = methodsAt(elysia, path);
  if (allowed.length > 0) return withoutMethod(allowed, asked);
  const refusal = notFound(`There is nothing at ${path}.`);
  return refusalPage(refusal, asked) ?? errorResponse(refusal, requestId);
}

function withoutMethod(allowed: Method[], asked: Routed): Response {
  const { request, requestId } = asked;
  const isAsking = request.method === "OPTIONS";
  return isAsking ? allowedMethods(allowed, requestId) : refusedMethod(allowed, asked);
}

/** The refusal of a method, with the methods of the path. */
function refusedMethod(allowed: Method[], asked: Routed): Response {
  const message = `Method not allowed: use ${allowed.join(" or ")}.`;
  const refusal = new ApiError("BAD_REQUEST", message, 405, { allowed_methods: allowed });
  const response = refusalPage(refusal, asked) ?? methodNotAllowed(refusal, asked.requestId);
  response.headers.set("allow", allowed.join(", "));
  return response;
}

/**
 * The methods at a path. If several declared paths match it, the one with the fewest parameters is
 * used.
 */
function methodsAt({ router }: ElysiaApp, path: string): Method[] {
  const atWords = router.static[path];
  if (atWords) return methodsOf(Object.keys(atWords));
  const found = methods.flatMap((method) => {
    const match = router.http.find(method, path);
    return match ? [{ method, parameterCount: Object.keys(match.params).length }] : [];
  });
  const fewest = Math.min(...found.map(({ parameterCount }) => parameterCount));
  return found
    .filter(({ parameterCount }) => parameterCount === fewest)
    .map(({ method }) => method);
}

/** The path of an address with a scheme and a host. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}
