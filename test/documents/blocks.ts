import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";

/* The fenced blocks of the documents, and the commands in them. */

export interface Block {
  /** Path of its page in the repository. */
  page: string;
  /** Word after the fence: `sh`, `toml`, or none for what is shown only. */
  language: string;
  text: string;
}

/** Pages for people who run chatd or build on it. */
export const pagesWithBlocks: string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `docs/${name}`),
];

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", block = ""]) => ({ page, language, text: block }),
  );
}

/** The commands of a block for a shell, one a line, without those that say nothing. */
export const commandsOf = ({ text }: Block): string[] =>
  text
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
