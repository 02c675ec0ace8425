import { and, eq, inArray } from "drizzle-orm";
import { inChunks } from "../../core/chunks";
import type { Context, Tx, UserRow } from "../../core/context";
import type { EndingStep } from "../../core/steps";
import { unicodeEmojiType } from "../../emoji/emoji-types";
import { jobEntry } from "../../jobs/define";
import type { Emoji } from "../../realm/realm-emoji/find";
import { listInvisible } from "../presence/queries";
import { watchersOf } from "../users/announce";
import { statusChanged } from "./events";
import { findStatuses } from "./queries";
import { noStatus, type Status, statusWire } from "./wire";

/** New values of a status. */
export interface StatusChange {
  statusText?: string;
  /** "none" removes the emoji. */
  emoji?: Emoji | "none";
  /**
   * UNIX seconds at which the status ends; a new text or emoji without it does not end by itself.
   */
  endsAt?: number;
  /**
   * Whether the person is now invisible, if an older client sends it: only announced, not stored
   * with the status.
   */
  isAway?: boolean;
}

/** Name of the job that ends statuses at their time, and form of what it is told. */
export const statusEndName = "end_status";
export interface StatusEnd {
  userId: number;
}
const statusEnd = jobEntry<StatusEnd>(statusEndName);

const noEmoji: Emoji = { emojiName: "", emojiCode: "", reactionType: unicodeEmojiType };

/**
 * Changes somebody's status, as part of a write. Event: user_status with the given fields, to
 * people who see them.
 */
export async function changeStatusIn(
  tx: Tx,
  place: Pick<Context, "app" | "realm">,
  user: UserRow,
  { statusText, emoji, endsAt, isAway }: StatusChange,
) {
  const { realmId, id: userId } = user;
  const [before = noStatus] = await findStatuses(tx, realmId, [userId]);
  const shown = emoji === "none" ? noEmoji : emoji;
  const text = statusText === undefined ? {} : { statusText };
  const isSame = statusText === undefined && emoji === undefined;
  const after = { ...before, ...text, ...shown };
  const isNone = after.statusText === "" && after.emojiName === "";
  const end = isNone ? null : isSame ? before.endsAt : (endsAt ?? null);
  if (isNone) await forgetStatusesIn(tx, realmId, [userId]);
  else await storeStatus(tx, { ...after, endsAt: end, realmId, userId });
  if (end !== before.endsAt) await planEnd(tx, place, userId, { before: before.endsAt, end });
  const fields = {
    user_id: userId,
    ...(isAway === undefined ? {} : { away: isAway }),
    ...(statusText === undefined ? {} : { status_text: statusText }),
    ...(shown
      ? {
          emoji_name: shown.emojiName,
          emoji_code: shown.emojiCode,
          reaction_type: shown.reactionType,
        }
      : {}),
    ...(isSame || end === null ? {} : { scheduled_end_time: end }),
  };
  await tx.emit(await watchersOf(tx, user), statusChanged(fields));
}

/** Has a status end at its new time. One whose time has come needs no more, because it ends now. */
async function planEnd(
  tx: Tx,
  place: Pick<Context, "app" | "realm">,
  userId: number,
  { before, end }: Readonly<Record<"before" | "end", number | null>>,
) {
  const key = String(userId);
  if (end !== null) await statusEnd.enqueue(tx, place, { userId }, { at: end, key });
  else if ((before ?? 0) > tx.now) await statusEnd.cancel(tx, place, key);
}

async function storeStatus(tx: Tx, row: Status & { realmId: number; userId: number }) {
  const { userStatuses } = tx.t;
  const { statusText, emojiName, emojiCode, reactionType, endsAt } = row;
  await tx.db
    .insert(userStatuses)
    .values(row)
    .onConflictDoUpdate({
      target: [userStatuses.realmId, userStatuses.userId],
      set: { statusText, emojiName, emojiCode, reactionType, endsAt },
    });
}

/**
 * Announces the statuses of people to those who newly see them. Event: user_status, to each of
 * these.
 */
export async function tellStatusesIn(
  tx: Tx,
  realmId: number,
  seers: ReadonlyMap<number, ReadonlySet<number>>,
) {
  const statuses = new Map(
    (await findStatuses(tx, realmId, [...seers.keys()])).map((one) => [one.userId, one]),
  );
  const invisible = new Set(await listInvisible(tx, realmId));
  for (const [userId, ids] of seers) {
    const said = statusWire(statuses.get(userId), {
      isAway: invisible.has(userId),
      isOfficialClient: false,
    });
    if (Object.keys(said).length === 0) continue;
    await tx.emit({ to: "users", ids: [...ids] }, statusChanged({ user_id: userId, ...said }));
  }
}

/**
 * Step with accounts that end: deletes their statuses. Announces nothing, because clients drop a
 * status with its account.
 */
export const statusesForgotten: EndingStep = {
  name: "statuses forgotten",
  run: (tx, { realmId, userIds }) => forgetStatusesIn(tx, realmId, userIds),
};

async function forgetStatusesIn(tx: Tx, realmId: number, userIds: readonly number[]) {
  const { userStatuses } = tx.t;
  for (const chunk of inChunks(userIds)) {
    await tx.db
      .delete(userStatuses)
      .where(and(eq(userStatuses.realmId, realmId), inArray(userStatuses.userId, chunk)));
  }
}
