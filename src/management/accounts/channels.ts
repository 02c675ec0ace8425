import { type Static, Type } from "@sinclair/typebox";
import { filterKnown } from "../../channels/channel-visibility";
import { listChannels, subscribedChannelIds } from "../../channels/queries";
import type { Context, Person } from "../../core/context";
import { type Input, id, record } from "../../core/params";
import { loadVisibleUser } from "../../people/users/viewer";

export const GetUserChannels = record({ userId: id() });
export const UserChannels = record({ subscribed_channel_ids: Type.Array(Type.Integer()) });

/**
 * The ids of the channels that somebody is subscribed to and the actor may know, ascending. Refuses
 * a user whom the actor does not see like one who does not exist (BAD_REQUEST). Source:
 * `test/recorded/api/api-surface.json`, get-user-channels.
 */
export async function getUserChannels(
  ctx: Context<Person>,
  input: Input<typeof GetUserChannels>,
): Promise<Static<typeof UserChannels>> {
  const { reader, realm, actor } = ctx;
  const user = await loadVisibleUser(reader, ctx, input.userId);
  const theirs = new Set(await subscribedChannelIds(reader, realm.id, user.id));
  const ownChannelIds = new Set(await subscribedChannelIds(reader, realm.id, actor.user.id));
  const standings = (await listChannels(reader, realm.id))
    .filter((channel) => theirs.has(channel.id))
    .map((channel) => ({ channel, isSubscribed: ownChannelIds.has(channel.id) }));
  const knownStandings = await filterKnown(reader, ctx, actor.user, standings);
  return { subscribed_channel_ids: knownStandings.map(({ channel }) => channel.id) };
}
