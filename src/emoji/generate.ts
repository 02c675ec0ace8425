/**
 * Generates `names.json`: `bun run src/emoji/generate.ts PATH`. It has the names of each emoji by
 * its code, the canonical one first. PATH is the table of emoji that clients of the protocol know:
 * a line has a code, a canonical name and other names, separated by tabs; the part after its second
 * comment is not about names. Names of the previous `names.json` come next, because messages
 * contain them, and names of emoji-datasource-google last, for emoji newer than the table.
 */
import { readFileSync, writeFileSync } from "node:fs";
import before from "./names.json";

interface DataSourceEmoji {
  unified: string;
  short_names: string[];
}

/** Form of the names that the renderer finds between colons. */
const nameForm = /^[\p{L}\p{N}_+-]+$/u;

/**
 * Lower-case hexadecimal joined by dashes, without the variation selector: the `emoji_code` of this
 * protocol.
 */
const toCode = (unified: string) =>
  unified
    .toLowerCase()
    .split("-")
    .filter((codePoint) => codePoint !== "fe0f")
    .join("-");

/** A name without a dash, as this protocol writes names; `-1` keeps its own. */
const toProtocolName = (shortName: string) =>
  shortName === "-1" ? shortName : shortName.replaceAll("-", "_");

const splitNames = (names: string) => names.split(" ").filter((name) => name !== "");

function readProtocolTable(path: string): [code: string, names: string[]][] {
  const [, emoji = ""] = readFileSync(path, "utf8").split(/^#.*\n/m);
  const lines = emoji.trimEnd().split("\n");
  return lines.map((line) => {
    const [code = "", ...names] = line.split("\t");
    return [code, names.flatMap(splitNames)];
  });
}

function readDataSource(): [code: string, names: string[]][] {
  const path = new URL(import.meta.resolve("emoji-datasource-google/emoji.json"));
  const emoji: DataSourceEmoji[] = JSON.parse(readFileSync(path, "utf8"));
  return emoji.map(({ unified, short_names }) => [
    toCode(unified),
    short_names.map(toProtocolName),
  ]);
}

const path = process.argv[2];
if (path === undefined)
  throw new Error("Name the protocol's table: bun run src/emoji/generate.ts emoji.tsv");
const namesBefore = Object.entries(before).map(([code, names]): [string, string[]] => [
  code,
  splitNames(names),
]);
const codes = new Map<string, string>();
for (const [code, names] of [...readProtocolTable(path), ...namesBefore, ...readDataSource()]) {
  for (const name of names) {
    if (!nameForm.test(name)) throw new Error(`The renderer would not find the name ${name}.`);
    if (!codes.has(name)) codes.set(name, code);
  }
}
const grouped = Map.groupBy(codes.keys(), (name) => codes.get(name) ?? "");
const table = Object.fromEntries([...grouped].map(([code, names]) => [code, names.join(" ")]));
writeFileSync(new URL("names.json", import.meta.url), `${JSON.stringify(table, undefined, 2)}\n`);
console.error(`${codes.size} names of ${grouped.size} emoji`);
