import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { refusal } from "../support/listening";
import { makeWorld, type World } from "../support/world";

let world: World;
/** Three messages, each sent a day after the one before. */
const ids: number[] = [];
const day = 24 * 3600;
let start = 0;
beforeAll(async () => {
  world = await makeWorld();
  start = world.clock.now();
  for (const [index, content] of ["monday", "tuesday", "wednesday"].entries()) {
    ids.push(await (index === 1 ? world.bob : world.alice).say("general", `day ${index}`, content));
    world.clock.advance(day);
  }
});
afterAll(() => world.close());

const dateAt = (seconds: number) => new Date(seconds * 1000).toISOString();

async function around(
  anchorDate: string | undefined,
  narrow: unknown = [],
  counts = { num_before: 1, num_after: 1 },
) {
  const answer = await world.carol.get("/messages", {
    anchor: "date",
    anchor_date: anchorDate,
    narrow,
    ...counts,
  });
  if (answer.status !== 200) return refusal(answer);
  const { anchor, messages, found_anchor } = answer.body;
  return { anchor, found_anchor, ids: messages.map(({ id }: { id: number }) => id) };
}

describe("Carol reads around a date", () => {
  test("from the first message that was sent then or later", async () => {
    const [monday = 0, tuesday = 0, wednesday = 0] = ids;
    const onTuesday = { anchor: tuesday, found_anchor: true, ids: [monday, tuesday, wednesday] };
    expect(await around(dateAt(start + day))).toEqual(onTuesday);
    expect(await around(dateAt(start + 60))).toEqual(onTuesday);
    expect(await around(dateAt(start + day + 1))).toMatchObject({ anchor: wednesday });
    expect(await around("1999-12-31")).toMatchObject({ anchor: monday, ids: [monday, tuesday] });
    expect(await around(dateAt(start).replace("Z", "+01:00"))).toMatchObject({ anchor: monday });
  });

  test("in UTC where the date names no zone, whatever the zone of the server", async () => {
    const [, tuesday = 0] = ids;
    const zone = process.env["TZ"];
    const inUtc = dateAt(start + day);
    try {
      for (const TZ of ["America/New_York", "Asia/Tokyo"]) {
        process.env["TZ"] = TZ;
        for (const date of [
          inUtc.slice(0, 10),
          inUtc.slice(0, 19),
          inUtc.replace(/T(.{5}).*/, " $1"),
        ])
          expect([date, await around(date)]).toMatchObject([date, { anchor: tuesday }]);
        expect(await around(inUtc.replace(/T.*/, " 12:00 am"))).toBe("400 BAD_REQUEST");
      }
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });

  test("within her narrow", async () => {
    const [monday = 0, , wednesday = 0] = ids;
    const ofAlice = [["sender", world.alice.id]];
    expect(await around(dateAt(start + 60), ofAlice)).toEqual({
      anchor: wednesday,
      found_anchor: true,
      ids: [monday, wednesday],
    });
    expect(await around(dateAt(start + 60), [["search", "wednesday"]])).toMatchObject({
      anchor: wednesday,
    });
  });

  test("from the newest where nothing was sent since", async () => {
    expect(await around(dateAt(start + 30 * day))).toEqual({
      anchor: 10_000_000_000_000_000,
      found_anchor: false,
      ids: ids.slice(2),
    });
  });

  test.each([[undefined], [""], ["yesterday"], ["7"], ["2026-13-45"]])(
    "but not around %p",
    async (date) => expect(await around(date)).toBe("400 BAD_REQUEST"),
  );
});
