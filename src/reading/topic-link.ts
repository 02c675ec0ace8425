import type { ChannelRow } from "../channels/queries";
import { channelAddress, encodePart } from "../markdown/channel-links";

type Named = Pick<ChannelRow, "id" | "name">;

/** Address of a topic, as a link within the web page. */
export const topicAddress = (channel: Named, topic: string): string =>
  `${channelAddress(channel).slice(1)}/topic/${encodePart(topic)}`;

/** Characters that would change a name in Markdown. */
const special = /[`*&<>[\]$@\\]/;

/**
 * A topic in texts of the server: as `#**channel>topic**`, or as a plain link if its names contain
 * special characters.
 */
export function topicLink(channel: Named, topic: string): string {
  if (!special.test(channel.name + topic)) return `#**${channel.name}>${topic}**`;
  return `[#${harmless(channel.name)} > ${harmless(topic)}](${topicAddress(channel, topic)})`;
}

/** Text escaped so that Markdown shows it unchanged. */
const harmless = (text: string) =>
  text.replace(/[^\p{L}\p{N} ]/gu, (sign) =>
    [...sign].map((point) => `&#${point.codePointAt(0)};`).join(""),
  );
