import { describe, expect, test } from "bun:test";
import { places } from "../cli/chatd";
import { type CrashReport, crashAgainAndAgain } from "./crash-run";
import { judge, type Received } from "./verdict";

/**
 * `CHATD_CRASH_KILLS=20 make test ARGS="crash"` for the figure that we publish; `CHATD_CRASH_SEED`
 * repeats a run.
 */
const kills = Number(process.env.CHATD_CRASH_KILLS ?? 3);
const seed = Number(process.env.CHATD_CRASH_SEED ?? 20_261_121);
const baseMilliseconds = 60_000;
const killMilliseconds = 15_000;

const figures = ({ acknowledged, lost, doubled, outOfOrder, queuesRefused }: CrashReport) =>
  `${acknowledged} acknowledged, lost ${lost}, doubled ${doubled}, out of order ${outOfOrder}, queues refused ${queuesRefused}`;

describe.each(places)("on $engine", ({ engine, fresh }) => {
  const killsHere = engine === "sqlite" ? kills : Math.ceil(kills / 2);

  test(
    `nothing is lost or doubled by ${killsHere} times kill -9 while sixteen people send, and everybody's queue goes on`,
    async () => {
      const report = await crashAgainAndAgain({ place: await fresh(), kills: killsHere, seed });
      console.log(
        `${killsHere} kills${engine === "sqlite" ? "" : ` on ${engine}`}: ${figures(report)}`,
      );
      const { acknowledged, ...rest } = report;
      expect(acknowledged).toBeGreaterThan(killsHere);
      const nothing = {
        lost: 0,
        doubled: 0,
        outOfOrder: 0,
        queuesRefused: 0,
        refusals: [],
        errors: [],
        problems: [],
      };
      expect(rest).toEqual({ ...nothing, kills: killsHere });
    },
    baseMilliseconds + kills * killMilliseconds,
  );
});

describe("the judge of a crash", () => {
  const acknowledged = new Map([
    ["one", 1],
    ["two", 2],
    ["three", 3],
  ]);
  const stored = [...acknowledged].map(([content, id]) => ({ id, content, channel: "east" }));
  const heard = (messageIds: number[]): Received => ({
    channels: ["east"],
    messageIds,
    isRefused: false,
    eventIds: messageIds.map((id) => id * 1024),
  });
  const good = { lost: 0, doubled: 0, outOfOrder: 0, queuesRefused: 0, problems: [] };
  const verdictOn = (received: Received) => ({
    ...judge(acknowledged, stored, [received]),
    problems: [],
  });

  test("finds nothing wrong with what is right", () => {
    expect(judge(acknowledged, stored, [heard([1, 2, 3])])).toEqual(good);
    expect(judge(acknowledged, stored, [{ ...heard([]), channels: ["west"] }])).toEqual(good);
  });

  test("notices what is missing in the storage, stored under another id, or stored twice", () => {
    expect(judge(acknowledged, stored.slice(1), [])).toMatchObject({
      lost: 1,
      problems: ["lost: one"],
    });
    const moved = stored.map((message) => ({ ...message, id: message.id + 1 }));
    expect(judge(acknowledged, moved, [])).toMatchObject({ lost: 3 });
    const twice = [{ id: 0, content: "one", channel: "east" }, ...stored];
    expect(judge(acknowledged, twice, [])).toMatchObject({
      lost: 0,
      doubled: 1,
      problems: ["doubled: one"],
    });
  });

  test("notices what a listener misses, gets twice or in the wrong order, and a refused queue", () => {
    expect(verdictOn(heard([1, 3]))).toEqual({ ...good, lost: 1 });
    expect(verdictOn(heard([1, 2, 2, 3]))).toEqual({ ...good, doubled: 2 });
    expect(verdictOn(heard([2, 1, 3]))).toEqual({ ...good, outOfOrder: 2 });
    expect(verdictOn({ ...heard([1, 2, 3]), isRefused: true })).toEqual({
      ...good,
      queuesRefused: 1,
    });
  });
});
