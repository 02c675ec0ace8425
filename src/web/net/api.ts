import type { AnswerTo, ApiPath, ArrivingEvent } from "../../api-types";
import { noteBuild } from "./build";
import { csrfToken, forgetCsrfToken } from "./csrf-token";
import { bodyOf, Refusal, refusalOf } from "./refusal";
import { changeMilliseconds, timeLimit } from "./time-limit";

export { Refusal } from "./refusal";

export type Parameters = Readonly<Record<string, string | number | boolean | readonly unknown[]>>;

/**
 * Reads something through the API, in the page's session. Parameters that the path has in braces
 * are put into it. Throws a `Refusal`, also if the answer takes too long.
 */
export async function read<Path extends ApiPath<"GET">>(
  path: Path,
  parameters: Parameters = {},
  signal: AbortSignal | null = null,
): Promise<AnswerTo<"GET", Path>> {
  const answer: AnswerTo<"GET", Path> = await bodyOf(
    await get(path, parameters, timeLimit(signal)),
  );
  return answer;
}

/** A message that the person may read; its topic is "" if it has none. Throws a `Refusal`. */
export const readMessage = (id: number) =>
  read("/messages/{message_id}", { message_id: id, allow_empty_topic_name: true });

/**
 * Waits for the events of a queue after a given one. If the request is not held, returns the events
 * that exist already. Throws a `Refusal`.
 */
export async function readEvents(
  queueId: string,
  lastEventId: number,
  { signal, isHeld = true }: { signal: AbortSignal; isHeld?: boolean },
): Promise<readonly ArrivingEvent[]> {
  const asked = { queue_id: queueId, last_event_id: lastEventId, dont_block: !isHeld };
  const answer = await get("/events", asked, isHeld ? signal : timeLimit(signal));
  const { events }: { events: readonly ArrivingEvent[] } = await bodyOf(answer);
  return events;
}

/**
 * Creates something through the API, in the page's session. Throws a `Refusal`; its status is 401
 * if the session has ended.
 */
export async function post<Path extends ApiPath<"POST">>(
  path: Path,
  parameters: Parameters = {},
  signal: AbortSignal | null = null,
): Promise<AnswerTo<"POST", Path>> {
  const answer: AnswerTo<"POST", Path> = await bodyOf(
    await write("POST", path, parameters, signal),
  );
  return answer;
}

/**
 * Changes something, otherwise like `post`: `patch("/messages/{message_id}", { message_id: 7,
 * content })`.
 */
export async function patch<Path extends ApiPath<"PATCH">>(
  path: Path,
  parameters: Parameters = {},
): Promise<AnswerTo<"PATCH", Path>> {
  const answer: AnswerTo<"PATCH", Path> = await bodyOf(await write("PATCH", path, parameters));
  return answer;
}

/** Replaces something, otherwise like `post`. */
export async function put<Path extends ApiPath<"PUT">>(
  path: Path,
  parameters: Parameters = {},
): Promise<AnswerTo<"PUT", Path>> {
  const answer: AnswerTo<"PUT", Path> = await bodyOf(await write("PUT", path, parameters));
  return answer;
}

/** Deletes something, otherwise like `post`. */
export async function remove<Path extends ApiPath<"DELETE">>(
  path: Path,
  parameters: Parameters = {},
): Promise<AnswerTo<"DELETE", Path>> {
  const answer: AnswerTo<"DELETE", Path> = await bodyOf(await write("DELETE", path, parameters));
  return answer;
}

function write(
  method: "POST" | "PATCH" | "PUT" | "DELETE",
  path: string,
  parameters: Parameters,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const { address, form } = addressed(path, parameters);
  const limit = timeLimit(signal, changeMilliseconds);
  return signed((headers) => fetch(address, { method, body: form, headers, signal: limit }));
}

/**
 * Sends a request with the session's CSRF token. If the token belongs to an earlier session, the
 * request is sent once more with a new one.
 */
export async function signed(
  send: (headers: Readonly<Record<string, string>>) => Promise<Response>,
): Promise<Response> {
  const once = async () => {
    const headers = { "x-csrftoken": await csrfToken() };
    const response = await send(headers).catch((error: unknown) => {
      throw Refusal.of(error);
    });
    return accepted(response);
  };
  return once().catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== "CSRF_FAILED") throw error;
    forgetCsrfToken();
    return once();
  });
}

async function get(
  path: ApiPath<"GET">,
  parameters: Parameters,
  signal: AbortSignal | null,
): Promise<Response> {
  const { address, form } = addressed(path, parameters);
  const response = await fetch(`${address}?${form}`, { signal }).catch((error: unknown) => {
    throw Refusal.of(error);
  });
  return accepted(response);
}

async function accepted(response: Response): Promise<Response> {
  noteBuild(response);
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** The address of a path with its parameters filled in, and the other parameters as a form. */
function addressed(path: string, parameters: Parameters) {
  const form = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, wireValue(value)]),
  );
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = form.get(name) ?? "";
    form.delete(name);
    return encodeURIComponent(value);
  });
  return { address: `/api/v1${filled}`, form };
}

const wireValue = (value: Parameters[string]): string =>
  typeof value === "string" ? value : JSON.stringify(value);
