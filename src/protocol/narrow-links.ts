interface NamedChannel {
  readonly id: number;
  readonly name: string;
}

/** Path of a channel in clients, below the server's address, with its name for human readers. */
export const channelPath = ({ id, name }: NamedChannel): string =>
  `#narrow/channel/${id}-${encodePart(name.replaceAll(" ", "-"))}`;

/** Path of a topic by its stored name, which is empty for the empty topic. */
export const topicPath = (channel: NamedChannel, topic: string): string =>
  `${channelPath(channel)}/topic/${encodePart(topic)}`;

/** Path of the conversation of some people. */
export const directPath = (userIds: readonly number[]): string =>
  `#narrow/dm/${userIds.join(",")}-dm`;

/**
 * A text as a part of a link. The encoding has dots instead of percent signs, because browsers
 * decode percent signs, and chat clients and mail programs cut links at other characters.
 */
export const encodePart = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll(".", "%2E")
    .replaceAll("%", ".");
