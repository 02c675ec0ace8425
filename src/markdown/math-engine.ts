/** This module is loaded with the first formula. */
import { renderToString } from "katex";

/** No part of a formula is larger than this many ems. */
const emsMax = 20;

/** Greatest depth of the elements of a formula: clients walk through them. */
const depthMax = 120;
const tag = /<(\/?)[a-z][^>]*?(\/?)>/g;

/** KaTeX calls some classes otherwise than in the versions that clients have styles for. */
const classList = /class="[^"]*"/g;
const renamedClass = /\bkatex-(?!display|mathml|html|error)/g;

interface Formula {
  source: string;
  isDisplayed: boolean;
  expansionsMax: number;
}

/** A formula as HTML and MathML; undefined for what is none, or is nested too deep. */
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
