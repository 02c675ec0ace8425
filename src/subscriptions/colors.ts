/** The colors that subscriptions get by themselves, in this order, each far from the ones before it. */
const palette = [
  ...["#5b8def", "#e5793a", "#4fae63", "#c75d9c", "#c9a227", "#7d67d9", "#2fa7a0", "#d4574e"],
  ...["#8aa83a", "#4696c8", "#b07ad6", "#a3714b", "#6cc08b", "#e08fb0", "#8fa6e8", "#d9b66a"],
  ...["#5d7f99", "#b5533c", "#79b8d9", "#94855f", "#a8c66c", "#9b6a8f", "#6f9e8c", "#aeb4bd"],
];

const colorForm = /^#[0-9a-f]{6}$/;

/** The first color of the palette that is not used yet; when all are, they begin again. */
export function pickColor(used: ReadonlySet<string>, usedCount: number): string {
  const free = palette.find((color) => !used.has(color));
  return free ?? palette[usedCount % palette.length] ?? "#aeb4bd";
}

/** A color as it is stored, `#rrggbb` in lower case; undefined if it has not that form. */
export function parseColor(color: string): string | undefined {
  const lower = color.toLowerCase();
  return colorForm.test(lower) ? lower : undefined;
}
