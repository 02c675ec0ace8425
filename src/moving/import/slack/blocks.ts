import { type Given, givenList, givenRecord, givenText } from "../json";
import { markdownOfRichText } from "./rich-text";
import { markdownOfSlack, type SlackNames } from "./text";

/** Markdown of a message's blocks, and the kinds of blocks that cannot be shown here. */
interface BlocksText {
  text: string;
  unknown: string[];
}

/** Markdown of the blocks of a message, one below the other. */
export function markdownOfBlocks(blocks: readonly Given[], names: SlackNames): BlocksText {
  const unknown: string[] = [];
  const parts = blocks.map((block) => {
    const text = blockText(block, names);
    if (text === undefined) unknown.push(givenText(block["type"]) || "no kind");
    return text ?? "";
  });
  return { text: parts.filter((part) => part !== "").join("\n\n"), unknown };
}

/** Markdown of a block; undefined for a kind that has no text. */
function blockText(block: Given, names: SlackNames): string | undefined {
  const plainOf = (value: unknown) => textOf(givenRecord(value), names);
  switch (block["type"]) {
    case "rich_text":
      return markdownOfRichText(block, names);
    case "section": {
      const fields = givenList(block["fields"]).map((field) => textOf(field, names));
      return [plainOf(block["text"]), ...fields].filter(Boolean).join("\n");
    }
    case "header":
      return `**${plainOf(block["text"])}**`.replace(/^\*\*\*\*$/, "");
    case "markdown":
      return givenText(block["text"]);
    case "context":
      return givenList(block["elements"])
        .map((element) => imageOf(element, names) ?? textOf(element, names))
        .filter(Boolean)
        .join(" ");
    case "image":
      return imageOf(block, names);
    case "actions":
      return givenList(block["elements"])
        .flatMap((one) => buttonOf(one, names))
        .join(" ");
    case "video":
      return link(plainOf(block["title"]) || "video", givenText(block["video_url"]));
    case "divider":
      return "---";
    // Files of the block are also in the list of the message's files.
    case "file":
      return "";
    default:
      return undefined;
  }
}

/** The text of a text object. Its type says whether it has markup. */
const textOf = (text: Given, names: SlackNames): string =>
  text["type"] === "plain_text"
    ? givenText(text["text"]).trim()
    : markdownOfSlack(givenText(text["text"]), names);

const link = (title: string, address: string) =>
  address === "" ? title : `[${title.replace(/[[\]]/g, "\\$&")}](${address})`;

function imageOf(image: Given, names: SlackNames): string | undefined {
  if (image["type"] !== "image") return undefined;
  const title = textOf(givenRecord(image["title"]), names);
  return link(title || givenText(image["alt_text"]) || "image", givenText(image["image_url"]));
}

/** A button as a link, because nobody answers a button here, but its address still works. */
function buttonOf(button: Given, names: SlackNames): string[] {
  const title = textOf(givenRecord(button["text"]), names);
  return title === "" ? [] : [link(title, givenText(button["url"]))];
}
