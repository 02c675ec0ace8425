/**
 * Writes `names.json`, the table of emoji names: `bun run src/emoji/generate.ts`. Names come from emoji-datasource-google
 * and from `protocol-names.ts`, which wins: clients of this protocol know some names by another picture.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { protocolNames } from "./protocol-names";

interface DataSourceEmoji {
  name: string;
  unified: string;
  short_names: string[];
}

const nameAccepted = /^[0-9a-z_+-]+$/;

/** Lower-case hexadecimal joined by dashes, without the variation selector: the `emoji_code` of this protocol. */
const toCode = (unified: string) =>
  unified
    .toLowerCase()
    .split("-")
    .filter((codePoint) => codePoint !== "fe0f")
    .join("-");

/** "Germany Flag" → flag_germany; "FAMILY: MAN, WOMAN, GIRL" → family_man_woman_girl. */
function toDescriptiveName(name: string): string {
  const words =
    name
      .normalize("NFD")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const ordered = words.at(-1) === "flag" && words.length > 1 ? ["flag", ...words.slice(0, -1)] : words;
  return ordered.join("_");
}

/** A name without a dash, as this protocol writes names; `-1` keeps its own. */
const toProtocolName = (shortName: string) => (shortName === "-1" ? shortName : shortName.replaceAll("-", "_"));

function collectNames(emojis: DataSourceEmoji[]): Map<string, string> {
  const names = new Map<string, string>();
  const add = (name: string, code: string) => {
    if (nameAccepted.test(name) && !names.has(name)) names.set(name, code);
  };
  const codes = new Set(emojis.map((emoji) => toCode(emoji.unified)));
  for (const [code, ...own] of protocolNames) {
    if (!codes.has(code)) throw new Error(`protocol-names.ts: there is no emoji ${code}`);
    for (const name of own) {
      if (names.has(name)) throw new Error(`protocol-names.ts: ${name} stands for two emoji`);
      add(name, code);
    }
  }
  const isFlag = (emoji: DataSourceEmoji) => emoji.name.endsWith(" Flag");
  for (const emoji of emojis.filter(isFlag)) add(toDescriptiveName(emoji.name), toCode(emoji.unified));
  for (const emoji of emojis) for (const name of emoji.short_names) add(toProtocolName(name), toCode(emoji.unified));
  for (const emoji of emojis) add(toDescriptiveName(emoji.name), toCode(emoji.unified));
  return names;
}

function isDataSourceEmoji(value: unknown): value is DataSourceEmoji {
  if (typeof value !== "object" || value === null) return false;
  return "name" in value && "unified" in value && "short_names" in value && Array.isArray(value.short_names);
}

const source: unknown = JSON.parse(
  readFileSync(new URL(import.meta.resolve("emoji-datasource-google/emoji.json")), "utf8"),
);
if (!Array.isArray(source) || !source.every(isDataSourceEmoji))
  throw new Error("emoji-datasource-google has another form");
const names = collectNames(source);
writeFileSync(new URL("names.json", import.meta.url), `${JSON.stringify(Object.fromEntries(names), undefined, 2)}\n`);
console.error(`${names.size} names of ${source.length} emoji`);
