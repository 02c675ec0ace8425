import { and, eq, inArray, lte } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import type { Tx, UserRow } from "../../core/context";
import { roles } from "../../core/rights/role";
import type { EndingStep } from "../../core/steps";
import { cancelMail } from "../../letters/cancel";
import { invitationsChanged } from "./events";
import { mayGrantRole } from "./grant-role";

export type InvitationRow = Schema["invitations"]["$inferSelect"];

/** Every invitation of a realm that can still be accepted, oldest first. */
export async function listOpenInvitations(
  reader: Reader,
  realmId: number,
  now: number,
): Promise<InvitationRow[]> {
  const { invitations } = reader.t;
  const rows = await reader.db.select().from(invitations).where(eq(invitations.realmId, realmId));
  return rows.filter((row) => isOpen(row, now)).sort((a, b) => a.id - b.id);
}

/** An invitation that can still be accepted, by the keyed hash of its link's token. */
export async function findOpenInvitation(
  reader: Reader,
  realmId: number,
  hash: string,
  now: number,
): Promise<InvitationRow | undefined> {
  const { invitations } = reader.t;
  const [row] = await reader.db
    .select()
    .from(invitations)
    .where(and(eq(invitations.realmId, realmId), eq(invitations.hash, hash)));
  return row && isOpen(row, now) ? row : undefined;
}

const isOpen = ({ expiresAt }: InvitationRow, now: number) => expiresAt === null || now < expiresAt;

/** Key of the waiting mail with an invitation. */
export const mailKeyOf = (id: number) => `invitation:${id}`;

/** Deletes an invitation, with its mail if that was not sent yet. Event: invites_changed. */
export async function removeInvitation(
  tx: Tx,
  { realmId, id, inviterId }: InvitationRow,
): Promise<void> {
  const { invitations } = tx.t;
  await tx.db
    .delete(invitations)
    .where(and(eq(invitations.realmId, realmId), eq(invitations.id, id)))
    .returning({ id: invitations.id });
  await cancelMail(tx, realmId, mailKeyOf(id));
  await announceInvitations(tx, inviterId);
}

/** Deletes expired invitations without an event, because nobody sees them any more. */
export async function forgetExpired(tx: Tx, realmId: number): Promise<void> {
  const { invitations } = tx.t;
  await tx.db
    .delete(invitations)
    .where(and(eq(invitations.realmId, realmId), lte(invitations.expiresAt, tx.now)))
    .returning({ id: invitations.id });
}

/**
 * Step with accounts that end: deletes all their invitations, because an ended account vouches for
 * nobody. Event: invites_changed, to administrators, where there were any.
 */
export const invitationsWithdrawn: EndingStep = {
  name: "invitations withdrawn",
  run: (tx, { realmId, userIds }) => withdrawInvitationsBy(tx, realmId, userIds),
};

async function withdrawInvitationsBy(
  tx: Tx,
  realmId: number,
  inviterIds: readonly number[],
): Promise<void> {
  const { invitations } = tx.t;
  const gone = await tx.db
    .delete(invitations)
    .where(and(eq(invitations.realmId, realmId), inArray(invitations.inviterId, [...inviterIds])))
    .returning({ id: invitations.id, inviterId: invitations.inviterId });
  await afterDeletion(tx, realmId, gone);
}

/** Takes back the waiting mails of deleted invitations, and tells their inviters once each. */
async function afterDeletion(
  tx: Tx,
  realmId: number,
  gone: readonly Pick<InvitationRow, "id" | "inviterId">[],
): Promise<void> {
  for (const { id } of gone) await cancelMail(tx, realmId, mailKeyOf(id));
  for (const inviterId of new Set(gone.map((row) => row.inviterId)))
    await announceInvitations(tx, inviterId);
}

/**
 * Deletes somebody's invitations with a role that they may no longer give, because the links of
 * these do not work any more. Event: invites_changed, where there were any.
 */
export async function withdrawUngrantable(
  tx: Tx,
  inviter: Pick<UserRow, "realmId" | "id" | "role">,
): Promise<void> {
  const { realmId, id: inviterId } = inviter;
  const { invitations } = tx.t;
  const isTheirs = and(eq(invitations.realmId, realmId), eq(invitations.inviterId, inviterId));
  const given = await tx.db
    .selectDistinct({ role: invitations.role })
    .from(invitations)
    .where(isTheirs);
  const lost = given.map(({ role }) => role).filter((role) => !mayGrantRole(inviter, role));
  if (lost.length === 0) return;
  const gone = await tx.db
    .delete(invitations)
    .where(and(isTheirs, inArray(invitations.role, lost)))
    .returning({ id: invitations.id, inviterId: invitations.inviterId });
  await afterDeletion(tx, realmId, gone);
}

const removeTo = statement(
  (db, { invitations }, given: Given<{ realmId: number; emailKey: string }>) =>
    db
      .delete(invitations)
      .where(and(eq(invitations.realmId, given.realmId), eq(invitations.emailKey, given.emailKey)))
      .returning({ id: invitations.id, inviterId: invitations.inviterId }),
);

/**
 * Deletes all invitations of an address that has an account now, because nobody can use them any
 * more. Event: invites_changed for each inviter.
 */
export async function withdrawInvitationsTo(
  tx: Tx,
  realmId: number,
  emailKey: string,
): Promise<void> {
  const gone = await removeTo(tx, { realmId, emailKey });
  await afterDeletion(tx, realmId, gone);
}

/** Announces changed invitations to administrators and their inviter. */
export const announceInvitations = (tx: Tx, inviterId: number): Promise<void> =>
  tx.emit(
    { to: "realm", roles: { from: 0, to: roles.administrator, or: inviterId } },
    invitationsChanged({}),
  );

/** Kind of an invitation: of an address, or a link that many people may use. */
export type InvitationKind = "address" | "link";

/** An invitation of a realm by id, if it is of a kind. */
export async function findInvitation(
  reader: Reader,
  moment: { realmId: number; now: number },
  id: number,
  kind: InvitationKind,
): Promise<InvitationRow | undefined> {
  const { invitations } = reader.t;
  const [row] = await reader.db
    .select()
    .from(invitations)
    .where(and(eq(invitations.realmId, moment.realmId), eq(invitations.id, id)));
  if (!row || !isOpen(row, moment.now)) return undefined;
  return kind === (row.email === null ? "link" : "address") ? row : undefined;
}
