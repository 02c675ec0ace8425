import { Parser } from "htmlparser2";

/* Results of tests, by the report in XML that `bun test` writes and by the lines that it prints. */

export type Counts = { passed: number; failed: number; skipped: number; todo: number };
export interface NotPassed {
  outcome: "FAILED" | "SKIPPED" | "UNSTEADY";
  file: string;
  /** Name of the test, with the beginning of its error in the lines below it. */
  text: string;
}

/** Counts of each file in a report. A file that could not be loaded is not in it. */
export function countTests(report: string): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  let file = "";
  let outcome: keyof Counts = "passed";
  const parser = new Parser(
    {
      onopentag(tag, { file: inFile = "", message }) {
        if (tag === "testcase") [file, outcome] = [inFile, "passed"];
        if (tag === "failure" || tag === "error") outcome = "failed";
        if (tag === "skipped") outcome = message ? "todo" : "skipped";
      },
      onclosetag(tag) {
        if (tag !== "testcase") return;
        const ofFile = counts.get(file) ?? addCounts([]);
        ofFile[outcome] += 1;
        counts.set(file, ofFile);
      },
    },
    { xmlMode: true },
  );
  parser.end(report);
  return counts;
}

export const addCounts = (all: Counts[]): Counts =>
  all.reduce(
    (sum, counts) => ({
      passed: sum.passed + counts.passed,
      failed: sum.failed + counts.failed,
      skipped: sum.skipped + counts.skipped,
      todo: sum.todo + counts.todo,
    }),
    { passed: 0, failed: 0, skipped: 0, todo: 0 },
  );

/** The tests that failed or were skipped, and files whose process crashed. */
export function describeNotPassed(lines: string[]): NotPassed[] {
  const described = new Map<string, NotPassed>();
  let file = "";
  let printed: string[] = [];
  for (const line of lines) {
    // Where many have failed or were skipped, bun names them once more, without their files.
    if (/^\d+ tests? (?:failed|skipped):$/.test(line)) break;
    const [, heading] = /^(test\/\S+\.test\.ts):$/.exec(line) ?? [];
    const [, outcome, name] = /^\((pass|fail|skip)\) (.*?)(?: \[[\d.]+m?s\])?$/.exec(line) ?? [];
    const [, crashed, how] = /^✗ (test\/\S+\.test\.ts) \((.*)\)$/.exec(line) ?? [];
    file = heading ?? file;
    if (crashed) described.set(crashed, { outcome: "FAILED", file: crashed, text: how ?? "" });
    if (outcome === "fail") {
      const text = `${name}${beginningOfError(printed)}`;
      described.set(`${file} ${text}`, { outcome: "FAILED", file, text });
    }
    if (outcome === "skip")
      described.set(`${file} ${name}`, { outcome: "SKIPPED", file, text: name ?? "" });
    if (heading || outcome) printed = [];
    else printed.push(line);
  }
  return [...described.values()];
}

const errorLinesMax = 8;

function beginningOfError(printed: string[]): string {
  const first = printed.findIndex((line) => /^\w*error:/i.test(line));
  const lines = first < 0 ? [] : printed.slice(first).filter((line) => line.trim() !== "");
  const isPlace = (line: string) => /^ +at /.test(line);
  const message = lines.filter((line) => !isPlace(line)).slice(0, errorLinesMax);
  const places = lines.filter(isPlace).slice(0, 1);
  return [...message, ...places].map((line) => `\n    ${line}`).join("");
}
