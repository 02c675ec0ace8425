/**
 * Writes `confusables.json`: `bun run src/core/text/confusables-generate.ts confusables.txt`. The
 * table comes from Unicode (https://www.unicode.org/Public/security/latest/confusables.txt, under
 * https://www.unicode.org/license.txt) and lists every character that a skeleton replaces, with the
 * characters it looks like.
 */
import { readFileSync, writeFileSync } from "node:fs";

const lineForm = /^([0-9A-F]+)\s*;\s*([0-9A-F ]+?)\s*;\s*MA/;

const toText = (codePoints: string) =>
  String.fromCodePoint(
    ...codePoints.split(/\s+/).map((codePoint) => Number.parseInt(codePoint, 16)),
  );

const [path = "confusables.txt"] = process.argv.slice(2);
const sourcesByTarget = new Map<string, string>();
for (const line of readFileSync(path, "utf8").split("\n")) {
  const [, source = "", prototype = ""] = lineForm.exec(line) ?? [];
  if (source === "") continue;
  const [character, target] = [toText(source), toText(prototype)];
  // A skeleton is made of decomposed text, so a character that decomposes is never looked up.
  if (character.normalize("NFD") === character)
    sourcesByTarget.set(target, (sourcesByTarget.get(target) ?? "") + character);
}
const entries = [...sourcesByTarget].sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(
  new URL("confusables.json", import.meta.url),
  `{\n${entries.map(([target, characters]) => `  ${JSON.stringify(target)}: ${JSON.stringify(characters)}`).join(",\n")}\n}\n`,
);
