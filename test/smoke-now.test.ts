import { test } from "bun:test";
import { makeWorld } from "./support/world";

test("smoke", async () => {
  const world = await makeWorld();
  const { alice, bob, otto } = world;
  const queue = await bob.register({ event_types: ["message", "reaction", "typing", "update_message_flags"] });
  const full = await alice.register();
  console.log(Object.keys(full.state).length, JSON.stringify(full.state).length);
  const waiting = queue.next();
  const id = await alice.say("general", "hello", "hi **there**");
  console.log(JSON.stringify(await waiting));
  console.log((await bob.post(`/messages/${id}/reactions`, { emoji_name: "tada" })).body);
  await alice.post("/typing", { op: "start", to: [bob.id] });
  await bob.post("/messages/flags", { messages: [id], op: "add", flag: "read" });
  console.log(JSON.stringify(await queue.events()));
  await alice.tell([bob, otto], "to you");
  console.log(JSON.stringify((await bob.get("/messages", { anchor: "newest", num_before: 10, num_after: 0 })).body));
  console.log(JSON.stringify((await bob.get("/messages", { anchor: "first_unread", num_before: 10, num_after: 10, narrow: [["stream", "general"]] })).body).slice(0,300));
  const again = await bob.register();
  console.log(JSON.stringify(again.state.unread_msgs));
  for (const p of ["/users/me", "/streams", "/users", "/users/me/subscriptions", "/server_settings", "/nowhere"]) { const r = await bob.get(p); console.log(p, r.status, JSON.stringify(r.body).slice(0, 200)); }
  console.log(world.logged);
  await world.close();
});
