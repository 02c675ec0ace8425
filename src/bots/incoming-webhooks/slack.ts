import { badRequest } from "../../core/errors";
import { nameFromSlack } from "../../emoji/slack-names";
import { fieldsOf, pick, pickList, pickText } from "./payload";
import {
  codeBlock,
  cut,
  plainLine,
  quoteBlock,
  safeAddress,
  safeLine,
  withoutMentions,
} from "./safe-text";
import { styledPart } from "./styled-text";

/** A message in the form that a service posts. */
export interface Message {
  topic: string;
  text: string;
}

export const slackTitle = "SlackIncoming";

/** Most blocks and attachments, as in Slack. */
const piecesMax = 100;
const emojiForm = /^:([\w+-]{1,60}):$/;
/** An emoji in a text. A word between colons in an address or a time is none. */
const emojiInText = /(?<![\w/]):([\w+-]{1,60}):/g;

/**
 * The message that Slack would show: made of the blocks, or of the text if there are none, and of
 * the attachments. The topic is the named channel. Refuses (BAD_REQUEST) an empty post. Source:
 * api.slack.com, Sending messages using incoming webhooks, and Block Kit.
 */
export function readSlackMessage(payload: unknown): Message {
  fieldsOf(payload, slackTitle);
  const blocks = joined(pickList(payload, "blocks").slice(0, piecesMax).map(showBlock));
  const attachments = pickList(payload, "attachments").slice(0, piecesMax).map(showAttachment);
  const text = joined([blocks || showText(payload), ...attachments]);
  if (text === "")
    throw badRequest("The message is empty: send 'text', 'blocks' or 'attachments'.");
  return {
    topic: plainLine(pickText(payload, "channel").replace(/^[@#]/, "")),
    text: withoutMentions(text),
  };
}

function showText(payload: unknown): string {
  const text = fromSlack(pickText(payload, "text").trim());
  const icon = emojiForm.exec(pickText(payload, "icon_emoji"))?.[1];
  return text !== "" && icon !== undefined ? `${showEmoji(icon)} ${text}` : text;
}

/** Pieces of a message one below the other, without empty ones. */
const joined = (pieces: readonly string[]) => pieces.filter((piece) => piece !== "").join("\n\n");

/** An emoji by its name in Slack, unchanged if it is unknown here. */
const showEmoji = (name: string) => `:${nameFromSlack(name) ?? name}:`;

/** A line without Slack's Markdown, in which emoji are allowed. */
const showLine = (text: string) =>
  safeLine(text).replace(emojiInText, (_, name: string) => showEmoji(name));

const textLengthMax = 10_000;
/**
 * Code, in which nothing has a meaning, an emoji, Slack's forms in angle brackets, or its emphasis
 * between words.
 */
const slackSyntax = new RegExp(
  [
    /```[\s\S]*?```|`[^`\n]*`/,
    emojiInText,
    /<([^<>\n]{1,3000})>/,
    /(?<![\w*])\*(?=[^\s*])([^*\n]{0,1000}?[^\s*])\*(?![\w*])/,
    /(?<![\w_])_(?=[^\s_])([^_\n]{0,1000}?[^\s_])_(?![\w_])/,
    /(?<![\w~])~(?=[^\s~])([^~\n]{0,1000}?[^\s~])~(?![\w~])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** Slack's own Markdown as ours, for a text whose mentions are settled. */
function fromSlack(source: string): string {
  const shown = cut(source.toWellFormed().replaceAll("\0", ""), textLengthMax).replace(
    slackSyntax,
    (
      all: string,
      emoji?: string,
      angle?: string,
      bold?: string,
      italic?: string,
      struck?: string,
    ) => {
      if (emoji !== undefined) return showEmoji(emoji);
      if (angle !== undefined) return showAngle(angle);
      if (bold !== undefined) return `**${fromSlack(bold)}**`;
      if (italic !== undefined) return `*${fromSlack(italic)}*`;
      if (struck !== undefined) return `~~${fromSlack(struck)}~~`;
      return all;
    },
  );
  return shown.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/**
 * `<https://…|label>`, `<!here>`, `<@U123|name>`, `<#C123|name>`, `<!date^1392734382^{date}|as
 * text>`.
 */
function showAngle(inside: string): string {
  const bar = inside.indexOf("|");
  const [target, label] = bar < 0 ? [inside, ""] : [inside.slice(0, bar), inside.slice(bar + 1)];
  const moment = /^!date\^(\d{1,11})\^/.exec(target)?.[1];
  if (moment !== undefined)
    return `<time:${new Date(Number(moment) * 1_000).toISOString().replace(/\.\d+Z$/, "Z")}>`;
  if (/^[@#!]/.test(target))
    return `${target.replace(/^!(subteam\^\w+)?/, "@").charAt(0)}${safeLine(label || target.slice(1)).replace(/^[@#]/, "")}`;
  if (target.startsWith("mailto:")) return safeLine(label || target.slice("mailto:".length));
  const address = safeAddress(target.replaceAll("&amp;", "&"));
  if (address === "") return `<${inside}>`;
  return label === "" ? address : `[${safeLine(label)}](${address})`;
}

/** A text object, plain or in Slack's Markdown. */
function showTextObject(text: unknown): string {
  if (typeof text === "string") return fromSlack(text.trim());
  const content = pickText(text, "text").trim();
  return pickText(text, "type") === "plain_text" ? plainLines(content) : fromSlack(content);
}

const plainLines = (text: string) => text.split("\n").map(showLine).join("\n");

/**
 * A block of Block Kit. Interactive elements (menus, buttons without an address) are left out,
 * because their answers would go nowhere.
 */
function showBlock(block: unknown): string {
  switch (pickText(block, "type")) {
    case "header":
      return `## ${showLine(pickText(block, "text.text"))}`;
    case "section":
      return joined([
        showTextObject(pick(block, "text")),
        showFields(pickList(block, "fields")),
        showPicture(pick(block, "accessory")) || showButtons([pick(block, "accessory")]),
      ]);
    case "actions":
      return showButtons(pickList(block, "elements"));
    case "context":
      return pickList(block, "elements")
        .map((element) => showPicture(element) || showTextObject(element))
        .join(" ");
    case "markdown":
      return cut(pickText(block, "text").trim(), textLengthMax);
    case "divider":
      return "----";
    case "image":
      return showPicture(block);
    case "rich_text":
      return pickList(block, "elements").map(showRichElement).join("\n");
    default:
      return "";
  }
}

const showFields = (fields: unknown[]) =>
  fields.map((field) => `* ${showTextObject(field).replaceAll("\n", " ")}`).join("\n");

const showPicture = (block: unknown) =>
  pickText(block, "type") === "image"
    ? showLink(pickText(block, "alt_text") || "image", pickText(block, "image_url"))
    : "";

/** Buttons that lead to an address: those of blocks, and the actions of the older attachments. */
const showButtons = (elements: unknown[]) =>
  elements
    .filter((element) => pickText(element, "type") === "button")
    .map((element) =>
      showLink(
        pickText(element, "text.text") || pickText(element, "text") || "link",
        pickText(element, "url"),
      ),
    )
    .filter((link) => link !== "")
    .join(" ");

/** A link; empty without an address. */
function showLink(label: string, to: string): string {
  const address = safeAddress(to);
  return address === "" ? "" : `[${showLine(label)}](${address})`;
}

function showRichElement(element: unknown): string {
  const elements = pickList(element, "elements");
  switch (pickText(element, "type")) {
    case "rich_text_preformatted":
      return codeBlock(
        elements.map((one) => pickText(one, "text") || pickText(one, "url")).join(""),
      );
    case "rich_text_quote":
      return quoteBlock(elements.map(showRichPart).join(""));
    case "rich_text_list": {
      const mark = pickText(element, "style") === "ordered" ? "1." : "*";
      return elements
        .map((item) => `${mark} ${pickList(item, "elements").map(showRichPart).join("")}`)
        .join("\n");
    }
    default:
      return elements.map(showRichPart).join("");
  }
}

function showRichPart(part: unknown): string {
  switch (pickText(part, "type")) {
    case "link": {
      const address = safeAddress(pickText(part, "url"));
      const label = pickText(part, "text");
      return address === ""
        ? safeLine(label)
        : label === ""
          ? address
          : `[${safeLine(label)}](${address})`;
    }
    case "emoji":
      return emojiForm.test(`:${pickText(part, "name")}:`) ? showEmoji(pickText(part, "name")) : "";
    case "user":
    case "usergroup":
    case "broadcast":
      return `@${safeLine(pickText(part, "range") || pickText(part, "user_id") || pickText(part, "usergroup_id"))}`;
    default:
      return styled(pickText(part, "text"), pick(part, "style"));
  }
}

function styled(text: string, style: unknown): string {
  const has = (name: string) => pick(style, name) === true;
  const [bold, italic, strike, code] = [has("bold"), has("italic"), has("strike"), has("code")];
  return styledPart(text, { bold, italic, strike, code });
}

/**
 * An attachment of the older form. Source: api.slack.com, Reference: secondary message attachments.
 */
function showAttachment(attachment: unknown): string {
  const blocks = pickList(attachment, "blocks").slice(0, piecesMax).map(showBlock);
  const title = showLine(pickText(attachment, "title"));
  const address = safeAddress(pickText(attachment, "title_link"));
  const fields = pickList(attachment, "fields").map(
    (field) =>
      `* **${showLine(pickText(field, "title"))}**: ${fromSlack(pickText(field, "value").trim())}`,
  );
  const shown = joined([
    fromSlack(pickText(attachment, "pretext").trim()),
    showLine(pickText(attachment, "author_name")),
    title !== "" && address !== ""
      ? `## [${title}](${address})`
      : title === ""
        ? ""
        : `## ${title}`,
    fromSlack(pickText(attachment, "text").trim()),
    fields.join("\n"),
    ...blocks,
    showLink("image", pickText(attachment, "image_url")),
    showButtons(pickList(attachment, "actions")),
    showLine(pickText(attachment, "footer")),
  ]);
  return shown || fromSlack(pickText(attachment, "fallback").trim());
}
