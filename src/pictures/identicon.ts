import { drawRow, drawSquare } from "./png";

const cells = 5;
const background: readonly [number, number, number] = [240, 240, 240];

/**
 * Seed of a drawn picture, which its address contains: 32 hexadecimal digits derived from a name.
 */
export const identiconSeed = (name: string): string =>
  new Bun.CryptoHasher("sha256").update(`chatd-identicon-1:${name}`).digest("hex").slice(0, 32);

/** Path of the picture of a name; it is drawn when it is requested. */
export const identiconPath = (realmId: number, name: string, size: "" | "-medium" = ""): string =>
  `/user_avatars/${realmId}/generated/${identiconSeed(name)}${size}.png`;

/**
 * Draws a pattern of five by five cells, its left half mirrored on the right, as a PNG. It depends
 * only on the seed and the size.
 */
export function drawIdenticon(seed: string, side: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(seed, "hex");
  const cell = Math.floor(side / (cells + 1));
  const margin = (side - cell * cells) >> 1;
  const cellAt = (place: number) => Math.floor((place - margin) / cell);
  const isSet = (column: number, row: number) =>
    column >= 0 &&
    column < cells &&
    ((bytes[row] ?? 0) >> Math.min(column, cells - 1 - column)) % 2 === 1;
  const blank = drawRow(side, () => false);
  const drawn = Array.from({ length: cells }, (_, row) =>
    drawRow(side, (x) => isSet(cellAt(x), row)),
  );
  const rows = Array.from({ length: side }, (_, y) => drawn[cellAt(y)] ?? blank);
  return drawSquare([background, colorOf(bytes.readUInt16BE(6), bytes[8] ?? 0)], rows);
}

/** A colour of any hue that stands out from the background. */
function colorOf(hue: number, shade: number): [number, number, number] {
  const [lightness, saturation] = [0.4 + (shade % 16) / 100, 0.5];
  const spread = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const place = (offset + (hue / 65_536) * 12) % 12;
    return Math.round(255 * (lightness - spread * Math.max(-1, Math.min(place - 3, 9 - place, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
