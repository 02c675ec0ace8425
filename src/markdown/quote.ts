/** Characters that begin a mention in a text; the first is escaped, so that it is no mention. */
const mention = /@(?=_?\*)/g;

/** A text of a person as a quotation in a text of the server, without mentions. */
export function quoted(source: string): string {
  const longest = Math.max(2, ...(source.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}quote\n${source.replace(mention, "&#64;")}\n${fence}`;
}
