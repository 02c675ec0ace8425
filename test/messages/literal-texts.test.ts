import { expect, test } from "bun:test";
import { send as upload } from "../support/files";
import { makeWorld } from "../support/world";

test("Refusals whose texts clients compare say what the reference server says, word for word", async () => {
  const world = await makeWorld();
  const { alice, bob, clock, channels } = world;
  const said = async (answer: Promise<{ status: number; body: { msg: string } }>) => {
    const { status, body } = await answer;
    return [status, body.msg];
  };
  const gone = 99_999_999;
  const id = await alice.say("general", "t", "hello");
  const hidden = await alice.say("secret", "t", "hidden");
  for (const missing of [gone, hidden]) {
    for (const ask of [
      world.carol.get(`/messages/${missing}`),
      world.carol.get(`/messages/${missing}/history`),
      world.carol.get(`/messages/${missing}/read_receipts`),
      world.carol.patch(`/messages/${missing}`, { content: "x" }),
      world.carol.delete(`/messages/${missing}`),
      world.carol.post(`/messages/${missing}/reactions`, { emoji_name: "smile" }),
    ])
      expect(await said(ask)).toEqual([400, "Invalid message(s)"]);
  }
  for (const to of [
    ["nobody@example.com"],
    "nobody@example.com",
    ["bob@example.com", "nobody@example.com"],
  ]) {
    const direct = { type: "direct", to, content: "x" };
    expect(await said(alice.post("/messages", direct))).toEqual([
      400,
      "Invalid email 'nobody@example.com'",
    ]);
    const later = { ...direct, scheduled_delivery_timestamp: clock.now() + 600 };
    expect(await said(alice.post("/scheduled_messages", later))).toEqual([
      400,
      "Invalid email 'nobody@example.com'",
    ]);
  }
  for (const ask of [
    upload(bob, new FormData()),
    bob.post("/user_uploads"),
    bob.post("/user_uploads", { file: "x" }),
  ])
    expect(await said(ask)).toEqual([400, "You must specify a file to upload"]);
  const two = new FormData();
  for (const name of ["a", "b"]) two.append("file", new File(["x"], `${name}.txt`));
  for (const person of [alice, world.olga, world.robot])
    expect(
      await said(person.get("/messages/summary", { narrow: [["channel", "general"]] })),
    ).toEqual([400, "AI features are not enabled on this server."]);
  expect((await world.anonymous.get("/messages/summary")).status).toBe(401);
  expect(await said(upload(bob, two))).toEqual([400, "You may only upload one file at a time"]);
  const later = { type: "channel", to: channels.general, topic: "t", content: "x" };
  const at = { scheduled_delivery_timestamp: clock.now() + 600 };
  const { body } = await alice.post("/scheduled_messages", { ...later, ...at });
  const made = await world.olga.post("/user_groups/create", {
    name: "devs",
    description: "",
    members: [],
  });
  for (const ask of [
    alice.patch(`/messages/${id}`),
    alice.patch(`/messages/${id}`, { topic: "t" }),
    alice.patch(`/scheduled_messages/${body.scheduled_message_id}`),
    world.olga.patch(`/user_groups/${made.body.group_id}`),
  ])
    expect(await said(ask)).toEqual([400, expect.stringMatching(/^Nothing to change\b/)]);
  await world.close();
});
