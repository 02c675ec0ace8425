/*
 * Markdown of what was copied from other pages: made of a tree of nodes that a browser's parser has
 * made, which is never put into the page.
 */

/** The part of a DOM node that is read. */
export interface Pasted {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly childNodes: Iterable<Pasted>;
  getAttribute?(name: string): string | null;
}

const textNode = 3;
const elementNode = 1;

/** Elements whose text is not part of what an author wrote. */
const silent = new Set([
  "BUTTON",
  "SCRIPT",
  "STYLE",
  "HEAD",
  "TITLE",
  "META",
  "LINK",
  "TEMPLATE",
  "NOSCRIPT",
]);
const blocks = new Set(
  "P DIV SECTION ARTICLE HEADER FOOTER MAIN FIGURE FIGCAPTION TABLE TR DL DT DD ADDRESS FORM".split(
    " ",
  ),
);

/**
 * Whether a tree has more than its plain text. If not, the clipboard's plain text is pasted
 * unchanged.
 */
export function isFormatted(node: Pasted): boolean {
  if (node.nodeType === elementNode && (marking.test(node.nodeName) || isPointOfWord(node)))
    return true;
  return [...node.childNodes].some(isFormatted);
}

const marking = /^(A|B|STRONG|I|EM|DEL|S|STRIKE|CODE|PRE|BLOCKQUOTE|UL|OL|H[1-6]|TABLE|IMG)$/;

/** The Markdown of a tree. */
export const markdownOf = (node: Pasted): string =>
  inBlocks(node, { indent: "" })
    .replaceAll(/[ \t]+\n/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim()
    .replaceAll(codeBreak, "\n");

/**
 * Stands for the end of a line of code until all parts are joined, because joining removes repeated
 * blank lines, which must stay in code.
 */
const codeBreak = "\uE000";

interface Place {
  /** The indentation of each line of the list that contains the node. */
  readonly indent: string;
  /** Whether the styles of spans mark bold text, as in Google Docs. */
  readonly isStyled?: boolean;
  /** The language that an element around code names. */
  readonly language?: string | undefined;
}

const inBlocks = (node: Pasted, place: Place): string =>
  [...node.childNodes].map((child) => one(child, place)).join("");

function one(node: Pasted, place: Place): string {
  if (node.nodeType === textNode) return (node.nodeValue ?? "").replaceAll(/\s+/g, " ");
  if (node.nodeType !== elementNode || silent.has(node.nodeName)) return "";
  const name = node.nodeName;
  if (/^H[1-6]$/.test(name)) return heading(name, line(node, { ...place, isStyled: false }));
  switch (name) {
    case "BR":
      return `\n${place.indent}`;
    case "HR":
      return "\n\n---\n\n";
    case "UL":
    case "OL":
      return list(node, place);
    case "LI":
      return `\n- ${line(node, place)}`;
    case "PRE":
      return `\n\n${codeBlock(node, place)}\n\n`;
    case "CODE":
      return codeInLine(raw(node));
    case "BLOCKQUOTE":
      return `\n\n${quoted(inBlocks(node, place))}\n\n`;
    case "TABLE":
      return table(node, place);
    case "TD":
    case "TH":
      return `${line(node, place)} `;
    case "P":
      return pointOfWord(node, place) ?? `\n\n${inBlocks(node, place)}\n\n`;
    default:
      return blocks.has(name)
        ? `\n\n${inBlocks(node, { ...place, language: languageOf(node) ?? place.language })}\n\n`
        : inline(node, place);
  }
}

const heading = (name: string, words: string): string =>
  `\n\n${"#".repeat(Number(name[1]))} ${words}\n\n`;

/**
 * A table with several rows and columns. Any other table only serves the layout, so its cells
 * become blocks of text.
 */
function table(node: Pasted, place: Place): string {
  const rows = rowsOf(node).map((row) =>
    [...row.childNodes]
      .filter(({ nodeName }) => /^T[DH]$/.test(nodeName))
      .map((cell) => inCell(line(cell, { ...place, indent: "" }))),
  );
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const [head, ...others] = rows;
  if (!head || others.length === 0 || width < 2) return `\n\n${inBlocks(node, place)}\n\n`;
  const inLine = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => cells[index] ?? "").join(" | ")} |`;
  const lines = [head, Array<string>(width).fill("---"), ...others].map(inLine);
  const caption = [...node.childNodes].find(({ nodeName }) => nodeName === "CAPTION");
  const words = caption ? line(caption, place) : "";
  return `\n\n${words}\n\n${lines.join(`\n${place.indent}`)}\n\n`;
}

const rowsOf = (node: Pasted): readonly Pasted[] =>
  [...node.childNodes].flatMap((child) => {
    if (child.nodeName === "TR") return [child];
    return /^T(HEAD|BODY|FOOT)$/.test(child.nodeName) ? rowsOf(child) : [];
  });

const inCell = (words: string): string =>
  words.replaceAll(/[\s\uE000]+/g, " ").replaceAll("|", "\\|");

const styleOf = (node: Pasted): string => node.getAttribute?.("style") ?? "";

/** List markers that word processors write as text of the paragraph. */
const isMarkOfWord = (node: Pasted): boolean => /mso-list:\s*Ignore/i.test(styleOf(node));

const pointStyle = /mso-list:\s*l\d+\s+level([1-9])/i;
const isPointOfWord = (node: Pasted): boolean => pointStyle.test(styleOf(node));

/** A paragraph that a word processor shows as a list item; undefined for any other paragraph. */
function pointOfWord(node: Pasted, place: Place): string | undefined {
  const level = pointStyle.exec(styleOf(node))?.[1];
  if (level === undefined) return undefined;
  const mark = /^\s*(\d+)[.)]/.exec(markOfWord(node))?.[1];
  // This indentation suits nested items below both `-` and `1.`.
  const indent = `${place.indent}${" ".repeat(3 * (Number(level) - 1))}`;
  return `\n${indent}${mark === undefined ? "-" : `${mark}.`} ${line(node, { ...place, indent: `${indent}   ` })}`;
}

const markOfWord = (node: Pasted): string =>
  isMarkOfWord(node) ? raw(node) : [...node.childNodes].map(markOfWord).join("");

const classOfCode = /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]+)/;

/**
 * The language of code as chatd, HTML's own convention, and hosts of code name it; without blanks,
 * because a fence has one word.
 */
function languageOf(node: Pasted): string | undefined {
  const own = node.getAttribute?.("data-code-language") ?? node.getAttribute?.("data-lang");
  const name = own || classOfCode.exec(node.getAttribute?.("class") ?? "")?.[1];
  return name?.replaceAll(/\s+/g, "-");
}

const longestTicks = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));

/** A code block whose fence is longer than every fence inside it. */
function codeBlock(node: Pasted, { indent, language }: Place): string {
  const code = raw(node);
  const fence = "`".repeat(Math.max(3, longestTicks(code) + 1));
  const named = [node, ...node.childNodes].map(languageOf).find((name) => name !== undefined);
  const head = fence + (named ?? language ?? "");
  const lines = [head, ...code.replace(/\n$/, "").split("\n"), fence];
  return lines
    .map((words, index) => (words === "" || index === 0 ? words : indent + words))
    .join(codeBreak);
}

