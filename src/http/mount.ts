import type { Endpoint, Method } from "../core/endpoint";
import { ApiError, badRequest, notFound } from "../core/errors";
import { once } from "../core/once";
import type { ElysiaApp, NoteRequest, RouteContext, Routed } from "./elysia";
import { refusalPage } from "./refusal-page";
import { allowedMethods, errorResponse, methodNotAllowed } from "./respond";

export type AnswerEndpoint = (endpoint: Endpoint, routed: Routed) => Promise<Response>;

/** The methods of places, in the order in which `Allow` names them. */
const methods: readonly Method[] = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"];

/**
 * Mounts endpoints, whose paths stand below a prefix, as routes. GET is HEAD too, except where HEAD
 * is an endpoint itself.
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
 * Elysia sees by the word `async` that it has to wait for an answer, and to catch its errors. It
 * parses headers, query and cookies where it sees a context that is handed on, and a query also
 * where it sees `return context`, which a minifier writes where an assignment stands alone.
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
 * One route for all methods of a place that takes the rest of a path, because Elysia would answer
 * HEAD there with the length of what is left of the body that GET answers.
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

/**
 * Mounts the answer to requests that no route takes: another method is refused with those of the
 * place, else nothing is there.
 */
export function mountRest(elysia: ElysiaApp, note: NoteRequest): void {
  elysia.all(
    "/*",
    ({ request }: RouteContext) => withoutEndpoint(elysia, note(request, undefined)),
    { parse: "none" },
  );
}

/**
 * The path of an endpoint in Elysia's form. Its routers want one name for all parameters of one
 * place in paths, so that they are named by their number: `/users/{user_id}/presence` is
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

/** A path with the methods that can be asked there. */
interface Place {
  parts: string[];
  allowed: Method[];
}

const placeOf = (path: string, endpoints: Endpoint[]): Place => ({
  parts: path.split("/"),
  allowed: methodsOf(endpoints.map(({ method }) => method)),
});

/** A place whose words stand where another one has parameters. */
interface TakenPlace {
  words: [index: number, word: string][];
  allowed: Method[];
}

/**
 * Places that would take a request from a path with parameters, because they lack its method. PATCH
 * of `/users/me` is refused, so that `me` is not taken for the ID of a user.
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
 * The words of a path by which requests belong to another one, whose first difference is a word in
 * place of a parameter; undefined where no request could be meant for both.
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

/** The refusal of a method, with those of the place. */
function refusedMethod(allowed: Method[], asked: Routed): Response {
  const message = `Method not allowed: use ${allowed.join(" or ")}.`;
  const refusal = new ApiError("BAD_REQUEST", message, 405, { allowed_methods: allowed });
  const response = refusalPage(refusal, asked) ?? methodNotAllowed(refusal, asked.requestId);
  response.headers.set("allow", allowed.join(", "));
  return response;
}

/**
 * The methods of the place at a path. If several places match the path, the one with the fewest
 * parameters is used.
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

/** The path of an address that begins with a scheme and a host. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}
