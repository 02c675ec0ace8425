import { expect, test } from "bun:test";
import { channelsNamed } from "../../src/web/model/channel-list";
import type { Channel } from "../../src/web/model/channels";

const channel = (stream_id: number, name: string, more: object = {}) =>
  [
    stream_id,
    { stream_id, name, description: "", standing: "never", is_archived: false, ...more } as Channel,
  ] as const;

const channels = new Map([
  channel(1, "Café"),
  channel(2, "garden", { description: "near the cafe" }),
  channel(3, "old café", { is_archived: true }),
  channel(4, "beans of the café", { standing: "subscribed" }),
]);
const found = (text: string, filter: Parameters<typeof channelsNamed>[2] = "all") =>
  channelsNamed(channels, text, filter).map(({ stream_id }) => stream_id);

test("channels are found by words of their names first, then of their descriptions", () => {
  expect(found("cafe")).toEqual([4, 1, 2]);
  expect(found("CAFÉ beans")).toEqual([4]);
  expect(found("")).toEqual([4, 1, 2]);
});

test("channels that one is in are apart from the others", () => {
  expect(found("", "mine")).toEqual([4]);
  expect(found("", "notJoined")).toEqual([1, 2]);
});

test("archived channels are apart from all others", () => {
  expect(found("", "archived")).toEqual([3]);
  expect(found("beans", "archived")).toEqual([]);
});
