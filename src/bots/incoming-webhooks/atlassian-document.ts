import { pick, pickList, pickText } from "./payload";
import { codeBlock, plainLine, safeAddress, safeLine } from "./safe-text";
import { styledPart } from "./styled-text";

/**
 * A text in Atlassian's document format as Markdown: paragraphs, headings, lists, tasks,
 * quotations, code, tables row by row, and in lines marks, links, mentions, emoji, dates and
 * statuses. Pictures and files are left out, because their addresses need an account there. Source:
 * developer.atlassian.com/cloud/jira/platform/apis/document/structure.
 */
export const documentMarkdown = (document: unknown): string => blocksOf(document).trim();

const children = (node: unknown) => pickList(node, "content");

const blocksOf = (node: unknown): string =>
  children(node)
    .map(showBlock)
    .filter((block) => block !== "")
    .join("\n\n");

const lineOf = (node: unknown): string => children(node).map(showInline).join("");

const headingLevelMax = 6;

function showBlock(node: unknown): string {
  switch (pickText(node, "type")) {
    case "paragraph":
      return lineOf(node);
    case "heading": {
      const level = Math.min(Number(pickText(node, "attrs.level")) || 1, headingLevelMax);
      return `${"#".repeat(Math.max(level, 1))} ${lineOf(node)}`;
    }
    case "bulletList":
    case "taskList":
    case "decisionList":
      return items(node, () => "* ");
    case "orderedList": {
      const first = Number(pickText(node, "attrs.order")) || 1;
      return items(node, (index) => `${first + index}. `);
    }
    case "codeBlock":
      return codeBlock(
        children(node)
          .map((one) => pickText(one, "text"))
          .join(""),
        /^[\w+#-]{1,30}$/.exec(pickText(node, "attrs.language"))?.[0],
      );
    case "blockquote":
      return blocksOf(node).replace(/^/gm, "> ");
    case "rule":
      return "----";
    case "tableRow":
      return children(node)
        .map((cell) => inOneLine(blocksOf(cell)))
        .join(" | ");
    case "table":
      return children(node).map(showBlock).join("\n");
    case "blockCard":
    case "embedCard":
      return safeAddress(pickText(node, "attrs.url"));
    default:
      return blocksOf(node);
  }
}

/** A cell of a table, whose lines stand in one. */
const inOneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");

/** The items of a list; further lines of one stand below its first. */
const items = (node: unknown, mark: (index: number) => string): string =>
  children(node)
    .map((item, index) => {
      const before = mark(index);
      const text = isOfLines(item) ? blocksOf(item).replace(/\n\n/g, "\n") : lineOf(item);
      const done = pickText(item, "attrs.state") === "DONE" ? "✓ " : "";
      return before + done + text.replace(/\n/g, `\n${" ".repeat(before.length)}`);
    })
    .join("\n");

/** Whether a list's item has blocks; one of tasks has its text itself. */
const isOfLines = (item: unknown) => pickText(item, "type") === "listItem";

function showInline(node: unknown): string {
  switch (pickText(node, "type")) {
    case "text":
      return showText(node);
    case "hardBreak":
      return "\n";
    case "mention":
      return `@${safeLine(pickText(node, "attrs.text").replace(/^@/, "") || "somebody")}`;
    case "emoji":
      return safeLine(pickText(node, "attrs.text") || pickText(node, "attrs.shortName"));
    case "inlineCard":
      return safeAddress(pickText(node, "attrs.url"));
    case "date": {
      const date = new Date(Number(pickText(node, "attrs.timestamp") || Number.NaN));
      return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
    }
    case "status":
      return styledPart(plainLine(pickText(node, "attrs.text")), { bold: true });
    default:
      return lineOf(node);
  }
}

function showText(node: unknown): string {
  const marks = pickList(node, "marks");
  const has = (name: string) => marks.some((mark) => pickText(mark, "type") === name);
  const styles = { bold: has("strong"), italic: has("em"), strike: has("strike") };
  const text = styledPart(pickText(node, "text"), { ...styles, code: has("code") });
  const link = marks.find((mark) => pickText(mark, "type") === "link");
  const address = safeAddress(pickText(link, "attrs.href"));
  return address === "" ? text : `[${text}](${address})`;
}

/** Whether a value is a text in this format. */
export const isDocument = (value: unknown) =>
  pickText(value, "type") === "doc" && Array.isArray(pick(value, "content"));
