import type { Reader } from "../../../db/reader";
import { defaultChannelIds, findChannelsByIds } from "../../channels/queries";
import { actingAs } from "../../core/account";
import { Page } from "../../core/answer";
import type { Context, Tx, UserRow } from "../../core/context";
import { type ApiError, refusedFor } from "../../core/errors";
import { silentMention } from "../../core/notice-actor";
import { type Input, optional, record, text } from "../../core/params";
import { isRole, type Role } from "../../core/rights/role";
import { isMailOn } from "../../letters/relay";
import { addPersonIn, type PreparedUser } from "../../management/accounts/create";
import { welcomeNewcomer } from "../../management/accounts/welcome";
import { changeGroupMembersIn } from "../../management/groups/members";
import { subscribeUsers } from "../../management/subscriptions/subscribe";
import { sendNoticeIn } from "../../messages/send/notice";
import { mayGrantRole } from "../../people/invited/grant-role";
import {
  findOpenInvitation,
  type InvitationRow,
  removeInvitation,
} from "../../people/invited/store";
import { findUser } from "../../people/users/queries";
import { loadRealm } from "../../realm/queries";
import { endProofsOf, findProof, type ProofKind } from "../../sign-in/address-proofs";
import { type Browser, sessionOf } from "../../sign-in/browser";
import { originOf, requireOwnOrigin } from "../../sign-in/cookies";
import { maskToken } from "../../sign-in/csrf-token";
import { refusalIn } from "../../sign-in/refusal";
import { askToJoin } from "../ask-to-join";
import { chosenChannelIds, offeredGroups } from "../chosen-channels";
import { enterAs, linkRefused } from "../enter";
import { hashOf } from "../invitation-link";
import { invitedBy, type JoinView, joinPage, signedInPage, type TypedToJoin } from "../join-pages";
import { registerPage, sentPage } from "../register-pages";
import { wordsOfStranger, wordsOfUser } from "../words";
import { isEmail } from "./addresses";
import { channelsStillOffered, mayOfferGroup } from "./offer";

const kind: ProofKind = "joining";

export const ShowInvitation = record({ token: text() });

/**
 * The page of an invitation's link. It changes nothing. A link that was used or withdrawn, has
 * expired or belongs to another organization is answered like one that never existed; so is one
 * whose inviter may no longer give what it offers. People who are signed in are offered the chat.
 */
export async function showInvitation(
  ctx: Context,
  { token }: Input<typeof ShowInvitation>,
  browser: Browser,
): Promise<Page> {
  const found = await findValid(ctx.reader, ctx, token);
  if (!found) return linkRefused(ctx);
  return (await pageForMember(ctx, browser, `/join/${token}`)) ?? pageFor(ctx, found);
}

/** The page of a link, by its path, for somebody who is signed in; undefined for others. */
async function pageForMember(
  ctx: Context,
  browser: Browser,
  path: string,
): Promise<Page | undefined> {
  const session = await sessionOf(ctx, browser);
  if (!session) return undefined;
  const { user } = session;
  const csrfToken = maskToken(session.csrfToken);
  const { name: realmName } = ctx.realm;
  return new Page(signedInPage({ words: wordsOfUser(user), realmName, user, csrfToken, path }));
}

/**
 * Whether an address must be proven by mail: for a reusable link where mail is configured, because
 * anybody could claim any address there.
 */
const isToProve = ({ app }: Context, { invitation }: ValidInvitation) =>
  invitation.email === null && isMailOn(app.config);

async function pageFor(
  ctx: Context,
  found: ValidInvitation,
  refusal?: ApiError,
  typed: TypedToJoin = {},
): Promise<Page> {
  const view = { ...(await viewOf(ctx, found)), typed };
  const { message, status } = refusal ?? {};
  const page = isToProve(ctx, found)
    ? registerPage(view.words, view.realmName, invitedBy(view), {
        reason: message,
        email: typed.email,
      })
    : joinPage(view, message);
  return new Page(page, status);
}

