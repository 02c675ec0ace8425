import { recipientKey, recipientOf, type Target } from "./recipient";

/** A text that is not sent yet, as the browser keeps it. */
export interface LocalDraft {
  /** The conversation's key, or `new` with the channel's id where none is chosen yet. */
  readonly key: string;
  readonly target: Target;
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** The id that the server keeps it under. */
  readonly serverId?: number;
}

/** The key of a draft for a target: each conversation has one text. */
export function draftKey(target: Target, me: number): string {
  const recipient = recipientOf(target);
  return recipient ? recipientKey(recipient, me) : "new";
}
