import { and, eq, inArray } from "drizzle-orm";
import { inChunks } from "../../core/chunks";
import type { Tx, UserRow } from "../../core/context";
import type { EndingStep } from "../../core/steps";
import { unicodeEmojiType } from "../../emoji/emoji-types";
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
   * Whether the person is now invisible, if an older client sends it: only announced, not stored
   * with the status.
   */
  isAway?: boolean;
}

const noEmoji: Emoji = { emojiName: "", emojiCode: "", reactionType: unicodeEmojiType };

/**
 * Changes somebody's status, as part of a write. Event: user_status with the given fields, to
 * people who see them.
 */
export async function changeStatusIn(
  tx: Tx,
  user: UserRow,
  { statusText, emoji, isAway }: StatusChange,
) {
  const { realmId, id: userId } = user;
  const [before = noStatus] = await findStatuses(tx, realmId, [userId]);
  const shown = emoji === "none" ? noEmoji : emoji;
  const after = { ...before, ...(statusText === undefined ? {} : { statusText }), ...shown };
  if (after.statusText === "" && after.emojiName === "")
    await forgetStatusesIn(tx, realmId, [userId]);
  else await storeStatus(tx, { ...after, realmId, userId });
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
  };
  await tx.emit(await watchersOf(tx, user), statusChanged(fields));
}

async function storeStatus(tx: Tx, row: Status & { realmId: number; userId: number }) {
  const { userStatuses } = tx.t;
  const { statusText, emojiName, emojiCode, reactionType } = row;
  await tx.db
    .insert(userStatuses)
    .values(row)
    .onConflictDoUpdate({
      target: [userStatuses.realmId, userStatuses.userId],
      set: { statusText, emojiName, emojiCode, reactionType },
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
