/**
 * Parts of a text that may take long to render. The result of a part depends only on the part, so
 * equal parts of a text are rendered once.
 */

/**
 * A formula, which becomes HTML and MathML, or code, which becomes nested scopes of highlight.js.
 */
type HeavyWork =
  | { kind: "formula"; source: string; isDisplayed: boolean; expansionsMax: number }
  | { kind: "code"; source: string; grammar: string };

const keyOf = (work: HeavyWork): string =>
  work.kind === "formula"
    ? `${work.isDisplayed ? "F" : "f"}${work.expansionsMax} ${work.source}`
    : `c${work.grammar} ${work.source}`;

/** The fixed cost of a formula, in characters of a formula. */
export const formulaCost = 20;
/** The number of characters of code that take as long as one character of a formula. */
export const formulaFactor = 5;

/** The results for the texts that are being rendered, by the environment of each. */
const worked = new WeakMap<object, Map<string, string | undefined>>();
/** Environments of texts that are rendered without formulas and highlighting. */
const plain = new WeakSet<object>();

/** Marks a text, so that it is rendered with the source of its formulas and code. */
export const leaveOutWork = (env: object): void => void plain.add(env);

type Engines = {
  code: typeof import("./code-engine") | undefined;
  math: typeof import("./math-engine") | undefined;
};
const engines: Engines = { code: undefined, math: undefined };

/**
 * Renders a formula or code. The engines are loaded on first use, because loading them takes as
 * long as the rest of a start.
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
 * The HTML of a formula or code of a text, which is rendered once for all equal ones in the text;
 * undefined for an invalid formula, and where the text is rendered without such work.
 */
export function workIn(env: object, work: HeavyWork): string | undefined {
  if (plain.has(env)) return undefined;
  const key = keyOf(work);
  const results = worked.get(env) ?? new Map<string, string | undefined>();
  if (!results.has(key)) results.set(key, doWork(work));
  worked.set(env, results);
  return results.get(key);
}
