import type { MarkdownIt, StateBlock, StateCore, Token } from "markdown-it";
import { makeBudget } from "./budget";
import { builtInRule } from "./built-in-rule";

/** Columns by which a nested list is indented, whatever the width of the outer marker. */
const nestedIndent = 2;

/**
 * Number of lines of one text that are searched for nested lists. In further lines markdown-it
 * alone finds lists.
 */
const spendLines = makeBudget(20_000);

/** The marker of an item with the spaces after it; `1)` is no marker. */
const marker = /(?:[-*+]|\d{1,9}\.)(?: +|$)/my;

/**
 * Number of columns by which lines were moved to the right, so that they belong to the item above
 * them.
 */
const movedBy = new WeakMap<StateBlock, Map<number, number>>();

/**
 * Lists as people type them: two spaces nest a list, bullets of one list may differ, and a marker
 * without text is text.
 */
export function useLists(markdown: MarkdownIt) {
  const list = builtInRule((lender) => lender.block.ruler, "list");
  markdown.block.ruler.at(
    "list",
    (state, startLine, endLine, silent) => {
      const found = markerAt(state, startLine);
      if (found === undefined || isAlone(state, startLine, endLine, found)) return false;
      if (silent)
        return interruptsItem(state, startLine, found) || list(state, startLine, endLine, true);
      const moved = moveNestedLists(state, startLine, endLine, found);
      const isList = list(state, startLine, endLine, false);
      for (const [line, columns] of moved)
        if (!isList || line >= state.line) move(state, line, -columns);
      return isList;
    },
    { alt: ["paragraph", "reference", "blockquote"] },
  );
  markdown.core.ruler.after("block", "mixed_bullets", joinLists);
}

const startOf = ({ bMarks, tShift }: StateBlock, line: number) =>
  (bMarks[line] ?? 0) + (tShift[line] ?? 0);
const indentOf = ({ sCount }: StateBlock, line: number) => sCount[line] ?? 0;

function markerAt(state: StateBlock, line: number): string | undefined {
  marker.lastIndex = startOf(state, line);
  return marker.exec(state.src)?.[0];
}

const hasWords = (state: StateBlock, line: number, found: string) =>
  startOf(state, line) + found.length < (state.eMarks[line] ?? 0);

/** Whether a line is a marker alone: neither its text nor another item follows. */
function isAlone(state: StateBlock, line: number, endLine: number, found: string): boolean {
  if (hasWords(state, line, found)) return false;
  const next = line + 1;
  if (next >= endLine || state.isEmpty(next)) return true;
  return indentOf(state, next) <= indentOf(state, line) && markerAt(state, next) === undefined;
}

/**
 * Whether a line begins a list within the text of an item, where a list may begin with any number.
 * Elsewhere in text only 1 may begin a list, because a line that begins with another number may be
 * a date or similar.
 */
function interruptsItem(state: StateBlock, line: number, found: string): boolean {
  const { parentType, listIndent, blkIndent } = state;
  const isInItem =
    parentType === "paragraph" && listIndent >= 0 && indentOf(state, line) >= blkIndent;
  return isInItem && /^\d/.test(found) && hasWords(state, line, found);
}

/**
 * Moves lists that are indented by two spaces into the items of the list that begins here. Answers
 * the moved lines.
 */
function moveNestedLists(
  state: StateBlock,
  startLine: number,
  endLine: number,
  first: string,
): [number, number][] {
  const moved: [number, number][] = [];
  let typedIndent = typedIndentOf(state, startLine);
  let contentIndent = indentOf(state, startLine) + widthOf(first);
  let isBehindBlank = false;
  for (let line = startLine + 1; line < endLine && spendLines(state.env, 1); line++) {
    if (state.isEmpty(line)) {
      isBehindBlank = true;
      continue;
    }
    if (indentOf(state, line) < state.blkIndent) break;
    const found = markerAt(state, line);
    const isNested = typedIndentOf(state, line) >= typedIndent + nestedIndent;
    if (found === undefined && !isNested && isBehindBlank) break;
    isBehindBlank = false;
    if (found === undefined) continue;
    const columns = contentIndent - indentOf(state, line);
    if (isNested && columns > 0) {
      move(state, line, columns);
      moved.push([line, columns]);
    } else if (!isNested) {
      typedIndent = typedIndentOf(state, line);
      contentIndent = indentOf(state, line) + widthOf(found);
    }
  }
  return moved;
}

/**
 * Number of columns of a marker and the spaces after it. With more than four spaces only one
 * counts, because the rest begins code.
 */
function widthOf(found: string): number {
  const width = found.trimEnd().length;
  const spaces = found.length - width;
  return width + (spaces > 4 || spaces === 0 ? 1 : spaces);
}

const typedIndentOf = (state: StateBlock, line: number) =>
  indentOf(state, line) - (movedBy.get(state)?.get(line) ?? 0);

function move(state: StateBlock, line: number, columns: number) {
  const moves = movedBy.get(state) ?? new Map<number, number>();
  movedBy.set(state, moves.set(line, (moves.get(line) ?? 0) + columns));
  state.sCount[line] = indentOf(state, line) + columns;
}

/** Joins adjacent lists, because markdown-it begins a new list at a different bullet. */
function joinLists(state: StateCore) {
  const { tokens } = state;
  const isSeam = ({ type }: Token, index: number) =>
    type === "bullet_list_open" && tokens[index - 1]?.type === "bullet_list_close";
  if (!tokens.some(isSeam)) return;
  const lines = state.src.split("\n");
  const joined: Token[] = [];
  const opened: List[] = [];
  let closed: List | undefined;
  for (const [index, token] of tokens.entries()) {
    if (closed && isSeam(token, index)) {
      joined.pop();
      closed.isLoose ||= isBlank(lines[(token.map?.[0] ?? 0) - 1] ?? "");
      opened.push(closed);
      continue;
    }
    if (token.type === "bullet_list_open") opened.push({ start: joined.length, isLoose: false });
    joined.push(token);
    if (token.type !== "bullet_list_close") continue;
    closed = opened.pop();
    if (closed && tokens[index + 1]?.type !== "bullet_list_open") evenOut(joined, closed);
  }
  state.tokens = joined;
}

interface List {
  /** The index of its first token. */
  start: number;
  /** Whether there are blank lines between its items. */
  isLoose: boolean;
}

/** Whether a line is blank. In a quotation, a blank line contains the marks of the quotation. */
const isBlank = (line: string) => /^[\s>]*$/.test(line);

/** Gives paragraphs to all items of a list or to none. */
function evenOut(tokens: readonly Token[], { start, isLoose }: List) {
  const level = (tokens[start]?.level ?? 0) + 2;
  const paragraphs = tokens
    .slice(start)
    .filter((token) => token.level === level && /^paragraph_/.test(token.type));
  if (!isLoose && paragraphs.every(({ hidden }) => hidden)) return;
  for (const paragraph of paragraphs) paragraph.hidden = false;
}
