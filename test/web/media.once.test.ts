import { describe, expect, test } from "bun:test";
import {
  isFileAddress,
  mediaKind,
  nameOfFile,
  placeAfter,
  swipeBetween,
  zoomAfter,
  zooms,
} from "../../src/web/model/media";

describe("a finger across a picture", () => {
  const from = { x: 200, y: 200 };
  test("steps on against the direction of reading, and back along it", () => {
    expect(swipeBetween(from, { x: 100, y: 220 }, false)).toBe(1);
    expect(swipeBetween(from, { x: 300, y: 180 }, false)).toBe(-1);
    expect(swipeBetween(from, { x: 100, y: 220 }, true)).toBe(-1);
    expect(swipeBetween(from, { x: 300, y: 180 }, true)).toBe(1);
  });
  test("means nothing where it goes up or down, or not far", () => {
    for (const to of [{ x: 170, y: 200 }, { x: 120, y: 280 }, { x: 200, y: 20 }, from])
      expect(swipeBetween(from, to, false)).toBeUndefined();
  });
});

describe("files that are looked at large", () => {
  test("are those of this server alone", () => {
    expect(isFileAddress("/user_uploads/2/ab/a%20cat.png")).toBe(true);
    for (const address of [
      "https://elsewhere.example/user_uploads/2/ab/cat.png",
      "//elsewhere.example/user_uploads/cat.png",
      "javascript:alert(1)",
      "/user_uploads/../api/v1/logout",
      "/user_uploads/2/..",
      "/user_uploads\\..\\x",
      "",
    ])
      expect([address, isFileAddress(address)]).toEqual([address, false]);
  });

  test("have a kind and a name by their address", () => {
    expect(["a.PNG", "a.mp4", "a.wav", "a"].map(mediaKind)).toEqual([
      "picture",
      "film",
      "sound",
      "picture",
    ]);
    expect(nameOfFile("/user_uploads/2/ab/a%20cat.png")).toBe("a cat.png");
    expect(nameOfFile("/user_uploads/2/ab/100%.png")).toBe("100%.png");
  });

  test("give way to the next one, or the one before, when they are gone", () => {
    const isSame = (one: string, other: string) => one === other;
    const all = ["a", "b", "c", "d"];
    expect(placeAfter(all, 1, ["a", "c", "d"], isSame)).toBe(1);
    expect(placeAfter(all, 3, ["a", "b"], isSame)).toBe(1);
    expect(placeAfter(all, 2, [], isSame)).toBe(0);
  });

  test("are enlarged in steps, from the whole of them on", () => {
    const steps = zooms.map((zoom) => zoomAfter(zoom, 1));
    expect(steps).toEqual([...zooms.slice(1), 8]);
    expect(zooms.map((zoom) => zoomAfter(zoom, -1))).toEqual([1, ...zooms.slice(0, -1)]);
    expect(zoomAfter(2.5, 1)).toBe(4);
  });
});
