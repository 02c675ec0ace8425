import { afterAll, beforeAll, expect, test } from "bun:test";
import { calls } from "../support/api/calls/all-calls";
import { announcedCalls, changingEndpoints } from "../support/api/calls/announced";
import { askFor } from "../support/api/calls/call";
import { pushFlags } from "../support/api/calls/device-calls";
import { mailFlags } from "../support/api/calls/mail-calls";
import { newPerson } from "../support/api/calls/things";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { jwtFlags } from "../support/servers/web-token";
import { makeWorld, type Person, type World } from "../support/world";

/**
 * For everybody and every endpoint that changes something: the state before and the events give the
 * state after. `verify-many-endpoints` does so on both engines, for many endpoints in a row.
 */
let world: World;
let verifyNext: ReturnType<typeof verifyInTurn>;
beforeAll(async () => {
  world = await makeWorld({ ...mailFlags, ...pushFlags, ...jwtFlags });
  verifyNext = verifyInTurn(world);
});
afterAll(() => world.close());

test("each endpoint that changes something has a row in test/support/calls", () => {
  expect(changingEndpoints.filter((name) => !Object.hasOwn(calls, name))).toEqual([]);
});

test.each(announcedCalls)("%s tells everybody what changes for them", async (name, call) => {
  const here =
    call.spends === "world" ? await makeWorld({ ...mailFlags, ...pushFlags, ...jwtFlags }) : world;
  try {
    const caller: Person =
      call.spends === "caller" ? await newPerson(here) : here[call.by ?? "alice"];
    const asked = await call.prepare(here, caller);
    const ask = async () => expect(await askFor(caller, name, asked)).toBe("ok");
    await (here === world ? verifyNext(ask) : verify(here, ask));
  } finally {
    if (here !== world) await here.close();
  }
});
