/**
 * Refusals that people meet in a browser, on pages of the server and in the web client, which tell
 * them in the language of the reader (`src/sign-in/refusal.ts`).
 */
export type ReasonName =
  | "address-alike"
  | "address-disposable"
  | "address-domain"
  | "address-form"
  | "address-plus"
  | "address-taken"
  | "addresses-by-administrators"
  | "administrator-required"
  | "channel-alike"
  | "channel-archived"
  | "channel-create"
  | "channel-exists"
  | "channel-gone"
  | "channel-post"
  | "channel-subscribe"
  | "changes-today"
  | "direct-begin"
  | "direct-off"
  | "edits-off"
  | "file-size"
  | "files-off"
  | "links-today"
  | "mail-off"
  | "mention-group"
  | "message-delete"
  | "message-delete-late"
  | "message-edit"
  | "message-edit-late"
  | "message-empty"
  | "message-gone"
  | "message-move"
  | "message-move-late"
  | "name-alike"
  | "name-characters"
  | "name-empty"
  | "name-form"
  | "name-long"
  | "name-of-system"
  | "name-taken"
  | "name-unseen"
  | "owner-required"
  | "password-length"
  | "password-now"
  | "person-inactive"
  | "requests-today"
  | "search-long"
  | "server-error"
  | "sign-in-again"
  | "topic-begin"
  | "topic-required"
  | "topic-unseen"
  | "topicless"
  | "widget-edit";

/** A reason with the words and numbers in it, in the order of its text. */
export interface Reason {
  name: ReasonName;
  values: readonly string[];
}
