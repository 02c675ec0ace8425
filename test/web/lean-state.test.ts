import { afterEach, beforeEach, expect, test } from "bun:test";
import { leanJson, wholeState } from "../../src/web/model/lean-state";
import { fetchEventTypes } from "../../src/web/model/wire";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

test("the state in a page lacks what is usual, and is whole again in the client", async () => {
  const { alice, olga, channels } = world;
  const said = '","is_imported_stub":false,"profile_data":{}';
  await olga.patch(`/users/${world.carol.id}`, { full_name: 'a "b\\' });
  await olga.patch(`/users/${world.bob.id}`, { role: 200 });
  await olga.delete(`/users/${world.otto.id}`);
  await alice.post("/users/me/status", { status_text: said });
  await alice.post("/users/me/subscriptions/properties", {
    subscription_data: [{ stream_id: channels.general, property: "pin_to_top", value: true }],
  });
  const { body } = await alice.post("/register", {
    fetch_event_types: fetchEventTypes,
    client_gravatar: true,
  });
  const json = JSON.stringify(body);
  const lean = leanJson(json);
  expect(wholeState(JSON.parse(lean))).toEqual(body);
  expect(wholeState(JSON.parse(json))).toEqual(body);
  const lengthOf = (text: string) => JSON.stringify(JSON.parse(text).realm_users).length;
  expect(lengthOf(lean)).toBeLessThan(0.8 * lengthOf(json));
  expect(lean).toContain(JSON.stringify(said).slice(1, -1));
});
