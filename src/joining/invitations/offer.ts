import { mayAddSubscribers } from "../../channels/permissions";
import { type ChannelRow, findAccess } from "../../channels/queries";
import type { Context, Person, Tx } from "../../core/context";
import { ApiError, badRequest, ownerRequired } from "../../core/errors";
import {
  flag,
  type Input,
  ids,
  integer,
  nullable,
  optional,
  record,
  text,
} from "../../core/params";
import { holdsRole, isRole, type Role, roles } from "../../core/rights/role";
import { isLonger } from "../../core/text/name";
import { mayGrantRole } from "../../people/invited/grant-role";
import { loadGroupToChange } from "../../people/user-groups/permission";

/** An invitation is valid for ten days by default. */
const lifeMinutesDefault = 10 * 24 * 60;
const lifeMinutesMax = 10 * 365 * 24 * 60;
const placesMax = 500;
const welcomeTextLengthMax = 8_000;

/** Parameters for the offer of an invitation. */
export const offerParameters = {
  inviteExpiresInMinutes: optional(nullable(integer())),
  inviteAs: optional(integer()),
  groupIds: optional(nullable(ids())),
  includeRealmDefaultSubscriptions: optional(flag()),
  welcomeMessageCustomText: optional(nullable(text())),
};

const OfferInput = record(offerParameters);

/** Roles, channels, groups and texts that an invitation gives to the person who accepts it. */
export interface Offer {
  role: Role;
  channelIds: number[];
  groupIds: number[];
  withDefaults: boolean;
  /** Null for the organization's own text. */
  welcomeText: string | null;
  /** Seconds; null for an invitation that never expires. */
  lifeSeconds: number | null;
}

/** Offer by the parameters of a request. Refuses invalid roles, times and texts (BAD_REQUEST). */
export function readOffer(input: Input<typeof OfferInput>, streamIds: readonly number[]): Offer {
  const role = input.inviteAs ?? roles.member;
  if (!isRole(role)) throw badRequest("invite_as must be one of 100, 200, 300, 400, 600.");
  const welcomeText = input.welcomeMessageCustomText ?? null;
  if (welcomeText !== null && isLonger(welcomeText, welcomeTextLengthMax)) {
    throw badRequest(`A welcome message has at most ${welcomeTextLengthMax} characters.`);
  }
  const [channelIds, groupIds] = [[...new Set(streamIds)], [...new Set(input.groupIds ?? [])]];
  if (channelIds.length > placesMax || groupIds.length > placesMax) {
    throw badRequest(`An invitation names at most ${placesMax} channels and ${placesMax} groups.`);
  }
  const withDefaults = input.includeRealmDefaultSubscriptions ?? false;
  return {
    role,
    channelIds,
    groupIds,
    withDefaults,
    welcomeText,
    lifeSeconds: readLife(input.inviteExpiresInMinutes),
  };
}

function readLife(minutes: number | null | undefined): number | null {
  if (minutes === null) return null;
  const given = minutes ?? lifeMinutesDefault;
  if (given >= 1 && given <= lifeMinutesMax) return given * 60;
  throw badRequest(`An invitation expires after 1 to ${lifeMinutesMax} minutes, or never: null.`);
}

/**
 * Refuses an offer beyond the rights of the inviter, who is the context's actor: a role, channels
 * or groups that they may not add people to, or a text that only administrators may choose
 * (BAD_REQUEST; the role of owner needs an owner: UNAUTHORIZED_PRINCIPAL).
 */
export async function requireMayOffer(tx: Tx, ctx: Context<Person>, offer: Offer): Promise<void> {
  const { role } = offer;
  if (!mayGrantRole(ctx.actor.user, role)) {
    throw role <= roles.owner
      ? ownerRequired()
      : badRequest("Only administrators may invite people with this role.");
  }
  if (offer.welcomeText !== null && !holdsRole(ctx.actor, "administrator")) {
    throw badRequest("Only administrators may change the welcome message for new people.");
  }
  for (const id of offer.channelIds) await requireMayOfferChannel(tx, ctx, id);
  for (const id of offer.groupIds) {
    if (!(await mayOfferGroup(tx, ctx, id))) {
      throw badRequest(`You may not add people to the group ${id}. Nobody was invited.`);
    }
  }
}

async function requireMayOfferChannel(tx: Tx, ctx: Context, id: number): Promise<void> {
  const access = await findAccess(ctx, tx, { id });
  if (!access?.mayKnow || access.channel.isArchived) {
    throw badRequest(`Invalid channel ID ${id}. Nobody was invited.`);
  }
  if (await mayAddSubscribers(tx, ctx, access)) return;
  throw badRequest(
    `You may not add people to the channel '${access.channel.name}'. Nobody was invited.`,
  );
}

/** Channels of the offer that the inviter may still add people to. */
export async function channelsStillOffered(
  tx: Tx,
  ctx: Context<Person>,
  channelIds: readonly number[],
): Promise<ChannelRow[]> {
  const channels: ChannelRow[] = [];
  for (const id of channelIds) {
    const access = await findAccess(ctx, tx, { id });
    if (!access?.mayKnow || access.channel.isArchived) continue;
    if (await mayAddSubscribers(tx, ctx, access)) channels.push(access.channel);
  }
  return channels;
}

/**
 * Whether the actor may add people to a group: it exists, is active, and the actor has the
 * permission.
 */
export async function mayOfferGroup(
  tx: Tx,
  ctx: Context<Person>,
  groupId: number,
): Promise<boolean> {
  try {
    return (await loadGroupToChange(tx, ctx, groupId, "can_add_members_group")).isActive;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
