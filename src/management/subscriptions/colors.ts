/** Default colors of subscriptions, in order, each far from the ones before it. */
const palette = [
  "#5b8def",
  "#e5793a",
  "#4fae63",
  "#c75d9c",
  "#c9a227",
  "#7d67d9",
  "#2fa7a0",
  "#d4574e",
  "#8aa83a",
  "#4696c8",
  "#b07ad6",
  "#a3714b",
  "#6cc08b",
  "#e08fb0",
  "#8fa6e8",
  "#d9b66a",
  "#5d7f99",
  "#b5533c",
  "#79b8d9",
  "#94855f",
  "#a8c66c",
  "#9b6a8f",
  "#6f9e8c",
  "#aeb4bd",
];

/** Color of subscriptions that come without one: by an import, or in an export of public data. */
export const plainColor = "#c2c2c2";

const colorForm = /^#[0-9a-f]{3,6}$/;
const fullLength = 7;

/** The first unused color of the palette; when all are used, it starts over. */
export function pickColor(used: ReadonlySet<string>, usedCount: number): string {
  const free = palette.find((color) => !used.has(color));
  return free ?? palette[usedCount % palette.length] ?? "#aeb4bd";
}

/**
 * The stored form of a color: `#rrggbb` in lower case, which is all that some clients can read;
 * undefined if it is invalid. The protocol also allows three to five digits: `#rgb` and `#rgba`
 * have one digit per part, five are padded.
 */
export function parseColor(color: string): string | undefined {
  const lower = color.toLowerCase();
  if (!colorForm.test(lower)) return undefined;
  if (lower.length >= fullLength - 1) return lower.padEnd(fullLength, "0");
  return `#${[...lower.slice(1, 4)].map((digit) => digit + digit).join("")}`;
}
