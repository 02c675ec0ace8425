import { readFileSync } from "node:fs";
import { join } from "node:path";

/** An emoji as clients know it. */
export interface ProtocolEmoji {
  code: string;
  /** The canonical one first. */
  names: string[];
}

const path = join(import.meta.dir, "../../recorded/api/emoji.tsv");

/**
 * The lines of the table's first part, the emoji, and of its second, the emoticons.
 */
const [emojiLines = [], emoticonLines = []] = readFileSync(path, "utf8")
  .split(/^#.*\n/m)
  .slice(1)
  .map((part) => part.trimEnd().split("\n"));

/** The emoji that clients know. */
export const protocolEmoji: ProtocolEmoji[] = emojiLines.map((line) => {
  const [code = "", canonical = "", others = ""] = line.split("\t");
  return { code, names: [canonical, ...others.split(" ").filter((name) => name !== "")] };
});

/** Each name with its code, as clients send both. */
export const protocolPairs: [name: string, code: string][] = protocolEmoji.flatMap(
  ({ code, names }) => names.map((name): [string, string] => [name, code]),
);

/** Emoticons with the names of the emoji that they become. */
export const protocolEmoticons: [emoticon: string, name: string][] = emoticonLines.map((line) => {
  const [emoticon = "", written = ""] = line.split("\t");
  return [emoticon, written.replaceAll(":", "")];
});
