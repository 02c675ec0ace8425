import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { newChannel } from "../support/api/calls/things";
import { readersOf, upload } from "../support/files";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const contentOf = async (person: Person, id: number): Promise<string> => {
  const { status, body } = await person.get(`/messages/${id}`);
  expect(status).toBe(200);
  return body.message.content;
};

describe("A8: a link to a message", () => {
  test("shows nothing of what is in it, to whoever reads the link", async () => {
    const { alice, bob, carol, channels } = world;
    const hidden = await alice.say("secret", "plan", "the treasure is under the oak");
    const links = [
      `#**secret>plan@${hidden}**`,
      `${world.site}/#narrow/channel/${channels.secret}-secret/topic/plan/near/${hidden}`,
      `[look](/#narrow/channel/${channels.secret}/topic/plan/near/${hidden})`,
    ].join("\n");
    const id = await alice.say("general", "links", links);
    for (const person of [alice, bob, carol]) {
      const content = await contentOf(person, id);
      expect(content).not.toContain("treasure");
      expect(content).toContain(`/near/${hidden}`);
    }
  });

  test("brings no card that a client has made up", async () => {
    const { alice, bob } = world;
    const { status, body } = await alice.post("/messages", {
      type: "channel",
      to: "general",
      topic: "links",
      content: "see https://example.com",
      rendered_content: "<b>mine</b>",
      embeds: [{ title: "mine" }],
      attachments: [{ title: "mine" }],
    });
    expect(status).toBe(200);
    expect(body.ignored_parameters_unsupported.toSorted()).toEqual([
      "attachments",
      "embeds",
      "rendered_content",
    ]);
    const shown = (await bob.get(`/messages/${body.id}`)).body.message;
    expect(JSON.stringify(shown)).not.toContain("mine");
    expect(shown.content).toBe('<p>see <a href="https://example.com">https://example.com</a></p>');
  });
});

describe("A11: a message that somebody cannot read", () => {
  test("is brought nowhere else by them: not reported, remembered, moved, edited or answered", async () => {
    const { alice, carol, olga, mona, channels } = world;
    const moderation = await newChannel(world, [mona], { inviteOnly: true });
    await olga.patch("/realm", { moderation_request_channel_id: moderation.id });
    const id = await alice.say("secret", "plan", "the treasure is under the oak");
    const missing = id + 1_000;
    const queue = await mona.register({ event_types: ["message"] });
    const tries = (messageId: number) => [
      carol.post(`/messages/${messageId}/report`, { report_type: "spam" }),
      carol.post("/reminders", {
        message_id: messageId,
        scheduled_delivery_timestamp: world.clock.now() + 60,
      }),
      carol.patch(`/messages/${messageId}`, {
        stream_id: channels.general,
        propagate_mode: "change_all",
      }),
      carol.patch(`/messages/${messageId}`, { content: "mine" }),
      carol.post("/submessage", { message_id: messageId, msg_type: "widget", content: "{}" }),
    ];
    const answers = await Promise.all(tries(id));
    const toMissing = await Promise.all(tries(missing));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      toMissing.map(({ status, body }) => [status, body]),
    );
    expect(answers.every(({ status }) => status >= 400)).toBe(true);
    await world.pass(120);
    expect(await queue.events()).toEqual([]);
    expect(
      (await carol.get("/messages", { narrow: [], anchor: "newest", num_before: 50, num_after: 0 }))
        .body.messages,
    ).toEqual([]);
  });

  test("lends its files to nobody who links to them", async () => {
    const { alice, bob, carol } = world;
    const url = await upload(alice);
    await alice.say("secret", "plan", `[map](${url})`);
    await carol.say("general", "links", `[map](${url})`);
    expect(await readersOf(url, carol, world.otto)).toEqual([]);
    expect(await readersOf(url, alice, bob)).toEqual(["Alice", "Bob"]);
  });
});
