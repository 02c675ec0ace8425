import { afterEach, expect, test } from "bun:test";
import { options } from "../../src/config/config";
import type { Answer } from "../support/client";
import { makeWorld, type World } from "../support/world";

let world: World;
afterEach(() => world?.close());

const limitsOf = ({ headers }: Answer) =>
  ["limit", "remaining"].map((name) => headers.get(`x-ratelimit-${name}`));

test("a user's requests are counted by each node for itself, with what an installation is given by default", async () => {
  const { requests_per_minute_per_user: user, requests_per_minute_per_key: key } = options;
  world = await makeWorld({
    requests_per_minute_per_user: String(user.fallback),
    requests_per_minute_per_key: String(key.fallback),
  });
  expect(limitsOf(await world.alice.get("/users/me"))).toEqual(["1200", "1199"]);
  const node = await world.startNode();
  expect(limitsOf(await world.alice.at(node).get("/users/me"))).toEqual(["1200", "1199"]);
});
