import Markdown, { type MarkdownIt } from "markdown-it";
import { useBlocks } from "./blocks";
import { useChannelLinks } from "./channel-links";
import { useEmoji } from "./emoji";
import { useEmoticons } from "./emoticons";
import { useEmphasis } from "./emphasis";
import { useFencedBlocks } from "./fenced-blocks";
import { useFitting } from "./fit";
import { useLinkifiers } from "./linkifiers";
import { useLinks } from "./links";
import { useMath } from "./math";
import { useMentions } from "./mentions";
import { usePreviews } from "./previews";
import { useTimestamps } from "./timestamps";

export { fitHtml } from "./fit";

/**
 * Depth from which on blocks and inlines are not parsed, which limits the cost and the depth of a
 * client's DOM.
 */
const nestingMax = 40;

/** Makes a parser for the dialect of Markdown that people write in chat. */
export function createParser(): MarkdownIt {
  const markdown = new Markdown({
    html: false,
    linkify: true,
    breaks: true,
    typographer: false,
    maxNesting: nestingMax,
  });
  markdown.disable([
    "lheading",
    "reference",
    "autolink",
    "escape",
    "entity",
    "html_block",
    "html_inline",
  ]);
  useLinks(markdown);
  useEmphasis(markdown);
  useEmoji(markdown);
  useEmoticons(markdown);
  useMath(markdown);
  useTimestamps(markdown);
  useMentions(markdown);
  useChannelLinks(markdown);
  useFencedBlocks(markdown);
  useBlocks(markdown);
  useLinkifiers(markdown);
  usePreviews(markdown);
  useFitting(markdown);
  return markdown;
}
