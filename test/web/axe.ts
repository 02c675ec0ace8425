import { readFileSync } from "node:fs";
import type axe from "axe-core";
import type { Page } from "playwright-core";

/** The minified form, because a browser reads it anew for each page that is loaded. */
const source = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");

const everything = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Rules that read colours. The themes differ in nothing else (`test/web/look.once.test.ts`). */
const ofColours = ["color-contrast", "link-in-text-block"];

/**
 * Breaches of WCAG 2.2 AA, and of good practice, that axe finds in a page, or in one part of it:
 * rule and element. In a further theme of a view that was looked at, colours alone can breach more.
 */
export async function breachesIn(
  page: Page,
  part = "body",
  { isFurtherTheme = false } = {},
): Promise<string[]> {
  // The source is large, and stays until another page is loaded.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  return page.evaluate(
    async ([selector, runOnly]) => {
      const element = document.querySelector(selector);
      const run: typeof axe.run = Reflect.get(Reflect.get(window, "axe"), "run");
      const { violations } = await run(element ?? document, {
        runOnly,
        resultTypes: ["violations"],
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    },
    [part, isFurtherTheme ? ofColours : everything] as const,
  );
}
