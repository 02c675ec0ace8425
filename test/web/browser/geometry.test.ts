import { expect } from "bun:test";
import { browserTest, stage } from "../browser";
import { type DrawnParts, strayFrom } from "../mock-pages";
import { openAbove, sceneOn } from "../scene-openings";

/* The look of the client in a browser, by the pages that it was drawn on first. */

const on = stage();
const openScene = sceneOn(on);
const slowMilliseconds = 120_000;

type Box = readonly [x: number, y: number, width: number, height: number];

/**
 * Positions and sizes in the drawing, in pixels; a position or width that its words decide is left
 * out.
 */
const drawn: readonly [selector: string, box: readonly (number | undefined)[]][] = [
  [".rail", [0, 0, 276, 900]],
  [".org .mark", [16, 14, 28, 28]],
  [".org .tool", [233, 13, 30, 30]],
  [".jump", [12, 56, 251, 34]],
  [".jump .icon", [23, 65, 16, 16]],
  [".rail nav .line", [8, 102, 259, 30]],
  [".rail nav .line .icon", [18, 109, 16, 16]],
  [".rail nav .line .name", [44, 106.5, undefined, 21]],
  [".rail nav .badge", [undefined, 108, undefined, 18]],
  [".rail h2", [8, undefined, 259, 38]],
  [".rail .face .avatar", [18, undefined, 22, 22]],
  [".rail .face + .name", [50, undefined, undefined, 21]],
  [".rail .presence", [35, undefined, 8, 8]],
  [".rail .topics", [25, undefined, 242, undefined]],
  [".rail .topics .line", [36, undefined, 231, 28]],
  [".rail .topics .name", [46, undefined, undefined, 19.5]],
  [".rail .spot", [18, undefined, 16, 16]],
  [".head", [276, 0, 928, 56]],
  [".head .channel .icon", [300, 19.5, 16, 16]],
  [".head .chip", [undefined, 13.5, undefined, 28]],
  [".head .end .tool", [undefined, 12.5, 30, 30]],
  [".side", [1204, 0, 236, 900]],
  [".side h2", [1213, 0, 219, 56]],
  [".side h3", [1213, 56, 219, 34]],
  [".side .line", [1213, 90, 219, 30]],
  [".side .face .avatar", [1223, 94, 22, 22]],
  [".row.first", [276, undefined, 928, undefined]],
  [".row.first .avatar", [303, undefined, 36, 36]],
  [".row.first header b", [351, undefined, undefined, 20.3]],
  [".row.first .content", [351, undefined, 736, undefined]],
  [".compose", [300, undefined, 880, undefined]],
  [".compose textarea", [301, undefined, 878, undefined]],
  [".send", [undefined, 845, undefined, 32]],
];

browserTest(
  "rail, head, row and box are where they were drawn, within a pixel",
  async () => {
    const page = await openScene("topic");
    const stray: string[] = [];
    for (const [selector, box] of drawn) {
      const found: Box | undefined = await page.evaluate((of) => {
        const rect = document.querySelector(of)?.getBoundingClientRect();
        return rect && ([rect.x, rect.y, rect.width, rect.height] as const);
      }, selector);
      const isThere = box.every(
        (value, index) => value === undefined || Math.abs((found?.[index] ?? -999) - value) <= 1,
      );
      if (!isThere) stray.push(`${selector}: ${found} in place of ${box}`);
    }
    expect(stray).toEqual([]);
  },
  slowMilliseconds,
);

/** A view, or what opens above it, with the parts that its page in `docs/web/mock/` has too. */
interface Drawn extends DrawnParts {
  readonly view: string;
  /** Name of what is opened above the view. */
  readonly above?: string;
  /** Whether people are not shown beside it. */
  readonly isAlone?: boolean;
  /** A part that comes later than the others, and moves them. */
  readonly late?: string;
}

const headParts = [".head", ".head h1", ".head .end .tool", ".side", ".side h2"];

