import { afterAll, expect, test } from "bun:test";
import { slackImports } from "../support/archives/slack-import";
import { lostOf } from "../support/archives/slack-losses";
import { makeWorld } from "../support/world";

const { remove, nextPath } = slackImports();
afterAll(remove);

test("What an export of Slack has is there or named in the report", async () => {
  const world = await makeWorld();
  const lost: string[] = [];
  for (let seed = 1; seed <= 10; seed++) lost.push(...(await lostOf(world, nextPath(), seed)));
  expect(lost).toEqual([]);
  await world.close();
});
