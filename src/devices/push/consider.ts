import type { Static } from "@sinclair/typebox";
import { and, eq, lt, sql } from "drizzle-orm";
import { isIn } from "../../../db/sql/json";
import { daySeconds } from "../../core/clock";
import type { RealmMoment, Tx, UserRow } from "../../core/context";
import type { Finish, JobContext } from "../../jobs/define";
import { presentUntil } from "../../people/presence/present-until";
import { findCurrentPresences } from "../../people/presence/queries";
import { isInGroupSetting } from "../../people/user-groups/queries";
import { findUsersByIds } from "../../people/users/queries";
import { filterReadable, findMessages, type MessageRow } from "../../reading/queries";
import { isRead, loadReadState } from "../../reading/read-state";
import { type ConsiderPush, enqueueDelivery } from "./jobs";
import { listTargets, type PushTarget } from "./queries";
import { wantsPush } from "./wishes";

/** Time for which it is stored who was notified of which message. */
const keptSeconds = 30 * daySeconds;

type Considered = Static<typeof ConsiderPush>;

/** Somebody to notify, and the group whose mention reached them. */
interface Chosen {
  userId: number;
  groupId: number | undefined;
}

/** People who are checked in one run, so that other writes do not wait long. */
const peoplePerRun = 50;

/**
 * Chooses the people to notify of a message: those who may read it, have not read it, want the
 * notification and are not present at a client. Each of their devices gets a delivery of its own.
 * If there are many people, the next run continues.
 */
export async function considerMessage(
  ctx: JobContext,
  payload: Considered,
): Promise<Finish<Considered> | undefined> {
  const { reader, realm } = ctx;
  const [message] = await findMessages(reader, realm.id, [payload.messageId]);
  if (!message) return undefined;
  const recipients = payload.recipients.slice(0, peoplePerRun);
  const others = payload.recipients.slice(peoplePerRun);
  const chosen = await choose(ctx, message, { ...payload, recipients });
  return async (tx) => {
    await tell(tx, ctx, message.id, chosen);
    return others.length === 0
      ? undefined
      : { payload: { ...payload, recipients: others }, at: tx.now };
  };
}

async function choose(
  ctx: JobContext,
  message: MessageRow,
  { recipients, groups }: Considered,
): Promise<Chosen[]> {
  const { reader, realm } = ctx;
  const ids = recipients.map(({ userId }) => userId);
  const users = new Map(
    (await findUsersByIds(reader, realm.id, ids)).map((user) => [user.id, user]),
  );
  const presences = await findCurrentPresences(ctx, ids);
  const present = presences.filter(({ activeAt }) => presentUntil(activeAt) > ctx.now);
  const there = new Set(present.map(({ userId }) => userId));
  const chosen: Chosen[] = [];
  for (const { userId, trigger } of recipients) {
    const user = users.get(userId);
    if (!user?.isActive || !(await isNews(ctx, user, message))) continue;
    if (!(await wantsPush(reader, user, message, { trigger, isThere: there.has(userId) })))
      continue;
    const groupId = trigger === "group_mentioned" ? await groupOf(ctx, user, groups) : undefined;
    chosen.push({ userId, groupId });
  }
  return chosen;
}

/** Whether somebody may read a message and has not read it. */
export async function isNews(
  { reader, realm }: JobContext,
  user: UserRow,
  message: MessageRow,
): Promise<boolean> {
  const who = { realmId: realm.id, userId: user.id, role: user.role };
  if ((await filterReadable(reader, who, [message])).length === 0) return false;
  return !isRead(await loadReadState(reader, realm.id, user.id, [message]), message);
}

async function groupOf(
  ctx: JobContext,
  user: UserRow,
  groups: readonly number[],
): Promise<number | undefined> {
  const moment: RealmMoment = ctx;
  for (const id of groups) if (await isInGroupSetting(ctx.reader, moment, user, id)) return id;
  return undefined;
}

async function tell(tx: Tx, { realm }: JobContext, messageId: number, chosen: readonly Chosen[]) {
  if (chosen.length === 0) return;
  const groupIds = new Map(chosen.map(({ userId, groupId }) => [userId, groupId]));
  const targets = await listTargets(tx, realm.id, [...groupIds.keys()]);
  if (targets.length === 0) return;
  const userIds = [...new Set(targets.map(({ userId }) => userId))];
  await notePushed(tx, realm.id, messageId, userIds);
  const what = { type: "message" as const, messageIds: [messageId] };
  const enqueue = (target: PushTarget) => {
    const groupId = groupIds.get(target.userId);
    return enqueueDelivery(tx, realm, {
      ...target,
      ...what,
      ...(groupId === undefined ? {} : { groupId }),
    });
  };
  await Promise.all(targets.map(enqueue));
}

async function notePushed(tx: Tx, realmId: number, messageId: number, userIds: readonly number[]) {
  const { pushedMessages: pushed } = tx.t;
  const isTheirs = and(
    eq(pushed.realmId, realmId),
    isIn(tx.dialect, pushed.userId, sql`${JSON.stringify(userIds)}`),
  );
  await tx.db.delete(pushed).where(and(isTheirs, lt(pushed.pushedAt, tx.now - keptSeconds)));
  const rows = userIds.map((userId) => ({ realmId, userId, messageId, pushedAt: tx.now }));
  await tx.db.insert(pushed).values(rows).onConflictDoNothing();
}
