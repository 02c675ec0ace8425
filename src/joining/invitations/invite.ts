import { type Static, Type } from "@sinclair/typebox";
import { and, eq, inArray, isNull } from "drizzle-orm";
import { actingAs } from "../../core/account";
import { inChunks } from "../../core/chunks";
import type { Context, Person, Tx, UserRow } from "../../core/context";
import { badRequest, invitationFailed } from "../../core/errors";
import { flag, type Input, ids, optional, record, text } from "../../core/params";
import { mayReadAddress } from "../../core/rights/person-visibility";
import { isUnbound, roles } from "../../core/rights/role";
import { onlyRow, write } from "../../core/write";
import { announceInvitations, forgetExpired } from "../../people/invited/store";
import { requireMay } from "../../people/user-groups/may";
import { requireMember } from "../../people/user-groups/permission";
import {
  emailKeyOf,
  isActivePerson,
  isPlaceholderEmail,
  listUsers,
} from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { viewerOf } from "../../people/users/viewer";
import { addressRefusal } from "../../realm/domains/accepted";
import { linkOf, makeToken, sealToken } from "../invitation-link";
import { isOverDailyLimit, noteSent } from "../limits";
import { type AddressProblem, parseAddresses } from "./addresses";
import { mailInvitation } from "./letter";
import { type Offer, offerParameters, readOffer, requireMayOffer } from "./offer";

/** A new invitation, with its link, which is not stored. */
export interface Invited {
  id: number;
  /** Null for a reusable link. */
  email: string | null;
  url: string;
  /** UNIX seconds; null for never. */
  expiresAt: number | null;
}

interface InvitationsWanted {
  /** Addresses as people write them: see `parseAddresses`. */
  addresses: string;
  offer: Offer;
  notifiesInviter: boolean;
  /** The inviter for whom the operator invites; an owner by default. */
  inviterId?: number | undefined;
}

/**
 * Invites people by their addresses, and mails each an invitation where mail is configured. Answers
 * the invitations with their links. Each link works once, and proves the address to belong to the
 * person who has it. Event: invites_changed, to administrators and the inviter. Refuses actors who
 * may not invite people, offers beyond their rights, and too many invitations in a day. A list with
 * an address that is invalid or not accepted is refused as a whole. Addresses with an account are
 * left out and reported (INVITATION_FAILED, with the reason for each address). An account whose
 * address the inviter may not read is invited like a free address, because the answer must not
 * reveal that it exists. Source: `test/recorded/api/api-surface.json`, send-invites.
 */
export async function invitePeople(ctx: Context, wanted: InvitationsWanted): Promise<Invited[]> {
  const { invited, skipped } = await inviteFree(ctx, wanted);
  if (skipped.length > 0) throw someInvited(skipped);
  return invited;
}

/**
 * Invites people like `invitePeople`, but answers the addresses with an account beside the
 * invitations, because the operator is shown the links of all others.
 */
export async function inviteFree(
  ctx: Context,
  wanted: InvitationsWanted,
): Promise<{ invited: Invited[]; skipped: AddressProblem[] }> {
  const { emails, invalid } = parseAddresses(wanted.addresses);
  return write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const inviter = await loadInviter(tx, current, wanted.inviterId);
    await requireMayInvite(tx, current, "can_invite_users_group");
    await requireMayOffer(tx, actingAs(current, inviter), wanted.offer);
    const sorted = await sortOut(tx, current, emails);
    const problems = [...invalid, ...sorted.invalid];
    if (problems.length > 0) throw invalidAddresses([...problems, ...sorted.skipped]);
    if (sorted.free.length === 0) throw nobodyInvited(sorted.skipped);
    if (await isOverDailyLimit(tx, current, inviter, sorted.free.length)) throw tooManyToday();
    const stored = await storeInvitations(tx, current, inviter, sorted.free, wanted);
    auditInvitations(tx, current, inviter, stored, wanted.offer);
    return { invited: stored, skipped: sorted.skipped };
  });
}

function auditInvitations(
  tx: Tx,
  ctx: Context,
  inviter: UserRow,
  invited: readonly Pick<Invited, "id" | "email" | "expiresAt">[],
  { role, channelIds, groupIds }: Offer,
) {
  const emails = invited.map(({ email }) => email ?? "anybody");
  const offered = { role, channel_ids: channelIds, group_ids: groupIds };
  tx.audit(ctx, {
    action: "invitation.create",
    kind: "invitation",
    ids: invited.map(({ id }) => id),
    after: {
      inviter_id: inviter.id,
      emails,
      ...offered,
      expires_at: invited[0]?.expiresAt ?? null,
    },
  });
}

