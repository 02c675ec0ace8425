import axe from "axe-core";
import type { Page } from "playwright-core";

const everything = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Rules about colours, which are the ones that another theme may breach. */
export const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * Breaches of WCAG 2.2 AA that axe finds in a page, or in one part of it, by all its rules or some:
 * rule and element.
 */
export async function breachesIn(
  page: Page,
  part = "body",
  rules: readonly string[] = everything,
): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(
    async ([selector, runOnly]) => {
      const element = document.querySelector(selector);
      const run: typeof axe.run = Reflect.get(Reflect.get(window, "axe"), "run");
      const { violations } = await run(element ?? document, { runOnly: [...runOnly] });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    },
    [part, rules] as const,
  );
}
