import type { MarkdownIt, StateBlock } from "markdown-it";

const quotation = /^(`{3,}|~{3,})[ \t]*quote[ \t]*$/;
/**
 * The fence that begins a spoiler, with its header. The match includes the spaces around the
 * header, because an expression without them would take cubic time.
 */
const spoiler = /^(`{3,}|~{3,})[ \t]*spoiler(?![^ \t])([^`]*)$/;
const closing = /^(`{3,}|~{3,})[ \t]*$/;
/**
 * A fence that begins code: words follow it. Another sign of the fence in its line would make the
 * line text.
 */
const opening = /^(`{3,}(?=[^`]*$)|~{3,}(?=[^~]*$))[ \t]*[^ \t]/;
/** Greatest indentation of a fence. */
const indentMax = 3;

/**
 * Fenced blocks that contain Markdown: a quotation, and a spoiler, which stays hidden until its
 * reader opens it.
 */
export function useFencedBlocks(markdown: MarkdownIt) {
  markdown.block.ruler.before("fence", "markdown_fence", pushFenced, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  const { rules } = markdown.renderer;
  rules["spoiler_open"] = () => '<div class="spoiler-block">';
  rules["spoiler_header_open"] = () => '<div class="spoiler-header">\n';
  rules["spoiler_header_close"] = () => "</div>";
  rules["spoiler_content_open"] = () => '<div class="spoiler-content" aria-hidden="true">\n';
  rules["spoiler_content_close"] = () => "</div>";
  rules["spoiler_close"] = () => "</div>\n";
}

function pushFenced(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  const line = fenceLine(state, startLine);
  if (line === "") return false;
  const quoted = quotation.exec(line)?.[1];
  const [, hidden, around = ""] = (quoted === undefined && spoiler.exec(line)) || [];
  const header = around.trim();
  const fence = quoted ?? hidden;
  if (fence === undefined) return false;
  if (silent) return true;
  const { end, isClosed } = findEnd(state, fence, startLine, endLine);
  if (quoted === undefined) pushSpoiler(state, header, startLine, end);
  else pushQuotation(state, fence, startLine, end);
  state.line = isClosed ? end + 1 : end;
  return true;
}

function pushQuotation(state: StateBlock, fence: string, startLine: number, end: number) {
  const open = state.push("blockquote_open", "blockquote", 1);
  open.markup = fence;
  open.map = [startLine, end];
  pushContent(state, startLine, end);
  state.push("blockquote_close", "blockquote", -1).markup = fence;
}

function pushSpoiler(state: StateBlock, header: string, startLine: number, end: number) {
  state.push("spoiler_open", "div", 1).map = [startLine, end];
  state.push("spoiler_header_open", "div", 1);
  if (header !== "") pushParagraph(state, header, startLine);
  state.push("spoiler_header_close", "div", -1);
  state.push("spoiler_content_open", "div", 1);
  pushContent(state, startLine, end);
  state.push("spoiler_content_close", "div", -1);
  state.push("spoiler_close", "div", -1);
}

function pushParagraph(state: StateBlock, text: string, line: number) {
  state.push("paragraph_open", "p", 1);
  const inline = state.push("inline", "", 0);
  inline.content = text;
  inline.map = [line, line + 1];
  inline.children = [];
  state.push("paragraph_close", "p", -1);
}

/** Parses the lines between two fences as Markdown. */
function pushContent(state: StateBlock, startLine: number, end: number) {
  const { lineMax, parentType } = state;
  state.lineMax = end;
  state.parentType = "blockquote";
  state.md.block.tokenize(state, startLine + 1, end);
  state.lineMax = lineMax;
  state.parentType = parentType;
}

/** The text of a line that may be a fence; empty if it is indented too far or is none. */
function fenceLine(
  { src, bMarks, tShift, eMarks, sCount, blkIndent }: StateBlock,
  line: number,
): string {
  const start = (bMarks[line] ?? 0) + (tShift[line] ?? 0);
  const mark = src[start];
  if ((mark !== "`" && mark !== "~") || (sCount[line] ?? 0) - blkIndent > indentMax) return "";
  return src.slice(start, eMarks[line]);
}

/** End of a block: at its closing fence, or at the end of the block around it. */
function findEnd(state: StateBlock, fence: string, startLine: number, endLine: number) {
  const isInside = innerBlocks(fence);
  for (let line = startLine + 1; line < endLine; line++) {
    const text = fenceLine(state, line);
    if (!isInside(text) && closing.exec(text)?.[1]?.startsWith(fence))
      return { end: line, isClosed: true };
    const isOutdented = !state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent;
    if (isOutdented) return { end: line, isClosed: false };
  }
  return { end: endLine, isClosed: false };
}

/**
 * Makes a check that takes the lines of a block in order. It answers whether a line belongs to an
 * inner block. An inner block begins with words after a fence that equals the fence around it, and
 * it ends at the next closing fence. Other fences inside cannot hide the end of the block, so
 * nothing can leave a quotation whose fence is longer than all fences in it.
 */
function innerBlocks(around: string): (line: string) => boolean {
  const open: { fence: string; isCode: boolean }[] = [];
  return (line) => {
    const innermost = open.at(-1);
    if (innermost && closing.exec(line)?.[1]?.startsWith(innermost.fence)) open.pop();
    else if (!innermost?.isCode) {
      const fence = openingFence(line);
      if (fence?.startsWith(around)) open.push({ fence, isCode: !isMarkdown(line) });
    }
    return innermost !== undefined;
  };
}

const isMarkdown = (line: string) => quotation.test(line) || spoiler.test(line);

const openingFence = (line: string) =>
  (quotation.exec(line) ?? spoiler.exec(line) ?? opening.exec(line))?.[1];
