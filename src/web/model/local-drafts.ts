import type { Drafts } from "./drafts";
import { recipientKey, recipientOf, type Target } from "./recipient";
import type { Draft } from "./wire";

/** A text that was not sent yet, as the browser stores it. */
export interface LocalDraft {
  /** The key of its conversation, or a word beginning with `new` if none is chosen yet. */
  readonly key: string;
  readonly target: Target;
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** The id of its draft on the server. */
  readonly serverId?: number | undefined;
  /** Whether the server has this version of it. */
  readonly isStored?: boolean | undefined;
}

type LocalDrafts = ReadonlyMap<string, LocalDraft>;

/** The key of a text for a target. Each conversation has one text. */
export function draftKey(target: Target, me: number): string {
  const recipient = recipientOf(target);
  return recipient ? recipientKey(recipient, me) : newKey(target);
}

/** The key of a text whose conversation is not chosen yet. */
export const newKey = (target: Target): string =>
  target.kind === "topic" ? `new ${target.channelId ?? ""}` : "new direct";

/**
 * The key under which a text is stored when its box is left. If its recipient was changed
 * meanwhile, it gets the key of the new one, because under the old key it would be sent to the
 * wrong people.
 */
export function keyWhenLeft({ key, target }: LocalDraft, me: number): string {
  if (/^(new|stored) /.test(key)) return key;
  const isOpen =
    target.kind === "topic" && target.topic.trim() === "" && key !== draftKey(target, me);
  return isOpen ? newKey(target) : draftKey(target, me);
}

/** The recipients of a draft, as the server has them. */
type WireRecipients = Pick<Draft, "type" | "topic"> & { readonly to: readonly number[] };

/** The target of a draft of the server. */
export function targetOf({ type, to, topic }: WireRecipients): Target {
  if (type === "private") return { kind: "direct", userIds: to };
  return { kind: "topic", channelId: type === "stream" ? to[0] : undefined, topic };
}

/** A draft in the form that the server accepts. */
export function wireDraft({ target, content, changedAt }: LocalDraft) {
  const recipient = recipientOf(target);
  const timestamp = Math.floor(changedAt / 1_000);
  if (!recipient) return { type: "", to: [], topic: "", content, timestamp };
  return recipient.kind === "topic"
    ? { type: "stream", to: [recipient.channelId], topic: recipient.topic, content, timestamp }
    : { type: "private", to: recipient.userIds, topic: "", content, timestamp };
}

/**
 * The key under which a text would come back from the server. It differs from the key of a text
 * without a chosen conversation, because the server does not store for which box such a text is.
 */
export const serverKey = (row: LocalDraft, me: number): string =>
  draftKey(targetOf(wireDraft(row)), me);

/** Whether a text that the browser removes comes back from the server in its place. */
export const comesBack = (row: LocalDraft, me: number): boolean =>
  row.isStored === true && (row.key.startsWith("stored ") || row.key === serverKey(row, me));

interface Stored {
  readonly drafts: Drafts;
  /** Ids of drafts that were deleted on the server since the browser last looked. */
  readonly gone: ReadonlySet<number>;
  /** Ids of drafts that were sent or deleted here, which the server may not know yet. */
  readonly dropped: ReadonlySet<number>;
}

/**
 * The browser's texts, merged with the server's. A text that was changed here after it was stored
 * stays unchanged. If it was changed on both sides, both texts are kept.
 */
export function withStored(
  local: LocalDrafts,
  { drafts, gone, dropped }: Stored,
  me: number,
): LocalDrafts {
  const rows = new Map(local);
  for (const [key, row] of local) {
    if (row.serverId === undefined || !gone.has(row.serverId)) continue;
    if (row.isStored) rows.delete(key);
    else rows.set(key, { ...row, serverId: undefined });
  }
  const keys = new Map([...rows].map(([key, { serverId }]) => [serverId, key]));
  for (const draft of drafts.values()) {
    if (dropped.has(draft.id)) continue;
    const row = rowFor(draft, rows, keys.get(draft.id), me);
    rows.set(row.key, row);
  }
  return rows;
}

/** A text that was sent to the server to be stored, and whose answer has not arrived. */
export interface StoreAttempt {
  /** Key of the draft. */
  readonly key: string;
  /** Its `serverKey`, by which it is found among the drafts of the server. */
  readonly serverKey: string;
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Ids of drafts on the server that no text needs. The server stored them for a page that ended
 * before the answer, and the text was sent or deleted meanwhile, or stored once more by the next
 * page.
 */
export const leftBehind = (
  local: LocalDrafts,
  { drafts, attempts }: { drafts: Drafts; attempts: Iterable<StoreAttempt> },
  me: number,
): number[] => {
  const tried = new Set(
    [...attempts].map((attempt) => `${attempt.serverKey}\n${attempt.content.trim()}`),
  );
  return [...drafts.values()]
    .filter((draft) => {
      const isNeeded = [...local.values()].some(
        (row) => isTextOf(draft, row, me) && (row.serverId ?? draft.id) === draft.id,
      );
      const key = draftKey(targetOf(draft), me);
      return tried.has(`${key}\n${draft.content.trim()}`) && !isNeeded;
    })
    .map(({ id }) => id);
};

/** Whether a draft of the server has a text of the browser, by its content and its place. */
function isTextOf(draft: Draft, row: LocalDraft, me: number): boolean {
  if (row.content.trim() !== draft.content.trim()) return false;
  const key = draftKey(targetOf(draft), me);
  return row.key === key || serverKey(row, me) === key;
}

/** The text of the browser that belongs to a draft of the server. */
function rowFor(
  draft: Draft,
  rows: LocalDrafts,
  ownKey: string | undefined,
  me: number,
): LocalDraft {
  const target = targetOf(draft);
  const stored = {
    target,
    content: draft.content,
    changedAt: draft.timestamp * 1_000,
    serverId: draft.id,
    isStored: true,
  };
  const own = ownKey === undefined ? undefined : rows.get(ownKey);
  if (own) return isNewer(draft, own) ? { ...stored, key: own.key } : own;
  const key = draftKey(target, me);
  const same = [...rows.values()].find(
    (row) => row.serverId === undefined && isTextOf(draft, row, me),
  );
  if (same) return { ...same, serverId: draft.id, isStored: true };
  return { ...stored, key: rows.has(key) ? `stored ${draft.id}` : key };
}

/**
 * Whether the server has a later version than the browser. Blanks at the end do not count, because
 * the server removes them: the person may just have stopped typing after a blank.
 */
const isNewer = ({ content, timestamp }: Draft, own: LocalDraft): boolean =>
  own.isStored === true &&
  own.content.trim() !== content.trim() &&
  timestamp >= Math.floor(own.changedAt / 1_000);

/** One text from two drafts that belong to one conversation after a move. */
export const joined = (one: string, other: string): string =>
  one === "" || one.endsWith(other) ? one || other : `${one}\n\n${other}`;
