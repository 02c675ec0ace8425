/*
 * Waits of a page that a test need not sit through: `page.addInitScript(shortenWaits, which)`.
 */

interface Shortened {
  /** Length of the waits, in milliseconds, by which they are known. */
  readonly of: number;
  readonly to: number;
  /** The first so many in each page, where it is not all of them. */
  readonly most?: number;
}

/** Runs before a page: waits of a length take less. */
export function shortenWaits({ of, to, most = Number.POSITIVE_INFINITY }: Shortened): void {
  const later = window.setTimeout.bind(window);
  let left = most;
  const soon = (run: () => void, after = 0) => {
    const isShortened = after === of && left > 0;
    if (isShortened) left -= 1;
    return later(run, isShortened ? to : after);
  };
  window.setTimeout = Object.assign(soon, window.setTimeout);
}
