import { appendFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { Figures } from "./load-target";
import { median } from "./statistics";
import { type Engine, formatTarget, isMet, type Line, lines } from "./targets";

/** The figures of one repeat, taken one right after the other. */
export type Repeat = { floor: Figures; subject: Figures };

/** Results of a run: the medians, and the lowest and highest ratio of any repeat. */
export type Summary = {
  floor: Figures;
  subject: Figures;
  ratios: Record<string, [number, number]>;
};

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** Takes the median of each figure over the repeats that have it. */
export function summarize(repeats: Repeat[]): Summary {
  const summary: Summary = { floor: {}, subject: {}, ratios: {} };
  for (const name of new Set(repeats.flatMap((repeat) => Object.keys(repeat.subject)))) {
    const pairs = repeats.flatMap(({ floor, subject }) => {
      const value = subject[name];
      // The floor does not do everything.
      return value === undefined ? [] : [{ floor: floor[name] ?? Number.NaN, subject: value }];
    });
    const ratios = pairs.map((pair) => pair.subject / pair.floor);
    summary.floor[name] = rounded(median(pairs.map((pair) => pair.floor)));
    summary.subject[name] = rounded(median(pairs.map((pair) => pair.subject)));
    summary.ratios[name] = [rounded(Math.min(...ratios)), rounded(Math.max(...ratios))];
  }
  return summary;
}

function formatFigure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return value >= 1000
    ? Math.round(value).toLocaleString("en-US")
    : String(Number(value.toPrecision(3)));
}

/**
 * The tables for people: each figure, the floor's, the ratio with its spread, the target and
 * whether it is met.
 */
export function formatTables(summary: Summary, engine: Engine, subjectName: string): string {
  const shown = (wanted: Line["compared"]) => lines.filter(({ compared }) => compared === wanted);
  const tables = [
    formatTable(summary, engine, shown(undefined), ["work", "floor", subjectName]),
    formatTable(summary, engine, shown("growth"), ["growth", "little", "much"]),
    formatTable(summary, engine, shown("neighbours"), ["neighbours, while…", "without", "beside"]),
  ];
  return tables.filter((table) => table !== "").join("\n\n");
}

function formatTable(
  summary: Summary,
  engine: Engine,
  shown: Line[],
  headings: [string, string, string],
): string {
  const rows = shown.flatMap((line) => formatRow(summary, engine, line));
  if (rows.length === 0) return "";
  const cells = [[...headings, "ratio", "(of the repeats)", "target", ""], ...rows];
  const widths = headings.concat("", "", "", "").map((_, column) => widthOf(cells, column));
  const isNumber = (column: number) => column >= 1 && column <= 4;
  const pad = (cell: string, column: number) =>
    isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return cells.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}

const widthOf = (rows: string[][], column: number) =>
  Math.max(...rows.map((row) => row[column]?.length ?? 0));

/** The cells of a figure that was measured. */
function formatRow(summary: Summary, engine: Engine, line: Line): string[][] {
  const floor = summary.floor[line.figure];
  const subject = summary.subject[line.figure];
  if (floor === undefined || subject === undefined) return [];
  const hasFloor = Number.isFinite(floor);
  const spread = hasFloor
    ? (summary.ratios[line.figure] ?? []).map((ratio) => ratio.toFixed(2)).join("–")
    : "";
  const met = isMet(line, engine, floor, subject);
  const verdict = met === undefined ? "" : met ? "met" : "NOT MET";
  const figures = [
    formatFigure(floor),
    formatFigure(subject),
    hasFloor ? (subject / floor).toFixed(2) : "",
    spread,
  ];
  return [[line.label, ...figures, formatTarget(line, engine), verdict]];
}

function readGit(...parts: string[]): string {
  const result = Bun.spawnSync(["git", "--no-optional-locks", ...parts], {
    cwd: import.meta.dir,
    stderr: "ignore",
  });
  return result.success ? result.stdout.toString().trim() : "";
}

/** The commit measured; `+` at its end when the checkout differed from it. */
export function describeCommit(): string {
  const commit = readGit("rev-parse", "--short=12", "HEAD") || "none";
  return readGit("status", "--porcelain") === "" ? commit : `${commit}+`;
}

/** The machine in one line: figures of different machines are not comparable. */
export function describeMachine(): string {
  const memoryGB = Math.round(totalmem() / 1e9);
  return `${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? "?"}, ${memoryGB} GB, bun ${Bun.version}`;
}

/** Appends a run to the history as one line of JSON. */
export function appendHistory(run: Record<string, unknown>): void {
  appendFileSync(join(import.meta.dir, "history.jsonl"), `${JSON.stringify(run)}\n`);
}
