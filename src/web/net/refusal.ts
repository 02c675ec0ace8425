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

  /** A refusal as it is; any other error of a request is one that has not reached the server. */
  static of(error: unknown): Refusal {
    return error instanceof Refusal ? error : new Refusal(0, "UNREACHABLE", String(error));
  }
}

/** The server's own words of why it has refused something. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const answer: { code?: string; msg?: string } = await response.json().catch(() => ({}));
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new Refusal(
    response.status,
    answer.code ?? "UNKNOWN",
    answer.msg ?? response.statusText,
    Number.isFinite(seconds) ? seconds : undefined,
  );
}
