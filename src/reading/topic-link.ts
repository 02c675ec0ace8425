import type { ChannelRow } from "../channels/queries";
import { topicPath } from "../protocol/narrow-links";

type Named = Pick<ChannelRow, "id" | "name">;

/** Characters that would change a name in Markdown. */
const special = /[`*&<>[\]$@\\]/;

/**
 * A topic in texts of the server: as `#**channel>topic**`, or as a plain link if its names contain
 * special characters.
 */
export function topicLink(channel: Named, topic: string): string {
  if (!special.test(channel.name + topic)) return `#**${channel.name}>${topic}**`;
  return `[#${harmless(channel.name)} > ${harmless(topic)}](${topicPath(channel, topic)})`;
}

/** Text escaped so that Markdown shows it unchanged. */
const harmless = (text: string) =>
  text.replace(/[^\p{L}\p{N} ]/gu, (sign) =>
    [...sign].map((point) => `&#${point.codePointAt(0)};`).join(""),
  );
