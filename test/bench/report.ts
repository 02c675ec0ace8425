import { appendFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { Figures } from "./load-target";
import { median } from "./statistics";
import { type Engine, formatTarget, isMet, lines } from "./targets";

/** The figures of one repeat, taken one right after the other. */
export type Repeat = { floor: Figures; subject: Figures };

/** What a run measured: the medians, and the lowest and highest ratio of any repeat. */
export type Summary = { floor: Figures; subject: Figures; ratios: Record<string, [number, number]> };

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** Takes the median of each figure over the repeats that have it. */
export function summarize(repeats: Repeat[]): Summary {
  const summary: Summary = { floor: {}, subject: {}, ratios: {} };
  for (const name of new Set(repeats.flatMap((repeat) => Object.keys(repeat.subject)))) {
    const pairs = repeats.flatMap(({ floor, subject }) => {
      const pair = [floor[name], subject[name]] as const;
      return pair[0] === undefined || pair[1] === undefined ? [] : [{ floor: pair[0], subject: pair[1] }];
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
  return value >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}

/** The table for people: each figure, the floor's, the ratio with its spread, the target and whether it is met. */
export function formatTable(summary: Summary, engine: Engine, subjectName: string): string {
  const rows = [["work", "floor", subjectName, "ratio", "(of the repeats)", "target", ""]];
  for (const line of lines) {
    const floor = summary.floor[line.figure];
    const subject = summary.subject[line.figure];
    if (floor === undefined || subject === undefined) continue;
    const spread = (summary.ratios[line.figure] ?? []).map((ratio) => ratio.toFixed(2)).join("–");
    const met = isMet(line, engine, floor, subject);
    const verdict = met === undefined ? "" : met ? "met" : "MISSED";
    const ratio = (subject / floor).toFixed(2);
    rows.push([
      line.label,
      formatFigure(floor),
      formatFigure(subject),
      ratio,
      spread,
      formatTarget(line, engine),
      verdict,
    ]);
  }
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const isNumber = (column: number) => column >= 1 && column <= 4;
  const pad = (cell: string, column: number) =>
    isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}

function readGit(...parts: string[]): string {
  const result = Bun.spawnSync(["git", "--no-optional-locks", ...parts], { cwd: import.meta.dir, stderr: "ignore" });
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
