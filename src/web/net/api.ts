import type { AnswerTo, ApiPath, ArrivingEvent } from "../../api-types";

/** A refusal of the server, or that it could not be reached (status 0). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Seconds after which the server says to ask again. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

export type Parameters = Readonly<Record<string, string | number | boolean | readonly unknown[]>>;

/** Reads something by the API, in the session of the page. Throws a `Refusal`. */
export async function read<Path extends ApiPath<"GET">>(
  path: Path,
  parameters: Parameters = {},
): Promise<AnswerTo<"GET", Path>> {
  const answer: AnswerTo<"GET", Path> = await (await get(path, parameters)).json();
  return answer;
}

/** Waits for the events of a queue after one of them. Throws a `Refusal`. */
export async function readEvents(
  queueId: string,
  lastEventId: number,
  signal: AbortSignal,
): Promise<readonly ArrivingEvent[]> {
  const asked = { queue_id: queueId, last_event_id: lastEventId };
  const { events }: { events: readonly ArrivingEvent[] } = await (
    await get("/events", asked, signal)
  ).json();
  return events;
}

async function get(
  path: ApiPath<"GET">,
  parameters: Parameters,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, wireValue(value)]),
  );
  const response = await fetch(`/api/v1${path}?${query}`, { signal }).catch((error: unknown) => {
    throw new Refusal(0, "UNREACHABLE", String(error));
  });
  if (!response.ok) throw await refusalOf(response);
  return response;
}

const wireValue = (value: Parameters[string]): string =>
  typeof value === "string" ? value : JSON.stringify(value);

async function refusalOf(response: Response): Promise<Refusal> {
  const answer: { code?: string; msg?: string } = await response.json().catch(() => ({}));
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new Refusal(
    response.status,
    answer.code ?? "UNKNOWN",
    answer.msg ?? response.statusText,
    Number.isFinite(seconds) ? seconds : undefined,
  );
}
