import { expect, test } from "bun:test";
import type { App } from "../../src/core/context";
import { makeFitting, makeSquares, makeSquaresAndOriginal } from "../../src/pictures/decode";
import { drawIdenticon, identiconSeed } from "../../src/pictures/identicon";
import { cutSquare, pixelsPerTurn } from "../../src/pictures/square";
import { whileCounted } from "../../src/pictures/upload";
import { findImageFacts } from "../../src/uploads/image-facts";
import { bombPng, colorOf, movingGif, paint, staticPng } from "../support/pictures";
import { refusalOf } from "../support/refusal";
import { turnsDuring } from "../support/turns";

const sizeOf = async (picture: Uint8Array) => {
  const { width, height, format } = await new Bun.Image(picture).metadata();
  return `${width}×${height} ${format}`;
};

test("The middle of a picture is cut out exactly, however it was packed", async () => {
  const edge = [255, 0, 0] as const;
  for (const [width, height] of [
    [90, 30],
    [30, 90],
    [700, 233],
    [31, 30],
    [1_400, 10],
  ] as const) {
    const short = Math.min(width, height);
    const isMiddle = (x: number, y: number) =>
      Math.abs(x + 0.5 - width / 2) < short / 2 && Math.abs(y + 0.5 - height / 2) < short / 2;
    const noisy = paint(width, height, (x, y) =>
      isMiddle(x, y) ? [0, 0, 200 + ((x * 7 + y * 13) % 55)] : edge,
    );
    const [square = new Uint8Array()] = await makeSquares("alice", noisy, [64]);
    const [red, , blue] = await colorOf(square);
    expect([await sizeOf(square), red < 40, blue > 150]).toEqual(["64×64 png", true, true]);
  }
});

test("Others have their turn while a square is cut, behind so many pixels at the latest", async () => {
  const noise = paint(1_000, 500, (x, y) => [(x * 7 + y * 13) % 256, (x * y) % 256, (x ^ y) % 256]);
  const asBunWritesIt = await new Bun.Image(noise).png().bytes();
  const stretches: number[] = [];
  const square = await cutSquare(asBunWritesIt, async (pixels) => {
    stretches.push(pixels);
  });
  expect(await sizeOf(square)).toBe("500×500 png");
  expect(Math.max(...stretches)).toBeLessThanOrEqual(pixelsPerTurn);
  expect(stretches.reduce((sum, pixels) => sum + pixels)).toBe(500_000);
  expect(await turnsDuring(() => cutSquare(asBunWritesIt))).toBeGreaterThanOrEqual(
    stretches.length,
  );
});

test("A picture is never made larger than it was, but squares have the size that is asked for", async () => {
  expect(await sizeOf(await makeFitting("alice", staticPng, 800, 100))).toBe("16×16 png");
  const { squares, original } = await makeSquaresAndOriginal("alice", staticPng, [100, 500]);
  expect(await Promise.all([...squares, original].map(sizeOf))).toEqual([
    "100×100 png",
    "500×500 png",
    "16×16 webp",
  ]);
  expect(await sizeOf(await makeFitting("alice", movingGif, 64, 64))).toBe("1×1 png");
});

test("H8: what would unpack huge is refused by its head, many at a time too, and the server goes on", async () => {
  const before = process.memoryUsage().rss;
  const refused = await Promise.all(
    Array.from({ length: 20 }, () => refusalOf(makeSquares("alice", bombPng(), [100]))),
  );
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["BAD_IMAGE"]));
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1_048_576);
  expect(await sizeOf(await makeFitting("alice", staticPng, 10, 10))).toBe("10×10 png");
});

test("A picture's sides are bounded beside its pixels: a longer one is refused in words by its head", async () => {
  const words =
    "The picture is too large: at most 16383 pixels wide and high, and at most 24 million pixels in all.";
  for (const [width, height] of [
    [16_384, 16],
    [16, 16_384],
    [16_383, 1_466],
  ] as const) {
    const refused = await refusalOf(makeFitting("alice", bombPng(width, height), 100, 100));
    expect([refused.code, refused.message]).toEqual(["BAD_IMAGE", words]);
    expect(await findImageFacts("long.png", new Blob([bombPng(width, height)]))).toBeUndefined();
  }
  const long = paint(16_383, 2, () => [0, 90, 200]);
  expect(await sizeOf(await makeFitting("alice", long, 100, 100))).toBe("100×1 png");
  expect(await findImageFacts("long.png", new Blob([long]))).toMatchObject({
    width: 16_383,
    height: 2,
  });
});

test("Nobody has more than four pictures under way", async () => {
  const app: Pick<App, "memory"> = { memory: new Map() };
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const waiting = Array.from({ length: 4 }, () => whileCounted(app, 7, () => gate));
  expect((await refusalOf(whileCounted(app, 7, async () => "fifth"))).code).toBe("RATE_LIMIT_HIT");
  expect(await whileCounted(app, 8, async () => "another's")).toBe("another's");
  release();
  await Promise.all(waiting);
  expect(await whileCounted(app, 7, async () => "later")).toBe("later");
});

test("A generated picture follows from its name alone and is small", async () => {
  const seeds = Array.from({ length: 200 }, (_, index) => identiconSeed(`user:1:${index}`));
  const drawn = seeds.map((seed) => drawIdenticon(seed, 100));
  expect(new Set(drawn.map((png) => Buffer.from(png).toString("base64"))).size).toBeGreaterThan(
    190,
  );
  expect(Math.max(...drawn.map(({ length }) => length))).toBeLessThan(500);
  const [seed = ""] = seeds;
  expect(drawIdenticon(seed, 100)).toEqual(drawIdenticon(seed, 100));
  expect(await sizeOf(drawIdenticon(seed, 500))).toBe("500×500 png");
});
