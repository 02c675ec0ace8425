import type { MarkdownIt, StateInline } from "markdown-it";
import { makeBudget } from "./budget";
import { escapeCode } from "./escape";

/** A formula between words; it begins with no underscore, and holds no dollar but an escaped one. */
const formula = /(?<![\w$])\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\w$])/y;

/** What the formulas of one text may cost together (one of cost 1 takes some 15 µs), and the length of their HTML. */
const spendCost = makeBudget(3_000);
const spendLength = makeBudget(60_000);
const formulaCost = 20;
const cellCost = 20;

/** Who defines a macro multiplies what it stands for: this is room enough for a few short ones. */
const defined = { lengthMax: 200, expansionsMax: 50 };
const expansionsMax = 1_000;
/** No part of a formula is larger than this many ems. */
const emsMax = 20;

/** How deep the elements of a formula may be nested: clients walk through them. */
const depthMax = 120;
const tag = /<(\/?)[a-z][^>]*?(\/?)>/g;

const definition = /\\(?:[egx]?def|(?:re)?newcommand|providecommand|let|futurelet|global|long)(?![a-zA-Z])/;
const cell = /&|\\\\|\\cr(?![a-zA-Z])/g;

/** KaTeX calls some classes otherwise than in the versions that clients have styles for. */
const classList = /class="[^"]*"/g;
const renamedClass = /\bkatex-(?!display|mathml|html|error)/g;

type Engine = typeof import("./math-engine");
let engine: Engine | undefined;

/** KaTeX is loaded when the first formula comes: with it, the server would start half as fast again. */
function loadEngine(): Engine {
  const loaded: Engine = engine ?? require("./math-engine");
  engine = loaded;
  return loaded;
}

/** Formulas: `$$x^2$$` within a text, and fenced blocks of the language `math`. What is no formula is shown as it was typed. */
export function useMath(markdown: MarkdownIt) {
  markdown.inline.ruler.after("newline", "math", pushFormula);
  markdown.renderer.rules["math"] = (tokens, index, _options, env) => {
    const source = tokens[index]?.content ?? "";
    return renderFormula(source, false, env ?? {}) ?? texError(`$$${source}$$`);
  };
}

function pushFormula(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("$$", state.pos)) return false;
  formula.lastIndex = state.pos;
  const source = formula.exec(state.src)?.[1];
  const end = formula.lastIndex;
  if (source === undefined || end > state.posMax) return false;
  if (!silent) state.push("math", "", 0).content = source;
  state.pos = end;
  return true;
}

/** A fenced block of the language `math`. */
export function mathBlock(source: string, env: object): string {
  const formula = source.trimEnd();
  return `<p>${renderFormula(formula, true, env) ?? texError(formula)}</p>\n`;
}

const texError = (source: string) => `<span class="tex-error">${escapeCode(source)}</span>`;

/** A formula as HTML and MathML; undefined for what KaTeX refuses, and for what would cost too much. */
function renderFormula(source: string, isDisplayed: boolean, env: object): string | undefined {
  const definesMacros = definition.test(source);
  if (definesMacros && source.length > defined.lengthMax) return undefined;
  const cells = source.match(cell)?.length ?? 0;
  const cost = formulaCost + cells * cellCost + source.length * (definesMacros ? 4 : 1);
  if (!spendCost(env, cost)) return undefined;
  const html = tryFormula(source, isDisplayed, definesMacros ? defined.expansionsMax : expansionsMax);
  return html !== undefined && spendLength(env, html.length) ? html : undefined;
}

function tryFormula(source: string, displayMode: boolean, maxExpand: number): string | undefined {
  const options = {
    displayMode,
    maxExpand,
    maxSize: emsMax,
    trust: false,
    strict: "ignore",
    throwOnError: true,
  } as const;
  try {
    const html = loadEngine().renderToString(source, options);
    if (depthOf(html) > depthMax) return undefined;
    return html.replace(classList, (classes) => classes.replace(renamedClass, ""));
  } catch {
    // It is no formula, or one that is nested too deep.
    return undefined;
  }
}

function depthOf(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [, ends, isVoid] of html.matchAll(tag)) {
    if (isVoid === "") depth += ends === "" ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