const invalidAddresses = (errors: AddressProblem[]) =>
  invitationFailed("Some of the addresses are not valid here, so nobody was invited.", { errors });

const nobodyInvited = (errors: AddressProblem[]) =>
  invitationFailed("Nobody was invited: all of these addresses have an account.", { errors });

const someInvited = (errors: AddressProblem[]) =>
  invitationFailed("Some of these addresses have an account. All others were invited.", {
    errors,
    isSent: true,
  });

const tooManyToday = () =>
  invitationFailed(
    "Too many people were invited today. Invite the others tomorrow, or by a reusable link.",
    {
      isLimitReached: true,
    },
  );

/** The inviter: the actor, or for the operator the named person or the oldest active owner. */
async function loadInviter(
  tx: Tx,
  { realm, actor }: Context,
  inviterId: number | undefined,
): Promise<UserRow> {
  if ("user" in actor) return actor.user;
  const users = await listUsers(tx, realm.id);
  const people = users.filter(isActivePerson);
  const found = people.find(({ id, role }) =>
    inviterId === undefined ? role <= roles.owner : id === inviterId,
  );
  if (found) return found;
  throw badRequest("Invitations are made in the name of an active person: name an owner.");
}

/** Refuses actors who may not invite people in this way (BAD_REQUEST). */
export async function requireMayInvite(
  tx: Tx,
  ctx: Context,
  setting: "can_invite_users_group" | "create_multiuse_invite_group",
): Promise<void> {
  if (isUnbound(ctx.actor)) return;
  await requireMember(tx, ctx);
  const refusal = () =>
    badRequest("You do not have permission to invite people in this way. Ask an administrator.");
  await requireMay(tx, ctx, refusal, { realm: setting });
}

interface Sorted {
  free: string[];
  invalid: AddressProblem[];
  /** Addresses that already have an account. */
  skipped: AddressProblem[];
}

async function sortOut(tx: Tx, ctx: Context, emails: readonly string[]): Promise<Sorted> {
  const { realm } = ctx;
  const sorted: Sorted = { free: [], invalid: [], skipped: [] };
  const holders = await findHolders(tx, realm.id, emails);
  const viewer = await viewerOf(tx, ctx, []);
  for (const email of emails) {
    const refusal = isPlaceholderEmail(realm, email)
      ? "Invalid address."
      : (await addressRefusal(tx, realm, email))?.message;
    const found = holders.get(emailKeyOf(email));
    const holder = found && mayReadAddress(viewer, found) ? found : undefined;
    if (refusal !== undefined) sorted.invalid.push([email, refusal, false]);
    else if (holder?.isActive === false)
      sorted.skipped.push([email, "Account has been deactivated.", true]);
    else if (holder) sorted.skipped.push([email, "Already has an account.", false]);
    else sorted.free.push(email);
  }
  return sorted;
}

/** Accounts with one of these addresses, by the key of the address. */
async function findHolders(tx: Tx, realmId: number, emails: readonly string[]) {
  const { users } = tx.t;
  const rows = await tx.db
    .select({
      id: users.id,
      emailKey: users.emailKey,
      isActive: users.isActive,
      botType: users.botType,
      settings: users.settings,
    })
    .from(users)
    .where(and(eq(users.realmId, realmId), inArray(users.emailKey, emails.map(emailKeyOf))));
  return new Map(rows.map((row) => [row.emailKey, row]));
}

async function storeInvitations(
  tx: Tx,
  ctx: Context,
  inviter: UserRow,
  emails: readonly string[],
  { offer, notifiesInviter }: InvitationsWanted,
): Promise<Invited[]> {
  await forgetExpired(tx, ctx.realm.id);
  const tokens = new Map(emails.map((email) => [email, makeToken(ctx)]));
  const wanted = [...tokens].map(([email, { hash }]) => ({
    email,
    emailKey: emailKeyOf(email),
    hash,
    sealed: null,
    notifiesInviter,
    ...offer,
  }));
  const invitations = await insertInvitations(tx, ctx, inviter, wanted);
  const tokenOf = ({ email }: { email: string | null }) => tokens.get(email ?? "")?.token ?? "";
  const invited = invitations.map((one) => ({ ...one, url: linkOf(ctx, tokenOf(one)) }));
  for (const one of invitations)
    await mailInvitation(tx, ctx, inviter, { ...one, email: one.email ?? "", token: tokenOf(one) });
  await noteSent(tx, ctx.realm.id, inviter.id, emails.length);
  await announceInvitations(tx, inviter.id);
  return invited;
}

