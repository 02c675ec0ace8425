import type { Page } from "playwright-core";

/** The least width and height of what is pressed by a finger, in pixels. */
const targetMin = 40;

/**
 * Buttons, links and fields of a page that are too small for a finger, by class and words. A label
 * counts with its box that is ticked. Links among the words of a text are as high as its lines, and
 * those of a page's heading as the heading is: the list of conversations leads there too.
 */
export const smallTargets = (page: Page, part: string): Promise<readonly string[]> =>
  page.evaluate(
    ([within, min]) => {
      const pressed =
        "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=option], [role=button]";
      const isShown = (element: Element) =>
        element.checkVisibility({ visibilityProperty: true }) &&
        element.closest(".visually-hidden, [inert], .rendered, .text, h1") === null;
      const targets = [...document.querySelectorAll(within)]
        .flatMap((one) => [...one.querySelectorAll(pressed)])
        .filter(isShown)
        .map((element) => element.closest("label") ?? element);
      return [...new Set(targets)].flatMap((element) => {
        const { width, height } = element.getBoundingClientRect();
        if (width === 0 || height === 0) return [];
        if (width >= min - 0.5 && height >= min - 0.5) return [];
        const words = (element.textContent || element.ariaLabel || "").trim().slice(0, 30);
        const at = element.parentElement?.className ?? "";
        return [
          `${at} > ${element.tagName.toLowerCase()}.${element.className} “${words}”: ${Math.round(width)} × ${Math.round(height)}`,
        ];
      });
    },
    [part, targetMin] as const,
  );
