import { expect, test } from "bun:test";
import { makeWorld, type World } from "../support/world";

const nameOf = async ({ alice }: World) => (await alice.get("/users/me")).body.full_name;

test("servers of one process answer for themselves, also a poll that outlasts another server", async () => {
  const first = await makeWorld();
  const second = await makeWorld();
  await first.alice.patch("/settings", { full_name: "Alice the First" });
  const queue = await first.alice.register({ event_types: ["message"] });
  const polled = queue.poll();
  expect([await nameOf(second), await nameOf(first)]).toEqual(["Alice", "Alice the First"]);
  await second.close();
  const third = await makeWorld();
  expect([await nameOf(third), await nameOf(first)]).toEqual(["Alice", "Alice the First"]);
  await third.alice.say("general", "elsewhere", "Not for the first.");
  await first.bob.say("general", "here", "For the first.");
  const { body } = await polled;
  expect(body.events).toMatchObject([{ message: { content: "<p>For the first.</p>" } }]);
  await third.close();
  await first.close();
});
