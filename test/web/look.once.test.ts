import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";

/*
 * The style sheets: one place has the colours, sizes and spaces, and all of them read from either
 * side.
 */

const look = "src/web/look";
const sheets = [
  ...readdirSync(join(root, look)).map((name) => `${look}/${name}`),
  "src/http/assets/style.css",
].map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, ""),
}));
const isTokens = (path: string) => path === `${look}/tokens.css`;
const tokens = sheets.find(({ path }) => isTokens(path))?.text ?? "";

/** Declarations of sheets, each as `path: property: value`. */
const declarations = sheets.flatMap(({ path, text }) =>
  [...text.matchAll(/(?<=[{;]\s*)(--)?([a-z][\w-]*)\s*:\s*([^;{}]+)/g)].map(
    ([, own = "", name = "", value = ""]) => ({ path, property: own + name, value: value.trim() }),
  ),
);
const told = ({ path, property, value }: (typeof declarations)[number]) =>
  `${path}: ${property}: ${value}`;

describe("style sheets", () => {
  test("have their colours from tokens", () => {
    const own = declarations.filter(
      ({ path, value }) =>
        !isTokens(path) && /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch|light-dark)\(/i.test(value),
    );
    expect(own.map(told)).toEqual([]);
  });

  test("have their sizes and spaces from tokens, but for hairlines of up to 3 px", () => {
    const isOwnSize = (value: string) =>
      /\d(rem|pt)\b/.test(value) ||
      [...value.matchAll(/([\d.]+)px\b/g)].some(([, size]) => Number(size) > 3);
    const own = declarations.filter(({ path, value }) => !isTokens(path) && isOwnSize(value));
    expect(own.map(told)).toEqual([]);
  });

  test("name sides by the direction of reading, so that they read from right to left too", () => {
    const isPhysical = ({ property, value }: (typeof declarations)[number]) =>
      /(^|-)(left|right)(-|$)/.test(property) || /^(left|right)$/.test(value);
    const hasFourSides = ({ property, value }: (typeof declarations)[number]) =>
      /^(margin|padding|inset)$/.test(property) && partsOf(value).length === 4;
    expect(declarations.filter((one) => isPhysical(one) || hasFourSides(one)).map(told)).toEqual(
      [],
    );
  });

  test("use only tokens that there are", () => {
    const known = new Set(declarations.map(({ property }) => property));
    const used = sheets.flatMap(({ path, text }) =>
      [...text.matchAll(/var\((--[\w-]+)\s*\)/g)].map(([, name = ""]) => ({ path, name })),
    );
    expect(used.filter(({ name }) => !known.has(name))).toEqual([]);
  });

  // `breachesIn` relies on this, because it looks at the colours alone in a further theme.
  test("differ by the system's theme in colours alone, and scripts do not ask for it", () => {
    const scripts = [...new Bun.Glob("src/**/*.{ts,tsx,html}").scanSync(root)].map((path) => ({
      path,
      text: readFileSync(join(root, path), "utf8"),
    }));
    const asking = [...sheets, ...scripts].filter(({ text }) =>
      text.includes("prefers-color-scheme"),
    );
    expect(asking.map(({ path }) => path)).toEqual([]);
  });

  test("have each colour for light and dark", () => {
    const colours = [...tokens.matchAll(/--([\w-]+):\s*(#[0-9a-f]+)/g)];
    expect(colours.map(([, name]) => name)).toEqual([]);
  });
});

/** Parts of a value, of which those in parentheses are one. */
const partsOf = (value: string) => value.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, "").split(/\s+/);

/** Luminance of a colour (WCAG 2.2, relative luminance). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const colourOf = (name: string, theme: number) =>
  new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(tokens)?.[theme] ??
  "";

describe("contrast", () => {
  const pairs: [ink: string, ground: string, least: number][] = [
    ["ink", "paper", 7],
    ["ink-2", "paper", 4.5],
    ["ink-2", "rail", 4.5],
    ["ink-2", "hover", 4.5],
    ["ink-2", "accent-soft", 4.5],
    ["ink-2", "mention", 4.5],
    ["accent", "paper", 4.5],
    ["accent", "accent-soft", 4.5],
    ["on-accent", "accent", 4.5],
    ["on-accent", "accent-strong", 4.5],
    ["mention-ink", "mention", 4.5],
    ["danger", "paper", 4.5],
    ["danger", "danger-soft", 4.5],
    ["line-strong", "paper", 3],
    ...Array.from({ length: 8 }, (_, i): [string, string, number] => ["on-face", `face-${i}`, 4.5]),
    ["code-word", "sunken", 4.5],
    ["code-text", "sunken", 4.5],
    ["code-name", "sunken", 4.5],
    ["code-number", "sunken", 4.5],
    ["here", "rail", 3],
    ["away", "rail", 3],
  ];

  test.each(pairs)("of %s on %s is enough, light and dark", (ink, ground, least) => {
    for (const theme of [1, 2]) {
      const [one, other] = [luminance(colourOf(ink, theme)), luminance(colourOf(ground, theme))];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      expect(contrast).toBeGreaterThanOrEqual(least);
    }
  });
});
