/**
 * Parts of a text that may take long: formulas, and highlighted code. Another thread can do this
 * work before the text is rendered, because it depends on nothing else.
 */

/** A formula, as HTML and MathML; or code, in the nested scopes of highlight.js. */
export type HeavyWork =
  | { kind: "formula"; source: string; isDisplayed: boolean; expansionsMax: number }
  | { kind: "code"; source: string; grammar: string };

/**
 * The HTML of some work, by `keyOf`; undefined where the work was lost, and its source is shown.
 */
export type WorkedOut = ReadonlyMap<string, string | undefined>;

export const keyOf = (work: HeavyWork): string =>
  work.kind === "formula"
    ? `${work.isDisplayed ? "F" : "f"}${work.expansionsMax} ${work.source}`
    : `c${work.grammar} ${work.source}`;

/** The fixed cost of a formula, as a number of its characters. */
export const formulaCost = 20;
/** The number of characters of code that take as long as one of a formula. */
export const formulaFactor = 5;

/** Approximate duration of work, in characters of code. */
export const costOf = (work: HeavyWork): number =>
  work.kind === "formula" ? formulaFactor * (work.source.length + formulaCost) : work.source.length;

/**
 * The results for the texts that are being rendered, by the environment of each, or the work to
 * collect.
 */
const worked = new WeakMap<object, Map<string, string | undefined>>();
const noted = new WeakMap<object, Map<string, HeavyWork>>();

/** Renders a text with finished results. */
export const useWorkedOut = (env: object, results: WorkedOut): void =>
  void worked.set(env, new Map(results));

/** Collects the work of a text instead of doing it; the text is then rendered without it. */
export function noteWork(env: object): ReadonlyMap<string, HeavyWork> {
  const works = new Map<string, HeavyWork>();
  noted.set(env, works);
  return works;
}

type Engines = {
  code: typeof import("./code-engine") | undefined;
  math: typeof import("./math-engine") | undefined;
};
const engines: Engines = { code: undefined, math: undefined };

/**
 * Does some work. The engines are loaded on first use, because loading them takes as long as the
 * rest of a start.
 */
export function doWork(work: HeavyWork): string | undefined {
  if (work.kind === "code") {
    const code: typeof import("./code-engine") = engines.code ?? require("./code-engine");
    engines.code = code;
    return code.markScopes(work.source, work.grammar);
  }
  const math: typeof import("./math-engine") = engines.math ?? require("./math-engine");
  engines.math = math;
  return math.formulaHtml(work);
}

/**
 * The HTML of some work of a text, which is done once for all repetitions in it; undefined for
 * invalid work, and while work is collected.
 */
export function workIn(env: object, work: HeavyWork): string | undefined {
  const key = keyOf(work);
  const works = noted.get(env);
  works?.set(key, work);
  if (works) return undefined;
  const results = worked.get(env) ?? new Map<string, string | undefined>();
  if (!results.has(key)) results.set(key, doWork(work));
  worked.set(env, results);
  return results.get(key);
}
