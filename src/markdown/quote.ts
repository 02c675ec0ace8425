/**
 * Signs that mention somebody in a text: its first sign is written otherwise, so that it is no
 * mention any more.
 */
const mention = /@(?=_?\*)/g;

/**
 * A text of somebody's as a quotation in what the server says, whatever is in it: it mentions
 * nobody there.
 */
export function quoted(source: string): string {
  const longest = Math.max(2, ...(source.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}quote\n${source.replace(mention, "&#64;")}\n${fence}`;
}
