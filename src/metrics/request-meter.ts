import { methods } from "../core/endpoint";
import type { Answered, TrafficWatch } from "../http/traffic";
import type { Exposition } from "./exposition";
import { Histogram, requestSeconds } from "./histogram";

/** Route of requests to an unknown path. */
const nowhere = "(none)";
const methodNames: ReadonlySet<string> = new Set(methods);

/** Requests with one method to one route. */
interface Way {
  byStatus: Map<number, number>;
  seconds: Histogram;
}

/**
 * Counts requests, with one counter and one step of a histogram each. Their routes are the declared
 * ones, so that their number is limited.
 */
export class RequestMeter implements TrafficWatch {
  private inProgress = 0;
  private readonly ways = new Map<string, Map<string, Way>>();

  arrived() {
    this.inProgress += 1;
  }

  answered({ request, asked, response, milliseconds }: Answered) {
    this.inProgress -= 1;
    const { byStatus, seconds } = this.wayOf(asked?.route ?? nowhere, request.method);
    const status = response?.status ?? 0;
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    seconds.observe(milliseconds / 1_000);
  }

  addTo(page: Exposition) {
    page.add("chatd_http_requests_in_progress", this.inProgress);
    for (const [route, byMethod] of this.ways) {
      for (const [method, { byStatus, seconds }] of byMethod) {
        page.addHistogram("chatd_http_request_duration_seconds", seconds, { method, route });
        for (const [status, count] of byStatus)
          page.add("chatd_http_requests_total", count, { method, route, status: String(status) });
      }
    }
  }

  private wayOf(route: string, method: string): Way {
    const name = methodNames.has(method) ? method : "other";
    const existing = this.ways.get(route)?.get(name);
    if (existing) return existing;
    const byMethod = this.ways.get(route) ?? new Map<string, Way>();
    const way = { byStatus: new Map<number, number>(), seconds: new Histogram(requestSeconds) };
    this.ways.set(route, byMethod.set(name, way));
    return way;
  }
}
