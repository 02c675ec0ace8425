import type { Page } from "playwright-core";

/**
 * Chosen parts of a page (the current line, a choice that is on) that look as they would if they
 * were not chosen, by class and words. The state is taken from each for a moment, and its drawing
 * compared: that of its own box, and of what is drawn before and behind its content.
 */
export const chosenAlike = (page: Page, part: string): Promise<readonly string[]> =>
  page.evaluate((within) => {
    const states = ["aria-current", "aria-selected", "aria-pressed", "aria-checked"];
    const chosen = states.map((state) => `[${state}]:not([${state}="false"])`).join();
    const drawn = (element: Element): string =>
      [undefined, "::before", "::after"]
        .map((pseudo) => {
          const style = getComputedStyle(element, pseudo);
          const { outline, border, color, backgroundColor, fontWeight, boxShadow } = style;
          const { textDecorationLine, content } = style;
          return [outline, border, color, backgroundColor, fontWeight, boxShadow].concat(
            textDecorationLine,
            content,
          );
        })
        .join()
        // A ground that lets all through is that of the page.
        .replaceAll(/rgba\((\d+, \d+, \d+), 0\)/g, "rgb($1)");
    const isAlike = (element: Element): boolean => {
      const before = drawn(element);
      const given = element.className;
      const attributes = states.map((state) => [state, element.getAttribute(state)] as const);
      element.classList.remove("on");
      for (const state of states) element.removeAttribute(state);
      const without = drawn(element);
      element.className = given;
      for (const [state, value] of attributes)
        if (value !== null) element.setAttribute(state, value);
      return before === without;
    };
    return [...document.querySelectorAll(within)]
      .flatMap((one) => [...one.querySelectorAll(chosen)])
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter(isAlike)
      .map((element) => {
        const words = (element.textContent || element.ariaLabel || "").trim().slice(0, 30);
        return `${element.tagName.toLowerCase()}.${element.className} “${words}”`;
      });
  }, part);
