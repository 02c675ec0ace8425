import type { Page, Request } from "playwright-core";

/** Requests of some pages that wait for their answers, of those that begin from now on. */
export function requestsUnderWay(
  pages: readonly Page[],
  isMeant: (request: Request) => boolean,
): ReadonlySet<Request> {
  const waiting = new Set<Request>();
  for (const page of pages) {
    page.on("request", (request) => {
      if (isMeant(request)) waiting.add(request);
    });
    page.on("requestfinished", (request) => waiting.delete(request));
    page.on("requestfailed", (request) => waiting.delete(request));
    page.on("close", () => {
      for (const request of waiting) if (request.frame().page() === page) waiting.delete(request);
    });
  }
  return waiting;
}
