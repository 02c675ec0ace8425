import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import { isSelf } from "../../core/account";
import type { Actor, Context, Tx } from "../../core/context";
import { badRequest, ownerRequired, refusedFor } from "../../core/errors";
import { type Input, id, record } from "../../core/params";
import { holdsRole, roles } from "../../core/rights/role";
import { write } from "../../core/write";
import { isMailOn } from "../../letters/relay";
import {
  announceInvitations,
  findInvitation,
  type InvitationKind,
  type InvitationRow,
  listOpenInvitations,
  removeInvitation,
} from "../../people/invited/store";
import { may } from "../../people/user-groups/may";
import { requireMember } from "../../people/user-groups/permission";
import { loadUser } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { linkOf, makeToken, openedLink } from "../invitation-link";
import { isOverDailyLimit, noteSent } from "../limits";
import { type Invited, requireMayInvite } from "./invite";
import { mailInvitation } from "./letter";
import { invitationObject, invitationWire } from "./wire";

export const ListInvitations = record({});
export const InvitationList = record({ invites: Type.Array(invitationObject) });

/**
 * The invitations that can still be accepted. Administrators get all of the organization, except
 * that those for owners are shown to owners and their inviters only; other people get their own, of
 * the kinds that they may make. Source: `test/recorded/api/api-surface.json`, get-invites.
 */
export async function listInvitations(ctx: Context): Promise<Static<typeof InvitationList>> {
  const { reader, realm, now } = ctx;
  await requireMember(reader, ctx);
  const rows = await listOpenInvitations(reader, realm.id, now);
  const seen = await seenBy(reader, ctx);
  return {
    invites: rows
      .filter(seen)
      .map((row) => invitationWire(row, (sealed) => openedLink(ctx, sealed))),
  };
}

async function seenBy(reader: Reader, ctx: Context): Promise<(row: InvitationRow) => boolean> {
  const { actor } = ctx;
  if (holdsRole(actor, "administrator")) return (row) => isOwn(actor, row) || mayManage(actor, row);
  const invites = await may(reader, ctx, { realm: "can_invite_users_group" });
  const makesLinks = await may(reader, ctx, { realm: "create_multiuse_invite_group" });
  return (row) => isOwn(actor, row) && (row.email === null ? makesLinks : invites);
}

const isOwn = (actor: Actor, { inviterId }: InvitationRow) => isSelf(actor, inviterId);

/** Administrators manage the invitations of other people; only owners manage those for owners. */
const mayManage = (actor: Actor, { role }: InvitationRow) =>
  holdsRole(actor, role <= roles.owner ? "owner" : "administrator");

export const NameInvitation = record({ inviteId: id() });

/** Withdraws the invitation of an address, so that its link stops working. See `withdraw`. */
export const revokeInvitation = (ctx: Context, { inviteId }: Input<typeof NameInvitation>) =>
  withdraw(ctx, inviteId, "address");

/** Withdraws a reusable link; see `withdraw`. */
export const revokeReusableLink = (ctx: Context, { inviteId }: Input<typeof NameInvitation>) =>
  withdraw(ctx, inviteId, "link");

/**
 * Event: invites_changed, to administrators and the inviter. Only administrators and the inviter
 * may withdraw: for everybody else the invitation does not exist (BAD_REQUEST). One for an owner
 * needs an owner (UNAUTHORIZED_PRINCIPAL).
 */
async function withdraw(ctx: Context, inviteId: number, kind: InvitationKind): Promise<undefined> {
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const invitation = await loadOwnOrManaged(tx, current, inviteId, kind);
    await removeInvitation(tx, invitation);
    const before = { email: invitation.email, role: invitation.role };
    tx.audit(ctx, { action: "invitation.revoke", kind: "invitation", ids: [inviteId], before });
  });
}

async function loadOwnOrManaged(
  tx: Tx,
  ctx: Context,
  inviteId: number,
  kind: InvitationKind,
): Promise<InvitationRow> {
  const { realm, actor } = ctx;
  await requireMember(tx, ctx);
  const found = await findInvitation(tx, { realmId: realm.id, now: tx.now }, inviteId, kind);
  if (!found || !(isOwn(actor, found) || holdsRole(actor, "administrator")))
    throw badRequest("No such invitation");
  if (!isOwn(actor, found) && !mayManage(actor, found)) throw ownerRequired();
  return found;
}

/**
 * Mails an invitation again; see `renewInvitation`. Refuses where mail is not configured, because
 * nobody would get the new link, while the one that was given out by hand stopped working. Source:
 * `test/recorded/api/api-surface.json`, resend-email-invite.
 */
export async function resendInvitation(
  ctx: Context,
  { inviteId }: Input<typeof NameInvitation>,
): Promise<undefined> {
  if (!isMailOn(ctx.app.config))
    throw refusedFor(
      "mail-off",
      "This server sends no mail, so the invitation keeps its link. Make an invitation link, and give it to them.",
    );
  await renewInvitation(ctx, inviteId);
}

/**
 * Gives an invitation of an address a new link and mails it, where mail is configured. The new link
 * is valid as long as the old one was to be; the old one stops working. Event: invites_changed, to
 * administrators and the inviter. Only people who may withdraw it and may invite people can do
 * this; it counts in the daily limits (BAD_REQUEST).
 */
export async function renewInvitation(ctx: Context, inviteId: number): Promise<Invited> {
  const { token, hash } = makeToken(ctx);
  return write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const found = await loadOwnOrManaged(tx, current, inviteId, "address");
    if (!holdsRole(current.actor, "administrator"))
      await requireMayInvite(tx, current, "can_invite_users_group");
    const { realmId, email, invitedAt, expiresAt: before } = found;
    const sender =
      "user" in current.actor ? current.actor.user : await loadUser(tx, realmId, found.inviterId);
    if (await isOverDailyLimit(tx, current, sender, 1)) {
      throw badRequest("Too many people were invited today. Try again tomorrow.");
    }
    const expiresAt = before === null ? null : tx.now + before - invitedAt;
    const { invitations } = tx.t;
    await tx.db
      .update(invitations)
      .set({ hash, invitedAt: tx.now, expiresAt })
      .where(and(eq(invitations.realmId, realmId), eq(invitations.id, inviteId)))
      .returning({ id: invitations.id });
    await noteSent(tx, realmId, sender.id, 1);
    await mailInvitation(tx, current, sender, {
      id: inviteId,
      email: email ?? "",
      token,
      expiresAt,
    });
    await announceInvitations(tx, found.inviterId);
    const act = { action: "invitation.renew", kind: "invitation", ids: [inviteId] } as const;
    tx.audit(current, { ...act, after: { email, expires_at: expiresAt } });
    return { id: inviteId, email, url: linkOf(ctx, token), expiresAt };
  });
}
