import type { MarkdownIt } from "markdown-it";
import { namesIn } from "./mentions";

/** A channel that a text names. */
export interface LinkedChannel {
  id: number;
  name: string;
}

/** A channel as it is written in a text: `#**name**`. */
const channelPattern = String.raw`#\*\*([^*\n]+)\*\*`;

/**
 * Shows channels that are named, by the names of `environmentWith`, as links into the clients' own views. What names none is
 * text.
 */
export function useChannelLinks(markdown: MarkdownIt) {
  const pattern = new RegExp(channelPattern, "y");
  markdown.inline.ruler.after("newline", "channel_link", (state, silent) => {
    pattern.lastIndex = state.pos;
    const name = pattern.exec(state.src)?.[1];
    const end = pattern.lastIndex;
    const channel = name === undefined || end > state.posMax ? undefined : namesIn(state.env).channel?.(name);
    if (!channel) return false;
    if (!silent) {
      const token = state.push("channel_link", "a", 0);
      token.attrSet("class", "stream");
      token.attrSet("data-stream-id", String(channel.id));
      token.attrSet("href", channelAddress(channel));
      token.content = `#${channel.name}`;
    }
    state.pos = end;
    return true;
  });
  markdown.renderer.rules["channel_link"] = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index];
    return token ? `<a${renderer.renderAttrs(token)}>${markdown.utils.escapeHtml(token.content)}</a>` : "";
  };
}

/** Where clients of the protocol find a channel, below the server's address. */
const channelAddress = ({ id, name }: LinkedChannel) =>
  `/#narrow/channel/${id}-${encodePart(name.replaceAll(" ", "-"))}`;

/** Percent encoding with a dot for the percent sign, so that no browser decodes it by itself. */
const encodePart = (text: string) =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll(".", "%2E")
    .replaceAll("%", ".");
