import type { Page } from "playwright-core";

/** Windows as narrow as WCAG 2.2 wants them to do (1.4.10): a small phone, and a page enlarged. */
export const narrowSizes = {
  "of 320 px": { width: 320, height: 640 },
  "at 400 %": { width: 320, height: 225 },
};

/**
 * Parts of a page that stand out of it to the side, which would have to be scrolled to, and what is
 * open above it where that does not fit into the window.
 */
export const overflowing = (page: Page) =>
  page.evaluate(() => {
    const { clientWidth, clientHeight, scrollWidth } = document.documentElement;
    const named = (element: Element) =>
      `${element.className}: ${element.textContent?.slice(0, 40)}`;
    const isWider = (element: Element) => element.scrollWidth > element.clientWidth + 1;
    const parts = [...document.querySelectorAll("dialog[open], :popover-open")].flatMap((above) => {
      const { left, right, top, bottom } = above.getBoundingClientRect();
      const isIn = left > -1 && right < clientWidth + 1 && top > -1 && bottom < clientHeight + 1;
      const scrolling = [above, ...above.querySelectorAll("*")].filter(
        (one) => /auto|scroll/.test(getComputedStyle(one).overflowX) && isWider(one),
      );
      return [
        ...(isIn ? [] : [`${named(above)} at ${[left, top, right, bottom]}`]),
        ...scrolling.map(named),
      ];
    });
    if (scrollWidth <= clientWidth) return parts;
    const out = [...document.querySelectorAll("body *")].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return right > clientWidth + 1 || left < -1;
    });
    return [...parts, ...out.map(named)];
  });
