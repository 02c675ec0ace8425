import type { MarkdownIt, StateBlock } from "markdown-it";

const opening = /^(`{3,}|~{3,})[ \t]*quote[ \t]*$/;
const closing = /^(`{3,}|~{3,})[ \t]*$/;
/** As many columns in, a line is no fence. */
const indentMax = 3;

/** A fenced block of the language `quote` is a quotation of Markdown. */
export function useQuoteFences(markdown: MarkdownIt) {
  markdown.block.ruler.before("fence", "quote_fence", pushQuotation, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
}

function pushQuotation(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const fence = opening.exec(fenceLine(state, startLine))?.[1];
  if (fence === undefined) return false;
  if (silent) return true;
  const { end, isClosed } = findEnd(state, fence, startLine, endLine);
  const { lineMax, parentType } = state;
  state.lineMax = end;
  state.parentType = "blockquote";
  const open = state.push("blockquote_open", "blockquote", 1);
  open.markup = fence;
  open.map = [startLine, end];
  state.md.block.tokenize(state, startLine + 1, end);
  state.push("blockquote_close", "blockquote", -1).markup = fence;
  state.lineMax = lineMax;
  state.parentType = parentType;
  state.line = isClosed ? end + 1 : end;
  return true;
}

/** A line as far as it can be a fence; empty where it is indented too far. */
function fenceLine({ src, bMarks, tShift, eMarks, sCount, blkIndent }: StateBlock, line: number): string {
  if ((sCount[line] ?? 0) - blkIndent > indentMax) return "";
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);
}

/** Where a quotation ends: at the fence that closes it, or with what it stands in. */
function findEnd(state: StateBlock, fence: string, startLine: number, endLine: number) {
  for (let line = startLine + 1; line < endLine; line++) {
    if (closing.exec(fenceLine(state, line))?.[1]?.startsWith(fence)) return { end: line, isClosed: true };
    const isOutdented = !state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent;
    if (isOutdented) return { end: line, isClosed: false };
  }
  return { end: endLine, isClosed: false };
}
