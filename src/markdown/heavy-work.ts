/**
 * Parts of a text that may take long. Their results depend on nothing else, so that they are worked
 * out once for all repetitions in a text.
 */

/** A formula, as HTML and MathML; or code, in the nested scopes of highlight.js. */
export type HeavyWork =
  | { kind: "formula"; source: string; isDisplayed: boolean; expansionsMax: number }
  | { kind: "code"; source: string; grammar: string };

const keyOf = (work: HeavyWork): string =>
  work.kind === "formula"
    ? `${work.isDisplayed ? "F" : "f"}${work.expansionsMax} ${work.source}`
    : `c${work.grammar} ${work.source}`;

/** The fixed cost of a formula, as a number of its characters. */
export const formulaCost = 20;
/** The number of characters of code that take as long as one of a formula. */
export const formulaFactor = 5;

/** The results for the texts that are being rendered, by the environment of each. */
const worked = new WeakMap<object, Map<string, string | undefined>>();
/** Environments of texts that are rendered without formulas and highlighting. */
const plain = new WeakSet<object>();

/** Renders a text with the source of its formulas and code. */
export const leaveOutWork = (env: object): void => void plain.add(env);

type Engines = {
  code: typeof import("./code-engine") | undefined;
  math: typeof import("./math-engine") | undefined;
};
const engines: Engines = { code: undefined, math: undefined };

/**
 * Does some work. The engines are loaded on first use, because loading them takes as long as the
 * rest of a start.
 */
function doWork(work: HeavyWork): string | undefined {
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
 * invalid work, and where the text is rendered without it.
 */
export function workIn(env: object, work: HeavyWork): string | undefined {
  if (plain.has(env)) return undefined;
  const key = keyOf(work);
  const results = worked.get(env) ?? new Map<string, string | undefined>();
  if (!results.has(key)) results.set(key, doWork(work));
  worked.set(env, results);
  return results.get(key);
}
