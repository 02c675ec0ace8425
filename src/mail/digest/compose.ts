import type { ChannelRow } from "../../channels/queries";
import { listOwnSubscriptions } from "../../channels/subscribers";
import type { Context, UserRow } from "../../core/context";
import { siteOf } from "../../core/network/site";
import { hasOpenHistory } from "../../core/reading-right/predicate";
import { listPeriods } from "../../core/reading-right/stored";
import { roles } from "../../core/rights/role";
import type { Mail } from "../../letters/envelope";
import { type Block, link, note, paragraph } from "../../letters/letter";
import { unsubscribing } from "../../letters/unsubscribe-link";
import { parseUserSettings } from "../../people/settings/user-settings";
import { topicPath } from "../../protocol/narrow-links";
import { emptyTopicDisplayName } from "../../protocol/topics";
import { unmutedAmong } from "../../reading/unmuted";
import { parseRealmSettings } from "../../realm/settings";
import { type MailWords, wordsOfUser } from "../words/mail-words";
import type { BusyTopic } from "./busy-topics";

/** The part of a realm's week that all its digests share. */
export interface Week {
  /** The last message before the week. */
  after: number;
  topics: readonly BusyTopic[];
  channels: ReadonlyMap<number, ChannelRow>;
  newChannels: readonly ChannelRow[];
}

const topicsShown = 5;
const channelsShown = 10;

/**
 * Digest of a week for somebody who was away: the busiest topics of their channels, if they may
 * read them and have not muted them, and new public channels. Undefined if there was nothing.
 * Without names where they or the organization do not want messages in mails.
 */
export async function composeDigest(
  ctx: Context,
  user: UserRow,
  week: Week,
): Promise<Mail | undefined> {
  const topics = await topicsFor(ctx, user, week);
  const channels = user.role < roles.guest ? week.newChannels : [];
  if (topics.length === 0 && channels.length === 0) return undefined;
  const { realm } = ctx;
  const words = wordsOfUser(user);
  const ending = unsubscribing(ctx, user, "digest", words.tag);
  return {
    to: user,
    subject: words.theWeek(realm.name),
    language: words.tag,
    about: "the digest",
    tellUserId: user.id,
    unsubscribeUrl: ending.url,
    digestOf: user.id,
    letter: [
      paragraph(words.hello(user.fullName)),
      paragraph(words.whileAway(realm.name)),
      ...(mayName(ctx, user)
        ? named(ctx, words, week, { topics, channels })
        : counted(words, topics, channels)),
      link(words.goTo(realm.name), siteOf(ctx)),
      note(words.onceAWeek, ending),
    ],
  };
}

function mayName({ realm }: Context, user: UserRow): boolean {
  const isAllowed = parseRealmSettings(
    realm.settings,
  ).message_content_allowed_in_email_notifications;
  return isAllowed && parseUserSettings(user.settings).message_content_in_email_notifications;
}

async function topicsFor(
  { reader, realm }: Context,
  user: UserRow,
  week: Week,
): Promise<BusyTopic[]> {
  const periods = await listPeriods(reader, realm.id, user.id);
  const isWholeWeekTheirs = (channel: ChannelRow) =>
    hasOpenHistory(channel) ||
    periods.some(
      ({ channelId, fromMessage, toLog }) =>
        channelId === channel.id && toLog === null && fromMessage <= week.after,
    );
  const subscriptions = (await listOwnSubscriptions(reader, realm.id, user.id)).filter(
    ({ isActive }) => isActive,
  );
  const readable = new Set(
    subscriptions.flatMap(({ channelId }) => {
      const channel = week.channels.get(channelId);
      return channel && isWholeWeekTheirs(channel) ? [channelId] : [];
    }),
  );
  const theirs = week.topics.filter(({ channelId }) => readable.has(channelId));
  const isUnmuted = await unmutedAmong(reader, realm.id, user.id, theirs);
  return theirs.filter(isUnmuted);
}

function named(
  ctx: Context,
  words: MailWords,
  week: Week,
  { topics, channels }: { topics: readonly BusyTopic[]; channels: readonly ChannelRow[] },
): Block[] {
  const site = siteOf(ctx);
  const blocks: Block[] = topics
    .slice(0, topicsShown)
    .flatMap(({ channelId, topic, messages, people }) => {
      const channel = week.channels.get(channelId);
      if (!channel) return [];
      const label = `#${channel.name} > ${topic === "" ? emptyTopicDisplayName : topic}`;
      return [
        link(label, `${site}/${topicPath(channel, topic)}`),
        paragraph(words.messagesOf(messages, people)),
      ];
    });
  if (channels.length === 0) return blocks;
  const names = channels.slice(0, channelsShown).map(({ name }) => `#${name}`);
  return [...blocks, paragraph(words.newChannels(names.join(", ")))];
}

function counted(
  words: MailWords,
  topics: readonly BusyTopic[],
  channels: readonly ChannelRow[],
): Block[] {
  const messages = topics.reduce((sum, one) => sum + one.messages, 0);
  const heard = words.messagesIn(messages, topics.length);
  const more = channels.length === 0 ? "" : words.andChannels(channels.length);
  return [paragraph(`${heard}${more}`)];
}
