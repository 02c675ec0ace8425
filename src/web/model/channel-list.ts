import type { Channel, Channels } from "./channels";
import { plainText } from "./ranking";

/** Channels that a list is restricted to. */
export type ChannelFilter = "all" | "mine" | "notJoined" | "archived";

/**
 * Channels whose name or description has all words of a text, by name: those whose name has them
 * first. Archived ones are apart from all others.
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
