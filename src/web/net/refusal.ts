/** A refusal by the server, or a request that did not reach it (status 0). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Seconds after which to try again, according to the server. */
    readonly retryAfterSeconds?: number,
    /** The server's whole answer. */
    readonly answer: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }

  /**
   * Returns a refusal unchanged. Any other error of a request means that the server was not
   * reached.
   */
  static of(error: unknown): Refusal {
    return error instanceof Refusal ? error : new Refusal(0, "UNREACHABLE", String(error));
  }
}

/** Takes no notice of a refusal. Errors that are not refusals are thrown again. */
export function passRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

/** A refusal by the client, which is told like one by the server. */
export const refusedHere = (text: string): Refusal => new Refusal(400, "BAD_REQUEST", text);

const finalCodes = ["BAD_EVENT_QUEUE_ID", "CSRF_FAILED"];

/**
 * Whether trying again would be refused again, because the queue or the session has ended. Any
 * other refusal is temporary, such as that of a proxy while the server restarts.
 */
export const isFinal = ({ status, code }: Refusal): boolean =>
  status === 401 || finalCodes.includes(code);

/** The refusal in an answer, with the server's own text. */
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
 * The JSON body of an answer; empty if the answer broke off, or is not JSON, because a network in
 * between has answered with a page of its own.
 */
export const bodyOf = (response: Response) =>
  response.json().catch((error: unknown) => {
    throw Refusal.of(error);
  });

/** A header of the server's answer. The page of a network in between does not have it. */
export function headerOf({ headers }: Response, name: string): string {
  const value = headers.get(name);
  if (value === null) throw new Refusal(0, "UNREACHABLE", `The answer has no ${name}.`);
  return value;
}
