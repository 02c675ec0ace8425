import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { requireTool } from "../support/processes/tools";
import { type Expected, expected } from "./expected";
import { listScenarios, type Replay, replayAll } from "./replay";

const allMilliseconds = 240_000;
/** More scenarios than these do not fail because the machine is busy. */
const againMax = 5;

/** `CHATD_TRANSCRIPTS="groups flags"`: only these, with each step that differs. */
const chosen = process.env["CHATD_TRANSCRIPTS"]?.split(/[\s,]+/);
const names = listScenarios().filter((name) => chosen?.includes(name) ?? true);
const canReplay = requireTool("python3");

let replays = new Map<string, Replay>();

const inShort = ({ name, passed, deviations }: Replay) =>
  `${name}: ${passed} of ${passed + deviations.length}`;

/** Steps that differ beyond the allowed ones, and steps that were thought to differ and do not. */
function surprises({ name, passed, deviations }: Replay): string[] {
  const expectation: Expected = expected[name] ?? { exempted: [] };
  if ("atLeast" in expectation && passed >= expectation.atLeast) return [];
  const exempted = "exempted" in expectation ? expectation.exempted.map(({ step }) => step) : [];
  const fulfilled = exempted.filter((step) => deviations.every((one) => one.step !== step));
  return [
    ...deviations
      .filter(({ step }) => !exempted.includes(step))
      .map(({ step, what }) => `#${step} ${what}`),
    ...fulfilled.map((step) => `#${step} goes as recorded: it needs no exemption any more`),
  ];
}

/** Sources of an exemption: what wins over the recordings, and what they say of themselves. */
const sources =
  /\b(?:docs\/(?:design|protocol\/(?:specification|decisions|security-cases|recorded))\.md|package\.json)/;

test("each exemption names what it is by", () => {
  const exempted = Object.values<Expected>(expected).flatMap((one) =>
    "exempted" in one ? one.exempted : [],
  );
  expect(exempted.filter(({ why }) => !sources.test(why))).toEqual([]);
});

describe.skipIf(!canReplay)("recorded behaviour of the reference server", () => {
  /**
   * The replayer waits a second or so for each event: what went wrong on a busy machine is tried
   * again, one at a time.
   */
  beforeAll(async () => {
    replays = await replayAll(names);
    const again = [...replays.values()]
      .filter((one) => surprises(one).length > 0)
      .map(({ name }) => name);
    if (again.length === 0 || again.length > againMax) return;
    for (const [name, replay] of await replayAll(again, 1)) replays.set(name, replay);
  }, allMilliseconds);

  afterAll(() => console.log(["", ...[...replays.values()].map(inShort).sort()].join("\n")));

  test("is expected in a known measure of each scenario", () => {
    expect(Object.keys(expected).filter((name) => !listScenarios().includes(name))).toEqual([]);
    expect(listScenarios().filter((name) => !Object.hasOwn(expected, name))).toEqual([]);
  });

  test.each(names)("%s", (name) => {
    const replay = replays.get(name);
    if (!replay) throw new Error("it was not replayed");
    expect([inShort(replay), ...surprises(replay)]).toEqual([inShort(replay)]);
  });
});
