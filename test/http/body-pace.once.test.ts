import { expect, test } from "bun:test";
import { bodyChunks, type Pace, uploadPace } from "../../src/http/body-stream";
import { makeFakeClock } from "../support/fake-clock";

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Reads a body of which so many bytes come each minute, as long as it goes on; answers how many
 * came, and the refusal.
 */
async function readSlowly(bytesPerMinute: number, minutes: number, pace?: Pace) {
  const clock = makeFakeClock();
  const sent = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const body = new ReadableStream<Uint8Array>({ start: (stream) => sent.resolve(stream) });
  const request = new Request("http://chat.example.com/", { method: "POST", body });
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of bodyChunks(request, clock, pace)) bytes += chunk.byteLength;
    return "";
  })().catch((error: Error) => error.message);
  const stream = await sent.promise;
  let isOver = false;
  void reading.then(() => {
    isOver = true;
  });
  for (let minute = 0; minute < minutes && !isOver; minute++) {
    if (bytesPerMinute > 0) stream.enqueue(new Uint8Array(bytesPerMinute));
    await settle();
    clock.advance(60);
    await settle();
  }
  if (!isOver) stream.close();
  return { bytes, refusal: await reading };
}

test("A body may come as slowly as it likes where nothing else is said, but not cease to come", async () => {
  expect(await readSlowly(1, 1_000)).toEqual({ bytes: 1_000, refusal: "" });
  expect((await readSlowly(0, 3)).refusal).toContain("too slowly");
});

test("H6: an upload has to come at a pace, and to an end", async () => {
  expect(await readSlowly(61_440, 100, uploadPace)).toEqual({ bytes: 6_144_000, refusal: "" });
  const slow = await readSlowly(61_000, 100, uploadPace);
  expect([slow.bytes < 200_000, slow.refusal]).toEqual([
    true,
    expect.stringContaining("too slowly"),
  ]);
  expect((await readSlowly(100_000, 1_000, uploadPace)).bytes).toBeLessThanOrEqual(361 * 100_000);
});
