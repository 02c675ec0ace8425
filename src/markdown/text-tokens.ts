import type { StateCore, Token } from "markdown-it";

/** A part of a text, with its replacement. */
export interface Found {
  start: number;
  end: number;
  tokens: Token[];
}

type FindReplacements = (
  text: string,
  before: Token | undefined,
  after: Token | undefined,
) => readonly Found[];

/**
 * Replaces the matches of `findReplacements` in running text, but not in code, links, formulas or
 * other tokens. The matches must be in order and must not overlap. `findReplacements` also gets the
 * tokens beside the text.
 */
export function replaceInText(state: StateCore, findReplacements: FindReplacements) {
  for (const token of state.tokens)
    if (token.type === "inline" && token.children)
      token.children = replaceInLine(state, token.children, findReplacements);
}

function replaceInLine(
  state: StateCore,
  tokens: Token[],
  findReplacements: FindReplacements,
): Token[] {
  let linksOpen = 0;
  return tokens.flatMap((token, index) => {
    if (token.type === "link_open") linksOpen += 1;
    if (token.type === "link_close") linksOpen -= 1;
    if (token.type !== "text" || linksOpen > 0 || token.content === "") return [token];
    const found = findReplacements(token.content, tokens[index - 1], tokens[index + 1]);
    return found.length === 0 ? [token] : splitText(state, token.content, found);
  });
}

function splitText(state: StateCore, text: string, found: readonly Found[]): Token[] {
  const parts: Token[] = [];
  let position = 0;
  for (const { start, end, tokens } of found) {
    if (start > position) parts.push(textToken(state, text.slice(position, start)));
    parts.push(...tokens);
    position = end;
  }
  if (position < text.length) parts.push(textToken(state, text.slice(position)));
  return parts;
}

/** A token of plain text. */
function textToken(state: StateCore, content: string): Token {
  const token = new state.Token("text", "", 0);
  token.content = content;
  return token;
}

/** The tokens of a link with that text. */
export function linkTokens(state: StateCore, address: string, text: string): Token[] {
  const open = new state.Token("link_open", "a", 1);
  open.attrSet("href", address);
  return [open, textToken(state, text), new state.Token("link_close", "a", -1)];
}

/** The tokens of a link, from its opening token at `index` to its closing token. */
export function linkAt(tokens: readonly Token[], index: number): Token[] {
  let end = index;
  while (end < tokens.length && tokens[end]?.type !== "link_close") end += 1;
  return tokens.slice(index, end + 1);
}
