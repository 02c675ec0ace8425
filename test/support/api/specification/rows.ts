import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readers } from "./readers";

const place = join(import.meta.dir, "../../../../docs/protocol/specification.md");

/**
 * Something that the specification says, under a name that does not change: `parameter: POST
 * /channels/create name`.
 */
export interface Row {
  id: string;
  /** The line of the specification that says it first, from 1. */
  line: number;
}

/** A line of the specification with what it stands under. */
export interface Line {
  /** Of the third level, without what is in parentheses behind it; empty above the first. */
  heading: string;
  /** Of a table's row; empty where the line is none. */
  cells: string[];
  /** The names of the table's columns. */
  columns: string[];
  text: string;
}

/** All that the specification says, in its order. */
export const findRows = (): Row[] => parseRows(readFileSync(place, "utf8"));

/** Reads every line by the rule of its section; what is said twice counts once. */
export function parseRows(text: string): Row[] {
  const rows = new Map<string, Row>();
  const [at, lines] = [{ section: "", heading: "", columns: [""] }, text.split("\n")];
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("## ")) Object.assign(at, { section: line.slice(3), heading: "" });
    if (line.startsWith("### ")) at.heading = line.slice(4).replace(/ \([^)]*\)$/, "");
    if (isRuler(line)) continue;
    const cells = cellsOf(line);
    if (isRuler(lines[index + 1] ?? "")) at.columns = cells;
    else
      for (const id of readers[at.section]?.({ ...at, cells, text: line }) ?? [])
        note(rows, id, index + 1);
  }
  return [...rows.values()];
}

function note(rows: Map<string, Row>, id: string, line: number) {
  if (!rows.has(id)) rows.set(id, { id, line });
}

/** The line between a table's head and its body. */
const isRuler = (line: string) => /^\|(-+\|)+$/.test(line);

const cellsOf = (line: string) =>
  line.startsWith("|")
    ? line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim())
    : [];
