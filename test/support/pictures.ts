import { deflateSync, inflateSync } from "node:zlib";
import { formOf } from "./files";

const decode = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));

/** 16 × 16 pixels of one colour. */
export const staticPng = decode(
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR4nGP4z8BAEmIY1TCqYfhqAACQ+f8B8u7oVwAAAABJRU5ErkJggg==",
);

/** A GIF of one pixel and two frames, and one with a single frame. */
export const movingGif = decode(
  "R0lGODlhAQABAIAAAAAAAP///yH5BAEKAAEALAAAAAABAAEAAAICTAEAIfkEAQoAAQAsAAAAAAEAAQAAAgJMAQA7",
);
export const stillGif = decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==");

/** A form with a picture, as clients send emoji. */
export const emojiForm = (content: string | Uint8Array<ArrayBuffer>, name = "e.png"): FormData =>
  formOf(name, content, "filename");

type Color = readonly [red: number, green: number, blue: number];

const chunk = (type: string, data: Uint8Array): Buffer => {
  const frame = Buffer.alloc(12 + data.length);
  frame.writeUInt32BE(data.length, 0);
  frame.write(type, 4, "latin1");
  frame.set(data, 8);
  frame.writeUInt32BE(Bun.hash.crc32(frame.subarray(4, 8 + data.length)), 8 + data.length);
  return frame;
};

/** A PNG of any size and colours, with a text in it that tells where it was taken. */
export function paint(width: number, height: number, colorAt: (x: number, y: number) => Color) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => colorAt(x, y)).flat()]),
  );
  const chunks = [
    chunk("IHDR", head),
    chunk("tEXt", Buffer.from(`Comment\0${secretPlace}`)),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Uint8Array.from(Buffer.concat([Buffer.from(staticPng.slice(0, 8)), ...chunks]));
}

/** Place that pictures are said to be of: nothing of it may be left of them. */
export const secretPlace = "52.5163N 13.3777E";

/**
 * A photograph as phones store it: turned by a quarter by its EXIF block, which also tells the
 * place.
 */
export async function photograph(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const jpeg = Buffer.from(
    await new Bun.Image(paint(width, height, () => [200, 30, 30])).jpeg().bytes(),
  );
  const tiff = Buffer.from("4d4d002a00000008000101120003000000010006000000000000", "hex");
  const body = Buffer.concat([Buffer.from("Exif\0\0"), tiff, Buffer.from(secretPlace)]);
  const marker = Buffer.alloc(4);
  marker.writeUInt16BE(0xffe1, 0);
  marker.writeUInt16BE(body.length + 2, 2);
  return Uint8Array.from(Buffer.concat([jpeg.subarray(0, 2), marker, body, jpeg.subarray(2)]));
}

/** The colour of a picture as a whole. */
export async function colorOf(picture: Uint8Array): Promise<Color> {
  const png = Buffer.from(await new Bun.Image(picture).resize(1, 1).png().bytes());
  const start = png.indexOf("IDAT");
  const [, red = 0, green = 0, blue = 0] = inflateSync(png.subarray(start + 4));
  return [red, green, blue];
}

/** A PNG of 16 × 16 pixels that says that it is so wide and high. */
export function bombPng(width = 30_000, height = width): Uint8Array<ArrayBuffer> {
  const bomb = Buffer.from(staticPng);
  bomb.writeUInt32BE(width, 16);
  bomb.writeUInt32BE(height, 20);
  return Uint8Array.from(bomb);
}