type NewInvitation = Offer & {
  email: string | null;
  emailKey: string | null;
  hash: string;
  sealed: string | null;
  notifiesInviter: boolean;
};

async function insertInvitations(
  tx: Tx,
  ctx: Context,
  inviter: UserRow,
  wanted: readonly NewInvitation[],
) {
  const { invitations } = tx.t;
  const { id, email, expiresAt } = invitations;
  const rows = wanted.map(({ lifeSeconds, channelIds, groupIds, ...columns }) => ({
    ...columns,
    realmId: ctx.realm.id,
    inviterId: inviter.id,
    channelIds: JSON.stringify(channelIds),
    groupIds: JSON.stringify(groupIds),
    invitedAt: tx.now,
    expiresAt: lifeSeconds === null ? null : tx.now + lifeSeconds,
  }));
  const inserted: Omit<Invited, "url">[] = [];
  for (const chunk of inChunks(rows)) {
    inserted.push(
      ...(await tx.db.insert(invitations).values(chunk).returning({ id, email, expiresAt })),
    );
  }
  return inserted;
}

export const SendInvitations = record({
  inviteeEmails: text(),
  streamIds: ids(),
  notifyReferrerOnJoin: optional(flag()),
  ...offerParameters,
});

/**
 * Sends invitations by the parameters of a request. The links are not answered, because whoever has
 * one could claim the address.
 */
export async function sendInvitations(
  ctx: Context<Person>,
  input: Input<typeof SendInvitations>,
): Promise<undefined> {
  const offer = readOffer(input, input.streamIds);
  const notifiesInviter = input.notifyReferrerOnJoin ?? true;
  await invitePeople(ctx, { addresses: input.inviteeEmails, offer, notifiesInviter });
}

/**
 * Makes a link by which any number of people may join, each with their own address; answers it.
 * Event: invites_changed, to administrators and the inviter. Refuses actors who may not make such
 * links, offers beyond their rights, and too many links of one person. Source:
 * `test/recorded/api/api-surface.json`, create-invite-link.
 */
export async function makeReusableLink(
  ctx: Context,
  { offer, notifiesInviter, inviterId }: Omit<InvitationsWanted, "addresses">,
): Promise<Invited> {
  const { token, hash } = makeToken(ctx);
  const sealed = sealToken(ctx, token);
  return write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const inviter = await loadInviter(tx, current, inviterId);
    await requireMayInvite(tx, current, "create_multiuse_invite_group");
    await requireMayOffer(tx, actingAs(current, inviter), offer);
    await forgetExpired(tx, current.realm.id);
    if ((await countLinks(tx, inviter)) >= linksPerPersonMax) throw tooManyLinks();
    const wanted = { email: null, emailKey: null, hash, sealed, notifiesInviter, ...offer };
    const invitation = onlyRow(await insertInvitations(tx, current, inviter, [wanted]));
    await announceInvitations(tx, inviter.id);
    auditInvitations(tx, current, inviter, [invitation], offer);
    return { ...invitation, url: linkOf(ctx, token) };
  });
}

/** A limit, because links stay until they are withdrawn or expire, and some never expire. */
const linksPerPersonMax = 500;

const tooManyLinks = () =>
  badRequest(
    `You have ${linksPerPersonMax} invitation links that can still be used: withdraw one of them first.`,
  );

async function countLinks(
  { db, t: { invitations } }: Tx,
  { realmId, id }: UserRow,
): Promise<number> {
  const isLinkOf = and(
    eq(invitations.realmId, realmId),
    eq(invitations.inviterId, id),
    isNull(invitations.email),
  );
  return db.$count(invitations, isLinkOf);
}

export const CreateReusableLink = record({
  streamIds: offerParameters.groupIds,
  ...offerParameters,
});
export const ReusableLink = record({ invite_link: Type.String() });

/** Creates a reusable link by the parameters of a request. */
export async function createReusableLink(
  ctx: Context<Person>,
  input: Input<typeof CreateReusableLink>,
): Promise<Static<typeof ReusableLink>> {
  const offer = readOffer(input, input.streamIds ?? []);
  return { invite_link: (await makeReusableLink(ctx, { offer, notifiesInviter: true })).url };
}
