import { expect, test } from "bun:test";
import { openApp } from "../../src/app";
import { loadConfig } from "../../src/config";
import { makeLog } from "../../src/core/log";
import { makeFakeClock } from "../support/fake-clock";
import { freshPlace } from "../support/storage";

const open = (place: Awaited<ReturnType<typeof freshPlace>>, secret: string) => {
  const config = loadConfig(
    { data: place.dataFolder, database: place.databaseUrl, secret },
    undefined,
    {},
  );
  const clock = makeFakeClock();
  return openApp(config, {
    log: makeLog(clock, "error", () => undefined),
    clock,
    exit: () => undefined,
  });
};

test("data that belongs to another secret is refused with a word on what to do, and with its own it opens again", async () => {
  const place = await freshPlace();
  const [ours, theirs] = ["4f1c9e0b7a6d5238ce91f0a7b3d46e85", "a0b1c2d3e4f5968778695a4b3c2d1e0f"];
  await (await open(place, ours)).close();
  const refused = await open(place, theirs).catch((error: Error) => error.message);
  expect(refused).toContain("CHATD_SECRET");
  await (await open(place, ours)).close();
  await place.remove();
});
