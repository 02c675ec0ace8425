import type { Message } from "./wire";

/**
 * The words of a message. Of a poll or a to-do list, they do not include the command that created
 * it.
 */
export function wordsOf({
  content,
  submessages,
}: Pick<Message, "content" | "submessages">): string {
  const words = wordsOfHtml(content);
  return submessages.length === 0 ? words : words.replace(/^\/(poll|todo)\s+/, "");
}

/**
 * The words of a message as a screen reader reads them: its HTML without tags and without hidden
 * parts.
 */
export function wordsOfHtml(html: string): string {
  const [shown = ""] = html.split('<div class="spoiler-content"');
  return shown
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(#\d+|#x[0-9a-f]+|\w+);/gi, (whole, name: string) => signOfName(name) ?? whole)
    .replaceAll(/\s+/g, " ")
    .trim();
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function signOfName(name: string): string | undefined {
  if (!name.startsWith("#")) return named[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const wordsMax = 16;

/** The first words of a text. */
export function firstWords(text: string): string {
  const all = text.split(" ");
  return all.length <= wordsMax ? text : `${all.slice(0, wordsMax).join(" ")}…`;
}
