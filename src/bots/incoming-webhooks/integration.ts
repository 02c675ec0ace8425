import type { Posted } from "./payload";
import type { SignatureScheme } from "./signature";

/** What is said of an event; null for one of which nothing is to be said. */
export type EventForms = Readonly<Record<string, EventForm | null>>;

/** Templates (`parseTemplate`) of a message. */
export interface EventForm {
  topic: string;
  text: string;
}

/** A service that posts what happens there. */
export interface Integration {
  /** The last part of the address that it posts to. */
  readonly name: string;
  /** What it is called. */
  readonly title: string;
  /** How its posts are signed, if it signs them. */
  readonly signature?: SignatureScheme;
  /**
   * The event that was posted, the general word before the particular ones: `pull_request:opened`.
   */
  event(posted: Posted): string;
  /** What the payload has to have for the templates beside what it has. */
  prepare?(payload: object): object;
  /** By event; one whose particular words are not listed is looked up without them. */
  readonly forms: EventForms;
  /** What some words of its payloads are called in messages. */
  readonly words?: Readonly<Record<string, string>>;
}

/** Joins the words of an event; what is empty is left out. */
export const eventOf = (...words: (string | null)[]) => words.filter((word) => word).join(":");

/** The same templates for several words: `each("issues", ["opened", "closed"], …)`. */
export const each = (
  before: string,
  words: readonly string[],
  form: EventForm | null,
): EventForms => Object.fromEntries(words.map((word) => [eventOf(before, word), form]));
