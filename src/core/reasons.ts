/**
 * Refusals that people meet on pages of the server, which tell them in the language of the reader
 * (`src/sign-in/refusal.ts`).
 */
export type ReasonName =
  | "address-alike"
  | "address-disposable"
  | "address-domain"
  | "address-form"
  | "address-plus"
  | "address-taken"
  | "addresses-by-administrators"
  | "links-today"
  | "name-alike"
  | "name-characters"
  | "name-empty"
  | "name-form"
  | "name-long"
  | "name-of-system"
  | "name-taken"
  | "name-unseen"
  | "password-length"
  | "password-now"
  | "requests-today"
  | "server-error"
  | "sign-in-again";

/** A reason with the words and numbers in it, in the order of its text. */
export interface Reason {
  name: ReasonName;
  values: readonly string[];
}
