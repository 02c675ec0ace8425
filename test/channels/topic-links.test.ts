import { afterEach, beforeEach, expect, test } from "bun:test";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const shop = { pattern: "order (?P<id>[0-9]+)", url_template: "https://shop.example.com/{id}" };
const linkTo = (id: number) => ({ text: `order ${id}`, url: `https://shop.example.com/${id}` });

test("What linkifiers find in a topic is shown with its messages, as they come and as the topic is renamed", async () => {
  const { alice, bob, olga } = world;
  const early = await alice.say("general", "order 1", "soup");
  const linksOf = async (id: number) => (await bob.get(`/messages/${id}`)).body.message.topic_links;
  expect(await linksOf(early)).toEqual([]);
  const added = await olga.post("/realm/filters", shop);
  expect(added.status).toBe(200);
  expect(await linksOf(early)).toEqual([linkTo(1)]);
  const queue = await bob.register({ event_types: ["message", "update_message"] });
  const id = await alice.say("general", "order 2 and order 3", "soup");
  await alice.tell([bob], "order 4");
  expect(
    (
      await alice.patch(`/messages/${id}`, {
        topic: "order 5",
        send_notification_to_new_thread: false,
      })
    ).status,
  ).toBe(200);
  const [sent, direct, renamed] = await queue.events();
  expect([sent.message.topic_links, direct.message.topic_links]).toEqual([[linkTo(5)], []]);
  expect(renamed.topic_links).toEqual([linkTo(5)]);
  expect(await linksOf(id)).toEqual([linkTo(5)]);
  await alice.say("general", "order 2 and order 3", "soup");
  expect((await queue.events())[0].message.topic_links).toEqual([linkTo(2), linkTo(3)]);
  expect((await olga.delete(`/realm/filters/${added.body.id}`)).status).toBe(200);
  expect(await linksOf(id)).toEqual([]);
});
