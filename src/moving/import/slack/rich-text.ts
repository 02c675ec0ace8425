import { splitSpaceAround } from "../../../core/text/surrounding-space";
import { type Given, givenList, givenNumber, givenRecord, givenText } from "../json";
import { channelOf, personOf, type SlackNames } from "./text";

/**
 * Markdown of a block of the kind `rich_text`, in which Slack stores the text that somebody has
 * written: sections, nested lists, quotes and code. Source: Slack's documentation of blocks.
 */
export function markdownOfRichText(block: Given, names: SlackNames): string {
  const parts: string[] = [];
  let before = "";
  for (const element of givenList(block["elements"])) {
    const kind = givenText(element["type"]);
    const part = partOf(kind, element, names);
    // Lists of several depths are one list in Markdown, so no blank line separates them.
    if (parts.length > 0)
      parts.push(kind === listKind && before === listKind ? "\n" : separator(kind));
    parts.push(part);
    before = kind;
  }
  return parts.join("").trim();
}

const listKind = "rich_text_list";
const separator = (kind: string) => (kind === "rich_text_section" ? "\n\n" : "\n");

function partOf(kind: string, element: Given, names: SlackNames): string {
  if (kind === listKind) return listOf(element, names);
  const text = inlineOf(element, names, kind === "rich_text_preformatted");
  if (kind === "rich_text_quote") return quoted(text);
  if (kind === "rich_text_preformatted") return `\`\`\`\n${text.replace(/\n$/, "")}\n\`\`\``;
  return text.replace(/\n$/, "");
}

/** A text as a quotation: each line gets a quotation mark. */
export const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

/** A list. Slack stores a deeper list as a list of its own that follows, with its indentation. */
function listOf(list: Given, names: SlackNames): string {
  const isOrdered = list["style"] === "ordered";
  const indent = "   ".repeat(Math.min(givenNumber(list["indent"]), 8));
  const first = givenNumber(list["offset"]) + 1;
  return givenList(list["elements"])
    .map((item, index) => {
      const sign = isOrdered ? `${first + index}.` : "-";
      const text = inlineOf(item, names).trim().replaceAll("\n", `\n${indent}   `);
      return `${indent}${sign} ${text}`;
    })
    .join("\n");
}

const inlineOf = (element: Given, names: SlackNames, isCode = false): string =>
  givenList(element["elements"])
    .map((piece) => styled(pieceOf(piece, names, isCode), givenRecord(piece["style"]), isCode))
    .join("");

function pieceOf(piece: Given, names: SlackNames, isCode: boolean): string {
  const text = givenText(piece["text"]);
  switch (piece["type"]) {
    case "link":
      return linkOf(givenText(piece["url"]), isCode ? "" : text);
    case "emoji":
      return `:${names.emoji(givenText(piece["name"]))}:`;
    case "user":
      return personOf(givenText(piece["user_id"]), undefined, names);
    case "channel":
      return channelOf(givenText(piece["channel_id"]), undefined, names);
    case "broadcast":
      return "@**all**";
    case "usergroup":
      return `@${givenText(piece["usergroup_id"])}`;
    case "color":
      return givenText(piece["value"]);
    case "date":
      return givenText(piece["fallback"]) || timeOf(piece);
    default:
      return text;
  }
}

/**
 * A moment as `<time:…>`; empty for an invalid number, which would otherwise end the import with an
 * error.
 */
function timeOf(piece: Given): string {
  const time = new Date(givenNumber(piece["timestamp"]) * 1_000);
  if (Number.isNaN(time.getTime())) return "";
  return `<time:${time.toISOString().replace(".000", "")}>`;
}

function linkOf(address: string, text: string): string {
  if (text === "" || text === address) return address.replace(/^mailto:/, "");
  const safe = address.replaceAll("(", "%28").replaceAll(")", "%29");
  return `[${text.replace(/[[\]]/g, "\\$&")}](${safe})`;
}

const signs = { bold: "**", italic: "*", strike: "~~" };

/**
 * Text with emphasis. In each line the signs stand directly at the words, because next to a space
 * they have no meaning.
 */
function styled(text: string, style: Given, isCode: boolean): string {
  if (isCode || Object.keys(style).length === 0) return text;
  const around = Object.entries(signs)
    .filter(([name]) => style[name] === true)
    .map(([, sign]) => sign);
  const [open, close] = [around.join(""), around.toReversed().join("")];
  const code = style["code"] === true ? "`" : "";
  return text
    .split("\n")
    .map((line) => {
      const { before, words, after } = splitSpaceAround(line);
      return words === "" ? line : `${before}${open}${code}${words}${code}${close}${after}`;
    })
    .join("\n");
}
