import { type Given, givenList, givenText } from "../json";
import { markdownOfBlocks } from "./blocks";
import { quoted } from "./rich-text";
import { markdownOfSlack, type SlackNames, withoutTokens } from "./text";
import { namesIn, type Workspace } from "./workspace";

/**
 * The content of a message in Markdown: its blocks, or its text if it has no blocks, then the
 * attachments of programs, forwarded messages, and files. Reports the parts that it leaves out.
 */
export function contentOf(
  workspace: Workspace,
  message: Given,
  fileLines: readonly string[],
  which: string,
): string {
  const names = namesIn(workspace);
  const said = saidIn(workspace, message, names, which);
  const own = givenText(message["subtype"]) === "me_message" ? `/me ${said}` : said;
  const attached = givenList(message["attachments"]).flatMap((one) => {
    if (!isPreview(one) || own === "") return attachmentText(workspace, one, names, which);
    workspace.report.add("attachments", which, "are previews of links, which the text contains");
    return [];
  });
  return withoutTokens([own, ...attached, ...fileLines].filter((part) => part !== "").join("\n"));
}

/**
 * Markdown of the blocks of a message, or of its text. The text of a message with blocks is only a
 * summary of them.
 */
function saidIn({ report }: Workspace, message: Given, names: SlackNames, which: string): string {
  const { text, unknown } = markdownOfBlocks(givenList(message["blocks"]), names);
  for (const kind of unknown) report.add("blocks", which, `of the kind ${kind} have no text here`);
  return text === "" ? markdownOfSlack(givenText(message["text"]), names) : text;
}

const isForward = (attached: Given) =>
  attached["is_share"] === true || attached["is_msg_unfurl"] === true;

/** Whether an attachment is a preview that Slack has made for a link in the text. */
const isPreview = (attached: Given) =>
  !isForward(attached) &&
  (givenText(attached["from_url"]) !== "" || givenText(attached["original_url"]) !== "");

/** Text that a program shows below the message, or a forwarded message as a quotation. */
function attachmentText(
  workspace: Workspace,
  attached: Given,
  names: SlackNames,
  which: string,
): string {
  const [pretext, author, title, link, text, footer, image] = [
    "pretext",
    "author_name",
    "title",
    "title_link",
    "text",
    "footer",
    "image_url",
  ].map((name) => givenText(attached[name]));
  const inner = [
    ...givenList(attached["blocks"]),
    ...givenList(attached["message_blocks"]).flatMap(({ message }) => blocksOf(message)),
  ];
  const blocks = markdownOfBlocks(inner, names);
  for (const kind of blocks.unknown)
    workspace.report.add("blocks", which, `of the kind ${kind} have no text here`);
  const body = blocks.text || markdownOfSlack(text ?? "", names);
  if (isForward(attached)) {
    const by = author || givenText(attached["author_subname"]) || "Somebody";
    return `${by}:\n${quoted(body || givenText(attached["fallback"]))}`;
  }
  const heading = title ? markdownOfSlack(link ? `<${link}|${title}>` : title, names) : "";
  const lines = [
    markdownOfSlack(pretext ?? "", names),
    author ?? "",
    heading,
    body,
    ...fieldsOf(attached, names),
    markdownOfSlack(footer ?? "", names),
    image ?? "",
  ].filter((line) => line !== "");
  return lines.length > 0
    ? lines.join("\n")
    : markdownOfSlack(givenText(attached["fallback"]), names);
}

const blocksOf = (message: unknown): Given[] =>
  typeof message === "object" && message !== null && "blocks" in message
    ? givenList(message.blocks)
    : [];

const fieldsOf = (attached: Given, names: SlackNames): string[] =>
  givenList(attached["fields"]).flatMap((field) => {
    const [title, value] = [givenText(field["title"]), givenText(field["value"])];
    const shown = markdownOfSlack(value, names);
    if (title === "") return shown === "" ? [] : [shown];
    return [`**${title.trim()}**: ${shown}`];
  });
