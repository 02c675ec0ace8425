import type { ApiError } from "../core/errors";

interface Asked {
  request: Request;
  requestId: string;
  route: string | undefined;
}

/**
 * Redirects a person's browser to the login page, and back from there, if it opens something
 * outside the API that needs a sign-in: the chat, or a link to a file. Undefined for programs, and
 * for all other refusals.
 */
export function signInFirst(
  { status }: ApiError,
  { request, requestId, route }: Asked,
): Response | undefined {
  const { headers, method, url } = request;
  if (status !== 401 || method !== "GET" || route === undefined || /^\/(?:api|json)\//.test(route))
    return undefined;
  const isForPeople = route === "/" || headers.get("accept")?.includes("text/html");
  if (headers.has("authorization") || !isForPeople) return undefined;
  const { pathname, search } = new URL(url);
  return new Response(null, {
    status: 303,
    headers: {
      location: `/login?next=${encodeURIComponent(pathname + search)}`,
      "cache-control": "no-store",
      "x-request-id": requestId,
    },
  });
}
