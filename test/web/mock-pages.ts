import { expect } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { root } from "../support/root";
import { eventually } from "./waiting";

/* Pages of the client beside those in `docs/web/mock/`, on which they were drawn first. */

/** Parts that a page has in its drawing too, by their selectors. */
export interface DrawnParts {
  readonly parts: readonly string[];
  /**
   * Parts below others, of which there may be more than were drawn: their height is not compared.
   */
  readonly below?: readonly string[];
}

/** Positions and sizes of the first of each of some parts. */
const boxesOf = (page: Page, selectors: readonly string[]) =>
  page.evaluate(
    (all) =>
      all.map((selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        return box ? [box.x, box.width, box.height, box.y] : [];
      }),
    [...selectors],
  );

/** Parts that are elsewhere than in the drawing, or of another size, by more than a pixel. */
export async function strayFrom(
  page: Page,
  drawing: string,
  { parts, below = [] }: DrawnParts,
): Promise<readonly unknown[]> {
  const all = [...parts, ...below];
  await eventually(async () =>
    expect((await boxesOf(page, all)).every(({ length }) => length > 0)).toBe(true),
  );
  const shown = await boxesOf(page, all);
  await page.goto(pathToFileURL(join(root, `docs/web/mock/${drawing}.html`)).href);
  const drawn = await boxesOf(page, all);
  return all.flatMap((part, index) => {
    const [one = [], other = []] = [shown[index], drawn[index]];
    const compared = index < parts.length ? one : one.slice(0, -1);
    const isThere = compared.every((value, at) => Math.abs(value - (other[at] ?? -999)) <= 1);
    return isThere ? [] : [[part, one, other]];
  });
}
