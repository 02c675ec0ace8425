import type { MarkdownIt, StateInline } from "markdown-it";
import { makeBudget } from "./budget";
import { escapeCode } from "./escape";
import { formulaCost, workIn } from "./heavy-work";

/**
 * A formula between words. It does not begin with an underscore, and contains only escaped dollars.
 */
const formula = /(?<![\w$])\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\w$])/y;

/** Limits for the cost of one text's formulas, and for the length of their HTML. */
const spendCost = makeBudget(3_000);
const spendLength = makeBudget(60_000);
const cellCost = 20;

/** Limits for macros, because a macro multiplies its text. They suffice for a few short macros. */
const defined = { lengthMax: 200, expansionsMax: 50 };
const expansionsMax = 1_000;
const definition =
  /\\(?:[egx]?def|(?:re)?newcommand|providecommand|let|futurelet|global|long)(?![a-zA-Z])/;
const cell = /&|\\\\|\\cr(?![a-zA-Z])/g;

/**
 * Formulas: `$$x^2$$` within a text, and fenced blocks of the language `math`. An invalid formula
 * is shown as its source.
 */
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

/**
 * A formula as HTML and MathML; undefined for one that KaTeX refuses or that would cost too much.
 */
function renderFormula(source: string, isDisplayed: boolean, env: object): string | undefined {
  const definesMacros = definition.test(source);
  if (definesMacros && source.length > defined.lengthMax) return undefined;
  const cells = source.match(cell)?.length ?? 0;
  const cost = formulaCost + cells * cellCost + source.length * (definesMacros ? 4 : 1);
  if (!spendCost(env, cost)) return undefined;
  const work = {
    source,
    isDisplayed,
    expansionsMax: definesMacros ? defined.expansionsMax : expansionsMax,
  };
  const html = workIn(env, { kind: "formula", ...work });
  return html !== undefined && spendLength(env, html.length) ? html : undefined;
}
