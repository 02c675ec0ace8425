import { and, eq, sql } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { isIn } from "../../../db/sql/json";
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

const storeStatus = statement(
  (db, { userStatuses: s }, given: Given<Status & { realmId: number; userId: number }>) =>
    db
      .insert(s)
      .values({
        realmId: given.realmId,
        userId: given.userId,
        statusText: given.statusText,
        emojiName: given.emojiName,
        emojiCode: given.emojiCode,
        reactionType: given.reactionType,
        endsAt: given.endsAt,
      })
      .onConflictDoUpdate({
        target: [s.realmId, s.userId],
        set: {
          statusText: sql`excluded.status_text`,
          emojiName: sql`excluded.emoji_name`,
          emojiCode: sql`excluded.emoji_code`,
          reactionType: sql`excluded.reaction_type`,
          endsAt: sql`excluded.ends_at`,
        },
      }),
);

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

const deleteStatuses = statement(
  (db, { userStatuses: s }, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db.delete(s).where(and(eq(s.realmId, given.realmId), isIn(dialect, s.userId, given.ids))),
);

async function forgetStatusesIn(tx: Tx, realmId: number, userIds: readonly number[]) {
  await deleteStatuses(tx, { realmId, ids: JSON.stringify(userIds) });
}
