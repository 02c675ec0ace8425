/** A refusal of the server as far as what follows depends on it; status 0 where none has come. */
export interface Refused {
  readonly status: number;
  readonly code: string;
  /** Words for people. */
  readonly message: string;
}
