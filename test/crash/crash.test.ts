import { describe, expect, test } from "bun:test";
import { places } from "../cli/chatd";
import { type CrashReport, crashAgainAndAgain } from "./crash-run";

/** `CHATD_CRASH_KILLS=20 make test ARGS="crash"` for the figure that we publish; `CHATD_CRASH_SEED` repeats a run. */
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
      console.log(`${killsHere} kills${engine === "sqlite" ? "" : ` on ${engine}`}: ${figures(report)}`);
      const { acknowledged, ...rest } = report;
      expect(acknowledged).toBeGreaterThan(killsHere);
      const nothing = { lost: 0, doubled: 0, outOfOrder: 0, queuesRefused: 0, refusals: [], errors: [], problems: [] };
      expect(rest).toEqual({ ...nothing, kills: killsHere });
    },
    baseMilliseconds + kills * killMilliseconds,
  );
});
