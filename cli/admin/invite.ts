import { isoTime } from "../../src/core/clock";
import type { Context } from "../../src/core/context";
import { findRole, type RoleName, roleName, roles } from "../../src/core/rights/role";
import { type Invited, inviteFree, makeReusableLink } from "../../src/joining/invitations/invite";
import { readOffer } from "../../src/joining/invitations/offer";
import {
  listInvitations,
  renewInvitation,
  revokeInvitation,
  revokeReusableLink,
} from "../../src/joining/invitations/service";
import {
  listAccounts,
  loadAccount,
  loadChannelId,
  loadNamedGroup,
} from "../../src/moving/organization/lookup";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { exitRefused, formatTable, printNotice, printResult, UsageError } from "../output";
import { readId } from "../read-id";
import { orWhereListed } from "../where-listed";
import { readSeconds } from "./sign-in";

type OfferOptions = RealmOptions & {
  role: RoleName;
  channel?: string[];
  group?: string[];
  defaultChannels: boolean;
  expires: string;
  welcome?: string;
  from?: string;
};

const shown = ({ id, email, url, expiresAt }: Invited) => ({
  id,
  email,
  url,
  expires_at: expiresAt,
});

function readMinutes(text: string): number | null {
  return text === "never" ? null : Math.ceil(readSeconds(text) / 60);
}

async function offerOf(ctx: Context, options: OfferOptions, inviteExpiresInMinutes: number | null) {
  const { role: name, channel = [], group = [], defaultChannels, welcome } = options;
  const inviteAs = findRole(name) ?? roles.member;
  const groupIds = await Promise.all(group.map(async (one) => (await loadNamedGroup(ctx, one)).id));
  const channelIds = await Promise.all(channel.map((one) => loadChannelId(ctx, one)));
  const includeRealmDefaultSubscriptions = defaultChannels && inviteAs !== roles.guest;
  const welcomeMessageCustomText = welcome ?? null;
  return readOffer(
    {
      inviteAs,
      groupIds,
      includeRealmDefaultSubscriptions,
      inviteExpiresInMinutes,
      welcomeMessageCustomText,
    },
    channelIds,
  );
}

const namedBy = async (ctx: Context, { from }: OfferOptions) =>
  from === undefined ? undefined : (await loadAccount(ctx, from)).id;

/**
 * `chatd admin invite create [EMAIL…] [--reusable] …`: prints the link of each invitation, once,
 * then the addresses that have an account, which makes the exit code 1.
 * The inviter is an owner, who gets no notice when somebody accepts.
 */
export async function createInvitations(
  emails: string[],
  options: OfferOptions & { reusable?: boolean },
) {
  if (options.reusable ? emails.length > 0 : emails.length === 0) {
    throw new UsageError(
      "Name the e-mail addresses to invite, or make a link for everybody with --reusable.",
    );
  }
  const minutes = readMinutes(options.expires);
  const { invited, skipped } = await withOperator(options, async (ctx) => {
    const offer = await offerOf(ctx, options, minutes);
    const wanted = { offer, notifiesInviter: false, inviterId: await namedBy(ctx, options) };
    if (options.reusable) return { invited: [await makeReusableLink(ctx, wanted)], skipped: [] };
    return inviteFree(ctx, { ...wanted, addresses: emails.join(",") });
  });
  const notInvited = skipped.map(([email, why]) => ({ email, why }));
  printLinks(options, invited, notInvited);
  for (const { email, why } of notInvited) printNotice(`Not invited: ${email}. ${why}`);
  if (skipped.length > 0) process.exitCode = exitRefused;
}

function printLinks(
  options: RealmOptions,
  invited: readonly Invited[],
  notInvited?: readonly { email: string; why: string }[],
) {
  const [only] = invited;
  const rows = invited.map(({ id, email, url }) => [String(id), email ?? "anybody", url]);
  const lines =
    only && invited.length === 1 ? [only.url] : formatTable(["ID", "E-MAIL", "LINK"], rows);
  printResult(options, { invitations: invited.map(shown), not_invited: notInvited }, lines);
  if (options.json || !only) return;
  const until =
    only.expiresAt === null ? "until it is withdrawn" : `until ${isoTime(only.expiresAt)}`;
  const links = invited.length === 1 ? "It" : "Each";
  printNotice(
    only.email === null ? `Anybody may join by it, ${until}.` : `${links} works once, ${until}.`,
  );
}

/** `chatd admin invite list`: open invitations, without their links. */
export async function listAllInvitations(options: RealmOptions) {
  const { invites, accounts } = await withOperator(options, async (ctx) => ({
    ...(await listInvitations(ctx)),
    accounts: await listAccounts(ctx),
  }));
  const invitations = invites.map((one) => ({
    id: one.id,
    email: one.is_multiuse ? null : one.email,
    role: roleName(one.invited_as),
    invited_by: accounts.find(({ id }) => id === one.invited_by_user_id)?.email ?? "",
    invited_at: one.invited,
    expires_at: one.expiry_date,
  }));
  const rows = invitations.map(({ id, email, role, invited_by, expires_at }) => [
    String(id),
    email ?? "anybody",
    role,
    invited_by,
    expires_at === null ? "never" : isoTime(expires_at),
  ]);
  printResult(
    options,
    { invitations },
    formatTable(["ID", "E-MAIL", "ROLE", "INVITED BY", "EXPIRES"], rows),
  );
}

/**
 * `chatd admin invite renew ID`: makes a new link for an invited address; the former one stops
 * working.
 */
export async function renew(id: string, options: RealmOptions) {
  const inviteId = readId(id);
  const renewed = withOperator(options, (ctx) => renewInvitation(ctx, inviteId));
  printLinks(options, [await orWhereListed("invite list", renewed)]);
}

/** `chatd admin invite revoke ID`: its link stops working. */
export async function revoke(id: string, options: RealmOptions) {
  const inviteId = readId(id);
  await withOperator(options, async (ctx) => {
    const { invites } = await listInvitations(ctx);
    const isReusable = invites.find((one) => one.id === inviteId)?.is_multiuse ?? false;
    const work = (isReusable ? revokeReusableLink : revokeInvitation)(ctx, { inviteId });
    await orWhereListed("invite list", work);
  });
  printResult(options, { id: inviteId }, [`Revoked the invitation ${inviteId}.`]);
}
