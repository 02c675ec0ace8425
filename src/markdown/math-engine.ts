/**
 * This module contains KaTeX. It is loaded with the first formula, because loading it takes long.
 */
import { renderToString } from "katex";

/** Size limit for parts of a formula, in ems. */
const emsMax = 20;

/** Highest depth of a formula's elements, because clients process them recursively. */
const depthMax = 120;
const tag = /<(\/?)[a-z][^>]*?(\/?)>/g;

/**
 * Lists of classes. KaTeX has renamed some classes since the versions for which clients have
 * styles.
 */
const classList = /class="[^"]*"/g;
const renamedClass = /\bkatex-(?!display|mathml|html|error)/g;

interface Formula {
  source: string;
  isDisplayed: boolean;
  expansionsMax: number;
}

/** A formula as HTML and MathML; undefined for an invalid one, or one that is nested too deeply. */
export function formulaHtml({ source, isDisplayed, expansionsMax }: Formula): string | undefined {
  const options = {
    displayMode: isDisplayed,
    maxExpand: expansionsMax,
    maxSize: emsMax,
    trust: false,
    strict: "ignore",
    throwOnError: true,
  } as const;
  try {
    const html = renderToString(source, options);
    if (depthOf(html) > depthMax) return undefined;
    return html.replace(classList, (classes) => classes.replace(renamedClass, ""));
  } catch {
    // The formula is invalid, or nested too deeply.
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
