import type { ChannelRow } from "../channels/queries";
import { channelAddress, encodePart } from "../markdown/channel-links";

type Named = Pick<ChannelRow, "id" | "name">;

/** Address at which clients show a topic, as a link within their page. */
export const topicAddress = (channel: Named, topic: string): string =>
  `${channelAddress(channel).slice(1)}/topic/${encodePart(topic)}`;

/** Signs with which a name would be something else than a name in Markdown. */
const special = /[`*&<>[\]$@\\]/;

/**
 * A topic as the server names it in what it says: as `#**channel>topic**`, or as a plain link where
 * its names forbid that.
 */
export function topicLink(channel: Named, topic: string): string {
  if (!special.test(channel.name + topic)) return `#**${channel.name}>${topic}**`;
  return `[#${harmless(channel.name)} > ${harmless(topic)}](${topicAddress(channel, topic)})`;
}

/** Text that Markdown shows as it is. */
const harmless = (text: string) =>
  text.replace(/[^\p{L}\p{N} ]/gu, (sign) =>
    [...sign].map((point) => `&#${point.codePointAt(0)};`).join(""),
  );