const pages: Readonly<Record<string, Drawn>> = {
  search: {
    view: "search",
    parts: [
      ".head",
      ".search",
      ".search .field",
      ".search .chip",
      ".search > .tool",
      ".head .end .tool",
      ".feed",
      ".recipient",
      ".recipient .icon",
      ".recipient .place",
      ".row",
      ".row .avatar",
      ".row header b",
      ".row .content",
      ".highlight",
      "article:last-of-type .recipient",
      "article:last-of-type .row",
    ],
  },
  inbox: {
    view: "inbox",
    parts: [
      ...headParts,
      ".head .end .chip",
      ".pane",
      ".pane .choices",
      ".choices .chip.on",
      ".choices .chip:nth-of-type(4)",
      ".choices select",
      ".choices .field",
      ".pane h2",
      ".pane h2 .badge",
      ".pane .entry",
      ".entry .line",
      ".entry .avatar",
      ".entry .line .name",
      ".entry .line .badge",
      ".entry > .tool",
      ".entry + .entry",
    ],
    below: [".pane h2:nth-of-type(2)", ".pane h2 .spot", ".inner .entry", ".inner .line .badge"],
  },
  settings: {
    view: "settings-notifications",
    parts: [
      ...headParts,
      ".pane",
      ".settings nav",
      ".settings nav .line",
      ".settings nav .line .name",
      ".settings nav li:last-child .line",
      ".settings > section h2",
    ],
    below: [".settings table", ".settings tbody tr", ".settings td", ".settings .part h3"],
  },
  channels: {
    view: "channels",
    isAlone: true,
    parts: [
      ".head",
      ".head h1",
      ".pane",
      ".pane .choices",
      ".choices .field",
      ".choices .chip.on",
      ".choices .chip:nth-of-type(2)",
      ".choices .button",
      ".pane .quiet",
      ".pane .entry",
      ".entry .line",
      ".entry .spot",
      ".entry .name b",
      ".entry + .entry",
      ".entry > .chip",
    ],
  },
  cards: {
    view: "widgets",
    above: "person-card",
    parts: [],
    below: [".card .avatar", ".card-head h2", ".card .shared h3", ".card .choices .chip"],
  },
  later: {
    view: "scheduled",
    parts: [
      ...headParts,
      ".pane",
      ".kept li",
      ".kept li .to",
      ".kept li .to time",
      ".kept li .text",
      ".kept li .choices",
      ".kept li .choices .chip",
      ".kept li + li",
      ".kept li + li .spot",
      ".kept li + li .choices .chip:last-child",
    ],
  },
  files: {
    view: "own-files",
    late: ".kept li .choices a.chip",
    parts: [
      ...headParts,
      ".kept .quiet",
      ".kept .choices select",
      ".kept .field",
      ".kept li",
      ".kept li .to .name",
      ".kept li .to time",
      ".kept li .choices .chip:last-child",
    ],
  },
  lightbox: {
    view: "widgets",
    above: "lightbox",
    parts: [
      ".lightbox",
      ".lightbox header",
      ".lightbox .about b",
      ".lightbox .about small",
      ".lightbox .tool",
      ".lightbox header .tool:last-child",
      ".lightbox .stage",
      ".lightbox .pictures",
      ".lightbox img",
    ],
  },
};

for (const [name, { view, above, isAlone, late, ...drawnParts }] of Object.entries(pages))
  browserTest(
    `${name}: all is where its page has it, within a pixel`,
    async () => {
      const page = await openScene(view);
      if (isAlone) {
        await page.keyboard.press("w");
        await page.locator(".side").waitFor({ state: "detached" });
      }
      if (above !== undefined) await openAbove(page, above);
      if (late !== undefined) await page.locator(late).first().waitFor();
      expect(await strayFrom(page, name, drawnParts)).toEqual([]);
    },
    slowMilliseconds,
  );