/** Inline code, in which nothing is formatted. Blanks at its ends are put outside. */
function codeInLine(code: string): string {
  const words = code.replaceAll(/\s+/g, " ");
  const bare = words.trim();
  if (bare === "") return words;
  const mark = "`".repeat(longestTicks(bare) + 1);
  const blank = /^`|`$/.test(bare) ? " " : "";
  return words.replace(bare, () => mark + blank + bare + blank + mark);
}

const line = (node: Pasted, place: Place): string =>
  inBlocks(node, place)
    .trim()
    .replaceAll(/\n{2,}/g, `\n${place.indent}`);

const quoted = (text: string): string =>
  text
    .trim()
    .replaceAll(/\n{3,}/g, "\n\n")
    .split(/[\n\uE000]/)
    .map((words) => `> ${words}`.trimEnd())
    .join("\n");

function list(node: Pasted, place: Place): string {
  const { indent } = place;
  const points = [...node.childNodes].filter(({ nodeName }) => nodeName === "LI");
  let number = (numberIn(node, "start") ?? 1) - 1;
  const lines = points.map((point) => {
    number = numberIn(point, "value") ?? number + 1;
    const mark = node.nodeName === "OL" ? `${number}.` : "-";
    const inner = `${indent}${" ".repeat(mark.length + 1)}`;
    return `${indent}${mark} ${line(point, { ...place, indent: inner })}`;
  });
  const around = indent === "" ? "\n\n" : "\n";
  return `${around}${lines.join("\n")}${around}`;
}

/** A number that Markdown can begin a list with. */
function numberIn(node: Pasted, attribute: string): number | undefined {
  const text = node.getAttribute?.(attribute) ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function inline(node: Pasted, around: Place): string {
  if (isMarkOfWord(node)) return "";
  const isDocument = node.getAttribute?.("id")?.startsWith("docs-internal-guid") === true;
  const place = isDocument ? { ...around, isStyled: true } : around;
  const words = inBlocks(node, place);
  switch (node.nodeName) {
    case "B":
    case "STRONG":
      return isPlainWeight(node) ? words : marked("**", words);
    case "I":
    case "EM":
      return marked("*", words);
    case "DEL":
    case "S":
    case "STRIKE":
      return marked("~~", words);
    case "A":
      return link(node, words);
    case "IMG":
      return node.getAttribute?.("alt") ?? "";
    case "SPAN":
      return place.isStyled ? markedByStyle(node, words) : words;
    default:
      return words;
  }
}

/** Google Docs wraps a document in a `b` element that is not bold. */
const isPlainWeight = (node: Pasted): boolean => /font-weight:\s*(normal|400)/.test(styleOf(node));

const marksOfStyles: readonly (readonly [style: RegExp, mark: string])[] = [
  [/font-weight:\s*(bold|[6-9]00)/, "**"],
  [/font-style:\s*italic/, "*"],
  [/text-decoration:[^;]*line-through/, "~~"],
];

const markedByStyle = (node: Pasted, words: string): string =>
  marksOfStyles
    .filter(([style]) => style.test(styleOf(node)))
    .reduce((inner, [, mark]) => marked(mark, inner), words);

/** Words between marks. Blanks at their ends are put outside, and empty text gets no marks. */
function marked(mark: string, words: string): string {
  const bare = words.trim();
  if (bare === "" || bare.includes("\n\n")) return words;
  const [before = "", after = ""] = [/^\s*/.exec(words)?.[0], /\s*$/.exec(words)?.[0]];
  return `${before}${mark}${bare}${mark}${after}`;
}

/** A link to another page. A link whose text is its own address stays a plain address. */
function link(node: Pasted, words: string): string {
  const address = node.getAttribute?.("href") ?? "";
  const bare = words.trim();
  if (!/^(https?:|mailto:)/i.test(address) || bare === "") return words;
  if (bare === address || `${bare}/` === address) return address;
  return `[${bare.replaceAll(/[[\]]/g, "\\$&")}](${address.replaceAll(")", "%29")})`;
}

const raw = (node: Pasted): string =>
  node.nodeType === textNode
    ? (node.nodeValue ?? "")
    : node.nodeName === "BR"
      ? "\n"
      : [...node.childNodes].map(raw).join("");
