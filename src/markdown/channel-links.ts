import type { MarkdownIt, StateInline, Token } from "markdown-it";
import { channelPath, topicPath } from "../protocol/narrow-links";
import { emptyTopicDisplayName } from "../protocol/topics";
import { makeBudget } from "./budget";
import { escapeAttribute } from "./escape";
import { type LinkedChannel, namesIn } from "./names";

/**
 * A channel in a text, `#**name**`, or a topic in it, `#**name>topic**`, or a message in a topic,
 * `#**name>topic@42**`.
 */
const linkPattern = String.raw`#\*\*([^*\n>]+)(?:>([^*\n]*))?\*\*`;
/** A channel whose name contains a `>`. */
const wholePattern = String.raw`#\*\*([^*\n]+)\*\*`;
const message = /^(.*)@(\d{1,15})$/;

/** The end of a text that a link to a channel cannot follow, because it is a word. */
const wordBefore = /[\p{L}\p{M}\p{N}_]$/u;

/** Number of links to channels in one text. Further ones stay text. */
const spend = makeBudget(500);

/** A topic that a text names; it may not exist. */
export interface WrittenTopic {
  channel: string;
  topic: string;
}

/** The channel names in a text, existing or not, without duplicates. */
export function channelsWritten(source: string): string[] {
  if (!source.includes("#**")) return [];
  const links = [...source.matchAll(new RegExp(linkPattern, "g"))].map(([, name = ""]) => name);
  const wholes = [...source.matchAll(new RegExp(wholePattern, "g"))].map(([, name = ""]) => name);
  return [...new Set([...links, ...wholes])];
}

/** The topics of channels in a text, except those of links to messages. */
export function topicsWritten(source: string): WrittenTopic[] {
  const links = source.includes("#**") ? [...source.matchAll(new RegExp(linkPattern, "g"))] : [];
  return links.flatMap(([, channel = "", topic]) =>
    topic === undefined || message.test(topic) ? [] : [{ channel, topic }],
  );
}

/**
 * Shows channels, topics and messages as links into the views of clients. The names have the
 * meanings of `environmentWith`. A link to an unknown channel stays text.
 */
export function useChannelLinks(markdown: MarkdownIt) {
  markdown.inline.ruler.after("newline", "channel_link", pushLink);
  markdown.renderer.rules["channel_link"] = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index];
    return token ? `<a${renderer.renderAttrs(token)}>${token.content}</a>` : "";
  };
}

const patterns = [new RegExp(wholePattern, "y"), new RegExp(linkPattern, "y")];

function pushLink(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("#**", state.pos)) return false;
  if (wordBefore.test(state.src.slice(Math.max(0, state.pos - 2), state.pos))) return false;
  for (const pattern of patterns) {
    pattern.lastIndex = state.pos;
    const [, name = "", topic] = pattern.exec(state.src) ?? [];
    const end = pattern.lastIndex;
    const channel =
      name === "" || end > state.posMax ? undefined : namesIn(state.env).channel?.(name);
    if (!channel || (!silent && !spend(state.env, 1))) continue;
    if (!silent) pushTarget(state, channel, topic).info = state.src.slice(state.pos, end);
    state.pos = end;
    return true;
  }
  return false;
}

/** Adds a token whose content is HTML. */
function pushTarget(
  state: StateInline,
  channel: LinkedChannel,
  written: string | undefined,
): Token {
  const token = state.push("channel_link", "a", 0);
  if (written === undefined) {
    token.attrs = linkAttributes("stream", channel, `/${channelPath(channel)}`);
    token.content = `#${escapeAttribute(channel.name)}`;
    return token;
  }
  const [, topic = written, messageId] = message.exec(written) ?? [];
  const place = `#${escapeAttribute(channel.name)} &gt; ${topic === "" ? `<em>${emptyTopicDisplayName}</em>` : escapeAttribute(topic)}`;
  const address = `/${topicPath(channel, topic)}`;
  if (messageId !== undefined) {
    token.attrs = [
      ["class", "message-link"],
      ["href", `${address}/near/${messageId}`],
    ];
    token.content = `${place} @ 💬`;
    return token;
  }
  const newest = namesIn(state.env).topic?.(channel.id, topic);
  token.attrs = linkAttributes(
    "stream-topic",
    channel,
    newest === undefined ? address : `${address}/with/${newest}`,
  );
  token.content = place;
  return token;
}

const linkAttributes = (
  className: string,
  { id }: LinkedChannel,
  href: string,
): [string, string][] => [
  ["class", className],
  ["data-stream-id", String(id)],
  ["href", href],
];
