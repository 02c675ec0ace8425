import { withoutMentions } from "./foreign-mentions";

/** A person's text as a quotation in a text of the server, without mentions. */
export const quoted = (source: string) => quotation(withoutMentions(source));

/** A text as a quotation. The text cannot end the quotation. */
export function quotation(source: string): string {
  const longest = Math.max(2, ...(source.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}quote\n${source}\n${fence}`;
}