export const AcceptInvitation = record({
  token: text(),
  email: optional(text()),
  fullName: optional(text()),
  password: optional(text()),
  defaultStreamGroup: optional(text()),
});

/**
 * Accepts an invitation: makes the account, as `joinIn` does, with the given name and password, and
 * signs the browser in. An invitation of an address works only once, even if two requests use it
 * simultaneously. For a reusable one, where mail is configured, the address gets a further link by
 * mail (`askToJoin`). A wrong name, address or password is shown on the page, and the invitation
 * stays valid. Refuses a request from another site (403), because it would sign people in as
 * somebody else.
 */
export async function acceptInvitation(
  ctx: Context,
  input: Input<typeof AcceptInvitation>,
  browser: Browser,
): Promise<Page> {
  const found = await findValid(ctx.reader, ctx, input.token);
  if (!found) return linkRefused(ctx);
  try {
    requireOwnOrigin(originOf(ctx, browser));
    const { email = "" } = input;
    if (!isToProve(ctx, found))
      return await join(ctx, input, found.invitation.email ?? email, found.role, browser);
    await askToJoin(ctx, email, browser, found.invitation.id);
    return new Page(sentPage(wordsOfStranger(ctx), ctx.realm.name));
  } catch (error) {
    const refusal = refusalIn(error, wordsOfStranger(ctx).tag);
    return pageFor(ctx, found, refusal, input);
  }
}

export const ShowProven = record({ token: text(), proof: text() });

/**
 * The page of the link that was mailed for a reusable invitation. It changes nothing; an invalid
 * link is answered like one that never existed.
 */
export async function showProven(
  ctx: Context,
  input: Input<typeof ShowProven>,
  browser: Browser,
): Promise<Page> {
  const found = await findProven(ctx.reader, ctx, input);
  if (!found) return linkRefused(ctx);
  const page = joinPage({ ...(await viewOf(ctx, found)), email: found.proof.email });
  const path = `/join/${input.token}/${input.proof}`;
  return (await pageForMember(ctx, browser, path)) ?? new Page(page);
}

export const AcceptProven = record({
  token: text(),
  proof: text(),
  fullName: optional(text()),
  password: optional(text()),
  defaultStreamGroup: optional(text()),
});

/**
 * Accepts a reusable invitation for a person who has proven an address, once. A withdrawn
 * invitation no longer works.
 */
export async function acceptProven(
  ctx: Context,
  input: Input<typeof AcceptProven>,
  browser: Browser,
): Promise<Page> {
  const found = await findProven(ctx.reader, ctx, input);
  if (!found) return linkRefused(ctx);
  const { email } = found.proof;
  try {
    requireOwnOrigin(originOf(ctx, browser));
    return await join(ctx, input, email, found.role, browser);
  } catch (error) {
    const { message, status } = refusalIn(error, wordsOfStranger(ctx).tag);
    const view = { ...(await viewOf(ctx, found)), email, typed: input };
    return new Page(joinPage(view, message), status);
  }
}

async function findProven(
  reader: Reader,
  ctx: Context,
  { token, proof: given }: Input<typeof ShowProven>,
) {
  const found = await findValid(reader, ctx, token);
  const proof =
    found?.invitation.email === null ? await findProof(reader, ctx, kind, given) : undefined;
  return found && proof && { ...found, proof };
}

interface Joining {
  token: string;
  proof?: string;
  fullName?: string | undefined;
  password?: string | undefined;
  /** Name of the group of channels that the newcomer has chosen. */
  defaultStreamGroup?: string | undefined;
}

async function join(
  ctx: Context,
  joining: Joining,
  email: string,
  role: Role,
  browser: Browser,
): Promise<Page> {
  if (!isEmail(email))
    throw refusedFor("address-form", "This is not a valid e-mail address.", email);
  const { fullName = "", password = "" } = joining;
  return enterAs(ctx, { email, fullName, password, role }, browser, (tx, prepared) =>
    joinIn(tx, ctx, joining, prepared),
  );
}

