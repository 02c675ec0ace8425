/**
 * The parts of a server's refusal that decide what to do next. The status is 0 if no answer came.
 */
export interface Refused {
  readonly status: number;
  readonly code: string;
  /** A text for people. */
  readonly message: string;
}
