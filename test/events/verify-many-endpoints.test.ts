import { afterAll, beforeAll, expect, test } from "bun:test";
import { announcedCalls } from "../support/api/calls/announced";
import { askFor, type Call } from "../support/api/calls/call";
import { pushFlags } from "../support/api/calls/device-calls";
import { mailFlags } from "../support/api/calls/mail-calls";
import { newPerson } from "../support/api/calls/things";
import { verifyForEverybody } from "../support/client-state/verify";
import { jwtFlags } from "../support/servers/web-token";
import { makeWorld, type World } from "../support/world";

/**
 * For everybody and many endpoints in a row, on both engines: the state before and the events give
 * the state after. `verify-endpoints` looks after each endpoint by itself, which takes long.
 */
let world: World;
beforeAll(async () => {
  world = await makeWorld({ ...mailFlags, ...pushFlags, ...jwtFlags });
});
afterAll(() => world.close());

const callsPerTest = 20;
const inOneWorld = announcedCalls.filter(([, { spends }]) => spends !== "world");
const groups: [first: string, last: string, group: [string, Call][]][] = [];
for (let at = 0; at < inOneWorld.length; at += callsPerTest) {
  const group = inOneWorld.slice(at, at + callsPerTest);
  groups.push([group[0]?.[0] ?? "", group.at(-1)?.[0] ?? "", group]);
}

test.each(groups)("%s to %s tell everybody what changes for them", async (_first, _last, group) => {
  await verifyForEverybody(world, async () => {
    for (const [name, call] of group) {
      const caller = call.spends === "caller" ? await newPerson(world) : world[call.by ?? "alice"];
      const asked = await call.prepare(world, caller);
      expect([name, await askFor(caller, name, asked)]).toEqual([name, "ok"]);
    }
  });
});
