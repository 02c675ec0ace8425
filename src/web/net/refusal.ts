/** A refusal of the server, or that it could not be reached (status 0). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Seconds after which the server says to ask again. */
    readonly retryAfterSeconds?: number,
    /** All that the server has answered. */
    readonly answer: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }

  /** A refusal as it is; any other error of a request is one that has not reached the server. */
  static of(error: unknown): Refusal {
    return error instanceof Refusal ? error : new Refusal(0, "UNREACHABLE", String(error));
  }
}

const finalCodes = ["BAD_EVENT_QUEUE_ID", "CSRF_FAILED"];

/**
 * Whether asking again would be refused again, because the queue or the session has ended. Any other
 * refusal passes, such as one of a proxy in between while the server is started again.
 */
export const isFinal = ({ status, code }: Refusal): boolean =>
  status === 401 || finalCodes.includes(code);

/** The server's own words of why it has refused something. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const answer: { code?: string; msg?: string } = await response.json().catch(() => ({}));
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new Refusal(
    response.status,
    answer.code ?? "UNKNOWN",
    answer.msg ?? response.statusText,
    Number.isFinite(seconds) ? seconds : undefined,
    answer,
  );
}

/**
 * The body of an answer. One that breaks off, or is no JSON because a network in between has answered
 * with a page of its own, counts as none.
 */
export const bodyOf = (response: Response) =>
  response.json().catch((error: unknown) => {
    throw Refusal.of(error);
  });

/** A header of the server's answer; a page of a network in between does not have it. */
export function headerOf({ headers }: Response, name: string): string {
  const value = headers.get(name);
  if (value === null) throw new Refusal(0, "UNREACHABLE", `The answer has no ${name}.`);
  return value;
}
