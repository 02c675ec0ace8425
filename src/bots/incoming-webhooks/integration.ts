import type { UserRow } from "../../core/context";
import type { Posted } from "./payload";
import type { SignatureScheme } from "./signature";

/** Forms of a message by event; null for an event without a message. */
export type EventForms = Readonly<Record<string, EventForm | null>>;

/** Templates (`parseTemplate`) of a message. */
export interface EventForm {
  topic: string;
  text: string;
  /**
   * Whether only the bot's owner gets the message, wherever the bot posts, because it contains a
   * secret.
   */
  isForOwner?: true;
}

/** The account whose key a service posts with. */
type Poster = Pick<UserRow, "id" | "email" | "fullName">;

/** Facts of the account that a service asks for, by their names on the wire. */
interface Introduction {
  id: number;
  email: string;
  full_name: string;
}

/** A service that posts its events. */
export interface Integration {
  /** The last part of the address that it posts to. */
  readonly name: string;
  /** Title of the service. */
  readonly title: string;
  /** Scheme by which its posts are signed, if they are. */
  readonly signature?: SignatureScheme;
  /** Whether the secret is the public key of the sender, who signs with a private one. */
  readonly signsByKey?: true;
  /**
   * Whether the service escapes the values of its address once more, so that the channel `Soup
   * kitchen` arrives as `Soup%20kitchen`.
   */
  readonly escapesTwice?: true;
  /** The event of a post, the general word before the specific ones: `pull_request:opened`. */
  event(posted: Posted): string;
  /** Names of the event in the addresses that Zulip makes; `event` is the one of this post. */
  zulipNames?(event: string, posted: Posted): string[];
  /** Branches that a post is a push to; empty for other posts. */
  branches?(posted: Posted): string[];
  /** Whether a post is from a private repository. */
  isPrivate?(payload: unknown): boolean;
  /** The answer to a post that asks whose key it is; undefined for other posts. */
  introduce?(posted: Posted, poster: Poster): Introduction | undefined;
  /** Name for the templates of a list that is posted in place of an object. */
  readonly listName?: string;
  /** Adds members to the payload that the templates need. */
  prepare?(payload: object, posted: Posted): object;
  /** By event; one whose specific words are not listed is looked up without them. */
  readonly forms: EventForms;
  /** Names in messages for some words of its payloads. */
  readonly words?: Readonly<Record<string, string>>;
}

/** Joins the words of an event without empty ones. */
export const eventOf = (...words: (string | null)[]) => words.filter((word) => word).join(":");

/** The branch of a Git reference, in a list; empty for a tag. */
export const branchOf = (ref: string): string[] =>
  ref.startsWith("refs/heads/") ? [ref.slice("refs/heads/".length)] : [];

/** Templates for several words at once: `each("issues", ["opened", "closed"], …)`. */
export const each = (
  before: string,
  words: readonly string[],
  form: EventForm | null,
): EventForms => Object.fromEntries(words.map((word) => [eventOf(before, word), form]));