interface ValidInvitation {
  invitation: InvitationRow;
  inviter: UserRow;
  role: Role;
}

async function findValid(
  reader: Reader,
  ctx: Context,
  token: string,
): Promise<ValidInvitation | undefined> {
  const realm = await loadRealm(reader, ctx.realm.id);
  if (!realm.isActive) return undefined;
  const invitation = await findOpenInvitation(reader, realm.id, hashOf(ctx, token), ctx.now);
  if (!invitation || !isRole(invitation.role)) return undefined;
  const inviter = await findUser(reader, realm.id, invitation.inviterId);
  if (!inviter?.isActive || !mayGrantRole(inviter, invitation.role)) return undefined;
  return { invitation, inviter, role: invitation.role };
}

const viewOf = async (
  ctx: Context,
  { invitation, inviter, role }: ValidInvitation,
): Promise<JoinView> => ({
  words: wordsOfStranger(ctx),
  realmName: ctx.realm.name,
  email: invitation.email,
  invitation: { inviterName: inviter.fullName, role },
  groups: await offeredGroups(ctx.reader, ctx.realm.id, role),
});

/**
 * The part of joining that runs in a write; undefined for an invitation that is no longer valid.
 * The newcomer gets the language of their browser, the offered role, the channels and groups that
 * the inviter may still give, and the channels that they have chosen. Events: those of
 * `addPersonIn`, of the groups, and of the messages; invites_changed when the invitation is used
 * up. Refuses an address or a name in use, and an address that the organization does not accept
 * (BAD_REQUEST).
 */
async function joinIn(
  tx: Tx,
  outer: Context,
  { token, proof, defaultStreamGroup }: Joining,
  prepared: PreparedUser,
): Promise<UserRow | undefined> {
  const found = await findValid(tx, outer, token);
  const proven = proof === undefined ? undefined : await findProof(tx, outer, kind, proof);
  if (!found || (proof !== undefined && !proven)) return undefined;
  if (proven) await endProofsOf(tx, proven);
  const { invitation, inviter, role } = found;
  const ctx = { ...outer, realm: await loadRealm(tx, outer.realm.id) };
  const giving = actingAs(ctx, inviter);
  if (invitation.email !== null) await removeInvitation(tx, invitation);
  const offered = await channelsStillOffered(tx, giving, readIds(invitation.channelIds));
  const chosen = await chosenChannelIds(tx, ctx.realm.id, role, defaultStreamGroup);
  const user = await addPersonIn(tx, ctx, prepared, async ({ id }) => {
    const channelIds = new Set([...offered.map((channel) => channel.id), ...chosen]);
    if (invitation.withDefaults)
      for (const one of await defaultChannelIds(tx, ctx.realm.id)) channelIds.add(one);
    await subscribeUsers(tx, ctx, await findChannelsByIds(tx, ctx.realm.id, [...channelIds]), [id]);
  });
  for (const groupId of readIds(invitation.groupIds)) {
    if (!(await mayOfferGroup(tx, giving, groupId))) continue;
    await changeGroupMembersIn(tx, giving, groupId, { add: [user.id], remove: [] });
  }
  const offer = { invitation_id: invitation.id, inviter_id: inviter.id };
  const after = { email: user.email, full_name: user.fullName, role: user.role, ...offer };
  tx.audit(ctx, { action: "user.create", kind: "user", ids: [user.id], after });
  await welcomeNewcomer(tx, ctx, user, invitation.welcomeText);
  if (invitation.notifiesInviter && inviter.botType === null) {
    const content = `${silentMention(user)} accepted your invitation to join the organization.`;
    await sendNoticeIn(tx, ctx, { person: inviter, content });
  }
  return user;
}

function readIds(stored: string): number[] {
  const ids: unknown = JSON.parse(stored);
  return Array.isArray(ids) ? ids.filter((one): one is number => Number.isInteger(one)) : [];
}
