import { expect, test } from "bun:test";
import { Gathering } from "../../../src/reading/unread/gathering";
import { makePlace } from "../../../src/reading/unread/unread-index";

const channelId = 5;
const place = makePlace({ channelId, conversationId: null, topic: "lunch" });

/** Messages in the order in which they are found: those of two lines, such as of a moved topic. */
function gather(ids: readonly number[], before?: Gathering): Gathering {
  const gathering = new Gathering(new Set([channelId]), before);
  for (const id of ids) gathering.add(id, place);
  return gathering;
}

const idsOf = (gathering: Gathering, max: number) =>
  gathering.newestGroups(max).flatMap(({ ids }) => ids);

test("groups are in the order of their ids, whatever the order in which messages are found", () => {
  const before = gather([5, 6, 9, 2, 7]);
  expect(idsOf(gather([], before), 3)).toEqual([6, 7, 9]);
  expect(idsOf(gather([8, 10], gather([5, 6, 9, 2, 7])), 4)).toEqual([7, 8, 9, 10]);
});

test("messages of channels that somebody has left are not among them", () => {
  const gathering = gather([1, 2]);
  gathering.add(3, makePlace({ channelId: 6, conversationId: null, topic: "other" }));
  expect(idsOf(gathering, 10)).toEqual([1, 2]);
  expect(gathering.count).toBe(2);
});
