import { type ChannelToCreate, createChannel, prepareChannel } from "../channels/create";
import type { ChannelRow } from "../channels/queries";
import type { Context } from "../core/context";
import { write } from "../core/write";
import { renewContext } from "../users/renew-context";
import { type NoticeWishes, sendNotices } from "./notices";
import { loadPrincipals, type Principal } from "./principals";
import { subscribeUsers } from "./subscribe";

export interface NewChannel {
  channel: ChannelToCreate;
  /** Who is in it from the start. */
  subscribers: readonly Principal[];
  notices: NoticeWishes;
}

/**
 * Makes a channel with its first subscribers; answers its row. Announces what `createChannel`, `subscribeUsers` and
 * `sendNotices` do. Refuses a name that is taken, who may not make such a channel, and subscribers who are not there.
 */
export async function createNewChannel(ctx: Context, input: NewChannel): Promise<ChannelRow> {
  const prepared = prepareChannel(input.channel);
  return write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    const people = await loadPrincipals(tx, renewed, input.subscribers);
    const channel = await createChannel(tx, renewed, prepared);
    const userIds = people.map(({ id }) => id);
    const { subscribed } = await subscribeUsers(tx, renewed, [channel], userIds);
    await sendNotices(tx, renewed, { created: [channel], subscribed }, input.notices);
    return channel;
  });
}
