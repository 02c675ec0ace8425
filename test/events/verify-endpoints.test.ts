import { afterAll, beforeAll, expect, test } from "bun:test";
import { calls } from "../support/calls/all-calls";
import { allEndpoints, askFor, endpointNames } from "../support/calls/call";
import { pushFlags } from "../support/calls/device-calls";
import { mailFlags } from "../support/calls/mail-calls";
import { newPerson } from "../support/calls/things";
import { verify } from "../support/verify";
import { jwtFlags } from "../support/web-token";
import { makeWorld, type Person, type World } from "../support/world";

/**
 * For everybody and every endpoint that changes something: the state before and the events give the
 * state after.
 */
let world: World;
beforeAll(async () => {
  world = await makeWorld({ ...mailFlags, ...pushFlags, ...jwtFlags });
});
afterAll(() => world.close());

const changing = endpointNames.filter((name) => allEndpoints.get(name)?.method !== "GET");

test("each endpoint that changes something has a row in test/support/calls", () => {
  expect(changing.filter((name) => !Object.hasOwn(calls, name))).toEqual([]);
});

/** Ending a session is announced to nobody: `sign-in/sessions` looks at its queues. */
const withKeys = changing.filter(
  (name) => !(calls[name]?.isForSessions || calls[name]?.isForNobody),
);

test.each(withKeys)("%s tells everybody what changes for them", async (name) => {
  const call = calls[name];
  if (!call) throw new Error(`add a row "${name}" to test/support/calls`);
  const here =
    call.spends === "world" ? await makeWorld({ ...mailFlags, ...pushFlags, ...jwtFlags }) : world;
  try {
    const caller: Person =
      call.spends === "caller" ? await newPerson(here) : here[call.by ?? "alice"];
    const asked = await call.prepare(here, caller);
    await verify(here, async () => expect(await askFor(caller, name, asked)).toBe("ok"));
  } finally {
    if (here !== world) await here.close();
  }
});
