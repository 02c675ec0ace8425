/** Parts that were given a tooltip here, because their text was cut off. */
const ownTitles = new WeakSet<Element>();

/** Shows the whole of a text that is cut off as tooltip, when the pointer comes to it. */
export function tellCutNames(): void {
  document.addEventListener("pointerover", ({ target }) => {
    for (let part = target; part instanceof HTMLElement; part = part.parentElement) {
      const isOwn = ownTitles.has(part);
      if (part.title !== "" && !isOwn) return;
      if (isCut(part)) {
        part.title = part.textContent ?? "";
        ownTitles.add(part);
        return;
      }
      if (isOwn) part.removeAttribute("title");
      ownTitles.delete(part);
    }
  });
}

const isCut = (part: Element): boolean =>
  part.scrollWidth > part.clientWidth && getComputedStyle(part).textOverflow === "ellipsis";
