import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AnswerTo, ApiPath, ArrivingEvent } from "../../src/api-types";
import { makeWorld, type World } from "../support/world";

/*
 * A client of this repository, typed by what endpoints declare: the compiler checks each name
 * below.
 */

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

async function get<const Path extends ApiPath<"GET">>(
  path: Path,
  parameters = {},
): Promise<AnswerTo<"GET", Path>> {
  const { body } = await world.alice.get(path, parameters);
  return body;
}

test("a client in TypeScript knows what an endpoint answers", async () => {
  const me = await get("/users/me");
  expect(me.full_name.toUpperCase()).toBe("ALICE");
  const { members } = await get("/users");
  expect(members.map(({ user_id }) => user_id)).toContain(me.user_id);
  // @ts-expect-error: nobody declares it.
  expect(me.full_nam).toBeUndefined();
});

test("it knows the state that register answers, each part of which was asked for or not", async () => {
  const { body } = await world.alice.post("/register", {
    fetch_event_types: ["muted_users", "realm_user"],
  });
  const state: AnswerTo<"POST", "/register"> = body;
  expect(state.muted_users?.map(({ id }) => id)).toEqual([]);
  expect(state.realm_users?.map(({ full_name }) => full_name)).toContain("Alice");
  // @ts-expect-error: what was not asked for may be absent.
  expect(() => state.drafts.length).toThrow();
});

test("it knows the events of a poll by their type and op", async () => {
  const queue = await world.alice.register({ event_types: ["drafts"] });
  await world.alice.post("/drafts", {
    drafts: [{ type: "", to: [], topic: "", content: "hello", timestamp: 1 }],
  });
  const events: ArrivingEvent[] = await queue.events();
  const told = events.flatMap((event) =>
    event.type === "drafts" && event.op === "add" ? event.drafts : [],
  );
  expect(told.map(({ content }) => content)).toEqual(["hello"]);
  // @ts-expect-error: no event has this type.
  expect(events.some(({ type }) => type === "draft")).toBe(false);
});
