import type { ChannelRow } from "../../channels/queries";
import type { Context, Tx } from "../../core/context";
import { namedInNotice } from "../../core/notice-actor";
import { type RenderedNotices, sendNoticeIn } from "../../messages/send/notice";
import { findUsersByIds } from "../../people/users/queries";
import { subscribersToldMax } from "../../protocol/limits";
import { announceNewChannels, tellCreated } from "../channels/notices";
import type { ChannelsByUser } from "./subscribe";

/** Outcome of a request to subscribe people, for its notices. */
export interface Subscribed {
  created: readonly ChannelRow[];
  subscribed: ChannelsByUser;
}

/** Notices that the actor wants to be sent. */
export interface NoticeWishes {
  /** Whether to announce new channels in the channel that the organization has chosen for that. */
  announce: boolean;
  /** Whether to tell people about subscriptions that somebody else has given them. */
  tellSubscribed: boolean;
}

/**
 * Sends notices as Notification Bot: to people about their new subscriptions, to the organization
 * and the new channels about these channels. Answers whether people got theirs: if too many are
 * subscribed at once, nobody does. Source: `test/recorded/api/levels.tsv`, 397; recorded behaviour
 * of the reference server.
 */
export async function sendNotices(
  tx: Tx,
  ctx: Context,
  { created, subscribed }: Subscribed,
  wishes: NoticeWishes,
) {
  const isTold = wishes.tellSubscribed && subscribed.size <= subscribersToldMax;
  if (isTold) await tellPeople(tx, ctx, subscribed, created);
  if (wishes.announce) await announceNewChannels(tx, ctx, created);
  for (const channel of created) await tellCreated(tx, ctx, channel);
  return isTold;
}

/** Each person gets one direct message about all existing channels; bots get none. */
async function tellPeople(
  tx: Tx,
  ctx: Context,
  subscribed: ChannelsByUser,
  created: readonly ChannelRow[],
) {
  const { realm, actor } = ctx;
  const newIds = new Set(created.map(({ id }) => id));
  const channelsByUser = new Map(
    [...subscribed].map(([userId, channels]) => [
      userId,
      channels.filter(({ id }) => !newIds.has(id)),
    ]),
  );
  if ("user" in actor) channelsByUser.delete(actor.user.id);
  const renderedBefore: RenderedNotices = new Map();
  for (const person of await findUsersByIds(tx, realm.id, [...channelsByUser.keys()])) {
    const channels = channelsByUser.get(person.id) ?? [];
    if (channels.length === 0 || person.botType !== null || !person.isActive) continue;
    const content = `${subscriberOf(ctx)} subscribed you to ${listOf(channels)}`;
    await sendNoticeIn(tx, ctx, { person, content, linksTo: channels, renderedBefore });
  }
}

/** The actor in the notice: as a mention that can be clicked and that notifies. */
const subscriberOf = (ctx: Context) =>
  "user" in ctx.actor ? `@**${ctx.actor.user.fullName}|${ctx.actor.user.id}**` : namedInNotice(ctx);

function listOf(channels: readonly ChannelRow[]): string {
  const [only] = channels;
  if (only && channels.length === 1) return `the channel #**${only.name}**.`;
  return `the following channels:\n\n${channels.map(({ name }) => `* #**${name}**`).join("\n")}`;
}
