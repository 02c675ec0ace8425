import type { Channel, Channels } from "./channels";
import { plainText } from "./ranking";

/** The channels that a list shows. */
export type ChannelFilter = "all" | "mine" | "notJoined" | "archived";

/**
 * The channels whose name or description contains all words of a text. Channels whose name begins
 * with the words come first; otherwise they are sorted by name. Archived channels are returned
 * separately.
 */
export function channelsNamed(
  channels: Channels,
  text: string,
  filter: ChannelFilter,
): readonly Channel[] {
  const parts = plainText(text.trim()).split(/\s+/);
  const has = (where: string): boolean => parts.every((part) => where.includes(part));
  return [...channels.values()]
    .filter(({ is_archived, standing }) => {
      if (is_archived || filter === "archived") return is_archived && filter === "archived";
      return filter === "all" || (filter === "mine") === (standing === "subscribed");
    })
    .map((channel) => {
      const name = plainText(channel.name);
      const isNamed = has(name);
      return {
        channel,
        isNamed,
        isMeant: isNamed || has(`${name} ${plainText(channel.description)}`),
      };
    })
    .filter(({ isMeant }) => isMeant)
    .sort(
      (one, other) =>
        Number(other.isNamed) - Number(one.isNamed) ||
        one.channel.name.localeCompare(other.channel.name),
    )
    .map(({ channel }) => channel);
}
