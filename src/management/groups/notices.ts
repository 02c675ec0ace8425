import type { Context, Tx, UserRow } from "../../core/context";
import { sendNoticeIn } from "../../messages/send/notice";
import type { UserGroupRow } from "../../people/user-groups/queries";
import { protocolLimits } from "../../realm/limits";

/** Tells people that somebody has added them to a group. */
export const tellAdded = (tx: Tx, ctx: Context, group: UserGroupRow, users: readonly UserRow[]) =>
  tellEach(tx, ctx, group, users, "added you to");

/** Tells people that somebody has removed them from a group. */
export const tellRemoved = (tx: Tx, ctx: Context, group: UserGroupRow, users: readonly UserRow[]) =>
  tellEach(tx, ctx, group, users, "removed you from");

/**
 * A direct message of Notification Bot to each active person but the one who did it, to none where
 * they are more than are told of new subscriptions at once; what the operator does is not told.
 */
async function tellEach(
  tx: Tx,
  ctx: Context,
  group: UserGroupRow,
  users: readonly UserRow[],
  what: "added you to" | "removed you from",
) {
  if (!("user" in ctx.actor)) return;
  const { id, fullName } = ctx.actor.user;
  const content = `@_**${fullName}|${id}** ${what} the group @_*${group.name}*.`;
  const recipients = users.filter(
    (user) => user.isActive && user.botType === null && user.id !== id,
  );
  if (recipients.length > protocolLimits.maxBulkNewSubscriptionMessages) return;
  for (const person of recipients) await sendNoticeIn(tx, ctx, { person, content });
}
