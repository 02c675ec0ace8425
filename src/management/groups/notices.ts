import type { Context, Tx, UserRow } from "../../core/context";
import { silentMention } from "../../core/notice-actor";
import { sendNoticeIn } from "../../messages/send/notice";
import type { UserGroupRow } from "../../people/user-groups/queries";
import { isActivePerson } from "../../people/users/queries";
import { subscribersToldMax } from "../../protocol/limits";

/** Tells people that somebody has added them to a group. */
export const tellAdded = (tx: Tx, ctx: Context, group: UserGroupRow, users: readonly UserRow[]) =>
  tellEach(tx, ctx, group, users, "added you to");

/** Tells people that somebody has removed them from a group. */
export const tellRemoved = (tx: Tx, ctx: Context, group: UserGroupRow, users: readonly UserRow[]) =>
  tellEach(tx, ctx, group, users, "removed you from");

/**
 * Sends a direct message of Notification Bot to each active person except the actor. Sends none
 * where there are more people than get one for new subscriptions, and none for changes by the
 * operator.
 */
async function tellEach(
  tx: Tx,
  ctx: Context,
  group: UserGroupRow,
  users: readonly UserRow[],
  what: "added you to" | "removed you from",
) {
  if (!("user" in ctx.actor)) return;
  const { user: actor } = ctx.actor;
  const content = `${silentMention(actor)} ${what} the group @_*${group.name}*.`;
  const recipients = users.filter((user) => isActivePerson(user) && user.id !== actor.id);
  if (recipients.length > subscribersToldMax) return;
  for (const person of recipients) await sendNoticeIn(tx, ctx, { person, content });
}
