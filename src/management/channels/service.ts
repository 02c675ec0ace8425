import { type Static, Type } from "@sinclair/typebox";
import { filterKnown } from "../../channels/channel-visibility";
import { describeChannel, describeChannels, listedChannel } from "../../channels/describe";
import {
  type ChannelStanding,
  countAllSubscribers,
  invalidChannel,
  listChannels,
  listStandings,
  loadKnownChannel,
  subscribedChannelIds,
} from "../../channels/queries";
import { type BasicChannel, channelObject, listedChannelObject } from "../../channels/wire";
import type { Context, Person } from "../../core/context";
import { flag, type Input, id, optional, record, text } from "../../core/params";
import { mayReadChannel } from "../../core/reading-right/predicate";
import { isGuest } from "../../core/rights/role";

export const ListChannels = record({
  includePublic: optional(flag()),
  includeWebPublic: optional(flag()),
  includeSubscribed: optional(flag()),
  excludeArchived: optional(flag()),
  includeAllActive: optional(flag()),
  includeAll: optional(flag()),
  includeDefault: optional(flag()),
  includeOwnerSubscribed: optional(flag()),
  includeCanAccessContent: optional(flag()),
});

export const ChannelList = record({
  streams: Type.Array(
    Type.Object({
      ...listedChannelObject.properties,
      is_default: Type.Optional(
        Type.Boolean({
          description:
            "Whether it is a default channel of new members; only with `include_default`.",
        }),
      ),
    }),
  ),
});

/**
 * The channels that the actor may know, by the filters of the request, oldest first: by default
 * public ones and the actor's own; for a bot also its owner's; with `includeDefault` each says
 * whether it is a default channel.
 */
export async function listVisibleChannels(
  ctx: Context<Person>,
  input: Input<typeof ListChannels>,
): Promise<Static<typeof ChannelList>> {
  const { realm, reader } = ctx;
  const chosen = await chooseChannels(ctx, input);
  const counts = await countAllSubscribers(reader, realm.id);
  const described = await describeChannels(reader, realm.id, chosen, counts);
  const streams = described.map(listedChannel);
  if (!input.includeDefault) return { streams };
  return {
    streams: streams.map((stream, index) => ({
      ...stream,
      is_default: chosen[index]?.isDefault ?? false,
    })),
  };
}

/** Every channel, including archived ones, oldest first, for the operator. */
export async function listAllChannels({ reader, realm }: Context): Promise<BasicChannel[]> {
  const counts = await countAllSubscribers(reader, realm.id);
  return describeChannels(reader, realm.id, await listChannels(reader, realm.id), counts);
}

async function chooseChannels(ctx: Context<Person>, input: Input<typeof ListChannels>) {
  const { realm, reader } = ctx;
  const { id: userId, role, botOwnerId } = ctx.actor.user;
  const standings = await listStandings(reader, realm.id, userId);
  const knownIds = new Set(
    (await filterKnown(reader, ctx, ctx.actor.user, standings)).map(({ channel }) => channel.id),
  );
  const asksForOwners = input.includeOwnerSubscribed === true && botOwnerId !== null;
  const ofOwner = new Set(
    asksForOwners ? await subscribedChannelIds(reader, realm.id, botOwnerId) : [],
  );
  const isAsked = ({ channel, isSubscribed }: ChannelStanding) => {
    if (channel.isArchived && input.excludeArchived !== false) return false;
    if (ofOwner.has(channel.id)) return true;
    if (!knownIds.has(channel.id)) return false;
    if (input.includeAll || input.includeAllActive) return true;
    if (input.includeCanAccessContent && mayReadChannel(role, channel, isSubscribed)) return true;
    if (isSubscribed && input.includeSubscribed !== false) return true;
    if (channel.isWebPublic && input.includeWebPublic) return true;
    return !channel.inviteOnly && !isGuest(role) && input.includePublic !== false;
  };
  return standings.filter(isAsked).map(({ channel }) => channel);
}

export const GetChannel = record({ streamId: id() });

export const OneChannel = record({ stream: channelObject });

/** One channel; refuses one that the actor may not know like one that does not exist. */
export async function getChannel(
  ctx: Context,
  input: Input<typeof GetChannel>,
): Promise<Static<typeof OneChannel>> {
  const { channel } = await loadKnownChannel(ctx, ctx.reader, { id: input.streamId });
  return { stream: await describeChannel(ctx.reader, channel) };
}

export const GetChannelId = record({ stream: text() });

/**
 * The id of the channel with this name, ignoring case; refuses one that is archived, or that the
 * actor may not know.
 */
export async function getChannelId(
  ctx: Context<Person>,
  input: Input<typeof GetChannelId>,
): Promise<{ stream_id: number }> {
  const { channel } = await loadKnownChannel(ctx, ctx.reader, { name: input.stream });
  if (channel.isArchived) throw invalidChannel({ name: input.stream });
  return { stream_id: channel.id };
}
