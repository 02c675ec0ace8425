import { and, eq } from "drizzle-orm";
import type { Context, OfPerson, Person, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, id, record } from "../../core/params";
import { write } from "../../core/write";
import { readFromSender } from "../../messages/flags/read-from-sender";
import { listMutedUsers } from "../../people/muted-users/queries";
import { noSuchUser } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { findVisibleUser } from "../../people/users/viewer";
import { mutedUsersChanged } from "./events";

export const MutedUser = record({ mutedUserId: id() });

/** A limit, because the cache that sends use contains everybody's list. */
const mutedMax = 1_000;

/**
 * Mutes a user for the actor: their old and new messages count as read. Events, to the actor's own
 * clients: muted_users, and update_message_flags of unread messages. Refuses (BAD_REQUEST) the
 * actor, a user who is already muted, and a user who is deactivated or not visible to the actor,
 * like one who does not exist.
 */
export async function muteUser(
  ctx: Context<Person>,
  { mutedUserId }: Input<typeof MutedUser>,
): Promise<undefined> {
  if (mutedUserId === ctx.actor.user.id) throw badRequest("You cannot mute yourself.");
  await write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    const user = await findVisibleUser(tx, renewed, mutedUserId);
    if (!user?.isActive || user.isSystemBot) throw noSuchUser();
    const { realm, actor } = renewed;
    const { mutedUsers } = tx.t;
    const rows = await tx.db
      .insert(mutedUsers)
      .values({ realmId: realm.id, userId: actor.user.id, mutedUserId, mutedAt: tx.now })
      .onConflictDoNothing()
      .returning({ id: mutedUsers.mutedUserId });
    if (rows.length === 0) throw badRequest("User already muted.");
    if ((await announce(tx, renewed)) > mutedMax)
      throw badRequest(`You can mute at most ${mutedMax} users.`);
  });
  const who = { realmId: ctx.realm.id, userId: ctx.actor.user.id };
  for (let above: number | undefined = 0; above !== undefined; )
    above = await readNext(ctx, who, mutedUserId, above);
}

const readNext = (ctx: Context<Person>, who: OfPerson, senderId: number, above: number) =>
  write(ctx, (tx) => readFromSender(tx, who, senderId, above));

/**
 * Unmutes a user. Messages that counted as read stay read. Announces `muted_users` to the actor's
 * own clients. Refuses (BAD_REQUEST) a user who is not muted, and a user who is not visible to the
 * actor, like one who does not exist.
 */
export async function unmuteUser(
  ctx: Context<Person>,
  { mutedUserId }: Input<typeof MutedUser>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    const { realm, actor } = renewed;
    const { mutedUsers } = tx.t;
    const rows = await tx.db
      .delete(mutedUsers)
      .where(
        and(
          eq(mutedUsers.realmId, realm.id),
          eq(mutedUsers.userId, actor.user.id),
          eq(mutedUsers.mutedUserId, mutedUserId),
        ),
      )
      .returning({ id: mutedUsers.mutedUserId });
    if (rows.length === 0) {
      const user = await findVisibleUser(tx, renewed, mutedUserId);
      throw user ? badRequest("User is not muted.") : noSuchUser();
    }
    await announce(tx, renewed);
  });
}

/** Announces the actor's muted users; answers how many there are. */
async function announce(tx: Tx, { realm, actor }: Context<Person>): Promise<number> {
  const muted_users = await listMutedUsers(tx, realm.id, actor.user.id);
  await tx.emit({ to: "users", ids: [actor.user.id] }, mutedUsersChanged({ muted_users }));
  return muted_users.length;
}
