import { expect, test } from "bun:test";
import { ItemStore } from "../../src/memory/cached-items";

test("single items take no more room than they have, and those in use stay", () => {
  const store = new ItemStore<string>({ sizeBytesMax: 1_000, sizeBytesOf: (item) => item.length });
  const item = "x".repeat(100);
  for (let id = 1; id <= 200; id++) {
    store.set(1, id, item, id);
    expect(store.get(1, 1)?.value).toBe(item);
    expect(store.sizeBytes).toBeLessThanOrEqual(1_000);
    expect(store.sizeBytes).toBe(100 * Math.min(id, 10));
  }
  expect(store.get(1, 200)?.value).toBe(item);
  expect(store.get(1, 100)).toBeUndefined();
  expect(store.get(2, 1)).toBeUndefined();
  store.set(1, 200, "x".repeat(400), 201);
  expect(store.sizeBytes).toBeLessThanOrEqual(1_000);
  expect(store.get(1, 200)?.value.length).toBe(400);
});

test("single items that are in use stay nearly always, also after all of them were", () => {
  const store = new ItemStore<number>({ sizeBytesMax: 100, sizeBytesOf: () => 1 });
  const topicCount = 5;
  let [reads, missing] = [0, 0];
  for (let id = 1; id <= 1_000; id++) {
    store.set(1, id, id, id);
    // Somebody reads the newest items of one topic.
    const topic = (id * 7) % topicCount;
    for (let one = id; one > Math.max(0, id - 40); one--) {
      if (one % topicCount !== topic) continue;
      reads += 1;
      if (store.get(1, one) === undefined) missing += 1;
    }
  }
  expect(missing / reads).toBeLessThan(0.05);
});
