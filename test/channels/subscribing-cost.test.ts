import { afterEach, expect, test } from "bun:test";
import { makeWorld, type World } from "../support/world";

let world: World;
afterEach(() => world?.close());

const remaining = ({ headers }: { headers: Headers }) =>
  Number(headers.get("x-ratelimit-remaining"));

/** Ids that nobody has: what is counted is how much is asked for. */
const idsOf = (count: number) => Array.from({ length: count }, (_, index) => 1_000_000 + index);

test("A request for many subscriptions counts as many requests", async () => {
  world = await makeWorld({ requests_per_minute_per_user: "10000" });
  const { alice } = world;
  const path = "/users/me/subscriptions";
  const names = ["one", "two", "three", "four", "five"];
  const counted: number[] = [];
  let left = remaining(await alice.get("/users/me"));
  const note = (answer: { headers: Headers }) => {
    counted.push(left - remaining(answer));
    left = remaining(answer);
  };
  note(await alice.post(path, { subscriptions: [{ name: "one", description: "a, b" }] }));
  note(await alice.post(path, { subscriptions: [{ name: "one" }], principals: idsOf(1_000) }));
  const channels = names.map((name) => ({ name, description: "of, many" }));
  note(await alice.post(path, { subscriptions: channels, principals: idsOf(10_000) }));
  note(await alice.delete(path, { subscriptions: names, principals: idsOf(1_000) }));
  note(await alice.post("/channels/create", { name: "new", subscribers: idsOf(500) }));
  note(await alice.patch(path, { add: [{ name: "one" }], delete: ["general"] }));
  const withBraces = ["{", ...names.slice(1)];
  note(await alice.delete(path, { subscriptions: withBraces, principals: idsOf(1_000) }));
  const strange = idsOf(999).map(String).concat("{x@example.com");
  note(await alice.post(path, { subscriptions: [{ name: "one" }], principals: strange }));
  expect(counted).toEqual([1, 20, 1_000, 100, 10, 1, 100, 20]);
});

test("A request that costs more than one may ask for takes all of it", async () => {
  world = await makeWorld({ requests_per_minute_per_user: "10" });
  const { alice, clock } = world;
  const ask = () =>
    alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
      principals: idsOf(1_000),
    });
  const first = await ask();
  expect([first.status, remaining(first)]).toEqual([400, 0]);
  clock.advance(30);
  const second = await ask();
  expect([second.status, second.body["retry-after"]]).toEqual([429, 30]);
  clock.advance(30);
  expect((await ask()).status).toBe(400);
});
