import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import MarkdownIt from "markdown-it";
import { write } from "../../src/core/write";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import { addManyPeople } from "../support/many-people";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

interface Read {
  content: string;
  subject: string;
  flags: string[];
  sender_full_name: string;
  avatar_url: string | null;
}

/** Messages that somebody reads in a channel, in Markdown, oldest first. */
async function readIn(person: Person, channel: string): Promise<Read[]> {
  const narrow = [{ operator: "channel", operand: channel }];
  const { body } = await person.get("/messages", {
    anchor: "newest",
    num_before: 20,
    num_after: 0,
    narrow,
    apply_markdown: false,
  });
  return body.messages;
}

/** Direct messages of Notification Bot to somebody. */
async function toldTo(person: Person): Promise<string[]> {
  const { body } = await person.get("/messages", {
    anchor: "newest",
    num_before: 20,
    num_after: 0,
    narrow: [{ operator: "is", operand: "dm" }],
    apply_markdown: false,
  });
  return body.messages.map(({ content }: Read) => content);
}

const add = (person: Person, name: string, people: Person[], more = {}) =>
  person.post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    principals: people.map(({ id }) => id),
    ...more,
  });

const quoted = (text: string) => `\`\`\`\` quote\n${text}\n\`\`\`\``;

const setRealm = (changes: Record<string, unknown>) =>
  write(world.operator, (tx) => updateRealmSettingsIn(tx, world.operator, changes));

describe("Notification Bot", () => {
  test("tells many people of equal subscriptions with one text, which is rendered once", async () => {
    const { olga } = world;
    const principals = await addManyPeople(world, 10);
    const subscriptions = ["general", "lounge"].map((name) => ({ name }));
    await olga.post("/users/me/subscriptions", { subscriptions });
    const parsed = spyOn(MarkdownIt.prototype, "parse");
    try {
      const { body } = await olga.post("/users/me/subscriptions", { subscriptions, principals });
      expect(Object.keys(body.subscribed)).toHaveLength(principals.length);
      expect(body.new_subscription_messages_sent).toBe(true);
      expect(parsed).toHaveBeenCalledTimes(1);
    } finally {
      parsed.mockRestore();
    }
  });

  test("tells a new channel who made it; its maker has read that already", async () => {
    const { alice, bob } = world;
    const subscriptions = [{ name: "crew", description: "about **us**" }];
    const queue = await alice.register({ event_types: ["message"] });
    await alice.post("/users/me/subscriptions", { subscriptions, principals: [alice.id, bob.id] });
    const [notice, ...others] = await readIn(bob, "crew");
    expect(others).toEqual([]);
    expect(notice).toMatchObject({
      subject: "channel events",
      sender_full_name: "Notification Bot",
      flags: [],
      content: `**Public** channel created by @_**Alice|${alice.id}**. **Description:**\n${quoted("about **us**")}`,
    });
    expect(notice?.avatar_url).toBeString();
    expect((await readIn(alice, "crew"))[0]?.flags).toEqual(["read"]);
    expect((await queue.events())[0].flags).toEqual(["read"]);
    expect((await alice.register()).state.unread_msgs.count).toBe(0);
    expect((await bob.register()).state.unread_msgs.count).toBe(1);
    await add(alice, "inner", [bob], { invite_only: true });
    expect((await readIn(bob, "inner"))[0]?.content).toStartWith(
      "**Private, protected history** channel created by",
    );
  });

  test("tells people of channels that others put them into, but for new ones; bots and the one who asks hear nothing", async () => {
    const { alice, bob, otto, robot } = world;
    await add(alice, "crew", [alice, bob]);
    expect(await toldTo(bob)).toEqual([]);
    const { body } = await add(alice, "crew", [bob, otto, robot, alice]);
    expect(body.new_subscription_messages_sent).toBe(true);
    expect(await toldTo(otto)).toEqual([
      `@**Alice|${alice.id}** subscribed you to the channel #**crew**.`,
    ]);
    for (const person of [alice, bob, robot]) expect(await toldTo(person)).toEqual([]);
    const subscriptions = [{ name: "crew" }, { name: "general" }, { name: "brand new" }];
    await alice.post("/users/me/subscriptions", { subscriptions, principals: [world.greta.id] });
    expect(await toldTo(world.greta)).toEqual([
      `@**Alice|${alice.id}** subscribed you to the following channels:\n\n* #**crew**\n* #**general**`,
    ]);
  });

  test("F3: names channels as links that clients open, whatever is in their names", async () => {
    const { alice, otto } = world;
    const name = 'a.b (c) <i>"ü"</i> & 100%';
    await add(alice, name, [alice]);
    await add(alice, name, [otto]);
    const { stream_id } = (await alice.get("/get_stream_id", { stream: name })).body;
    const narrow = [{ operator: "is", operand: "dm" }];
    const { body } = await otto.get("/messages", {
      anchor: "newest",
      num_before: 1,
      num_after: 0,
      narrow,
    });
    const slug = `${stream_id}-a.2Eb-.28c.29-.3Ci.3E.22.C3.BC.22.3C.2Fi.3E-.26-100.25`;
    expect(body.messages[0].content).toBe(
      `<p><span class="user-mention" data-user-id="${alice.id}">@Alice</span> subscribed you to the channel ` +
        `<a class="stream" data-stream-id="${stream_id}" href="/#narrow/channel/${slug}">` +
        "#a.b (c) &lt;i&gt;&quot;ü&quot;&lt;/i&gt; &amp; 100%</a>.</p>",
    );
  });

  test("tells nobody of them when that is not wanted, or when it would be too many", async () => {
    const { alice, otto } = world;
    const quiet = await add(alice, "general", [otto], { send_new_subscription_messages: false });
    expect(quiet.body).not.toHaveProperty("new_subscription_messages_sent");
    expect(await toldTo(otto)).toEqual([]);
    const crowd = await addManyPeople(world, 101);
    await otto.delete("/users/me/subscriptions", { subscriptions: ["general"] });
    const subscriptions = [{ name: "general" }];
    const many = await alice.post("/users/me/subscriptions", {
      subscriptions,
      principals: [...crowd, otto.id],
    });
    expect(many.body.new_subscription_messages_sent).toBe(false);
    expect(await toldTo(otto)).toEqual([]);
  });

  test("tells the organization of new public channels where it has a channel for that, private ones to nobody", async () => {
    const { alice, bob, channels } = world;
    await setRealm({ new_stream_announcements_stream_id: channels.general });
    await add(alice, "quiet", [alice]);
    await add(alice, "hidden", [alice], { invite_only: true, announce: true });
    expect(await readIn(bob, "general")).toEqual([]);
    await add(alice, "crew", [alice], { announce: true });
    const subscriptions = [{ name: "one" }, { name: "two" }];
    await alice.post("/users/me/subscriptions", { subscriptions, announce: true });
    const said = await readIn(bob, "general");
    expect(said.map(({ subject, content }) => [subject, content])).toEqual([
      ["new channels", `@_**Alice|${alice.id}** created a new channel #**crew**.`],
      [
        "new channels",
        `@_**Alice|${alice.id}** created the following channels: #**one**, #**two**.`,
      ],
    ]);
    expect((await readIn(alice, "general")).map(({ flags }) => flags)).toEqual([
      ["read"],
      ["read"],
    ]);
  });

  test("tells a channel how it was changed, and by whom", async () => {
    const { alice, olga, bob } = world;
    await add(alice, "crew", [alice, bob]);
    const { body } = await alice.get("/get_stream_id", { stream: "crew" });
    const groups = (await alice.get("/user_groups")).body.user_groups;
    const moderators = groups.find(
      (group: { name: string }) => group.name === "role:moderators",
    ).id;
    const people = { direct_members: [bob.id], direct_subgroups: [moderators] };
    const changes: [Person, object][] = [
      [alice, { new_name: "crew 2" }],
      [alice, { description: "us" }],
      [alice, { is_private: true }],
      [olga, { message_retention_days: 10 }],
      [alice, { can_send_message_group: { new: people } }],
      [alice, { can_resolve_topics_group: { new: moderators } }],
    ];
    for (const [person, change] of changes)
      await person.patch(`/streams/${body.stream_id}`, { ...change });
    await alice.delete(`/streams/${body.stream_id}`);
    const said = (await readIn(bob, "crew 2")).slice(1);
    const [mention, owner] = [`@_**Alice|${alice.id}**`, `@_**Olga|${olga.id}**`];
    expect(said.map(({ content }) => content)).toEqual([
      `${mention} renamed channel **crew** to **crew 2**.`,
      `${mention} changed the description for this channel.\n\n* **Old description:**\n\n` +
        `${quoted("*No description.*")}\n\n* **New description:**\n\n${quoted("us")}`,
      `${mention} changed the [access permissions](/help/channel-permissions) for this channel from **Public** to ` +
        "**Private, protected history**.",
      `${owner} has changed the [message retention period](/help/message-retention-policy) for this channel:\n\n` +
        "* **Old retention period**: Forever\n* **New retention period**: 10 days\n\n" +
        "Messages in this channel will now be automatically deleted 10 days after they are sent.",
      `${mention} changed the [posting permissions](/help/channel-posting-policy) for this channel:\n\n` +
        `* **Old**: @_*role:everyone*\n* **New**: @_*role:moderators*, @_**Bob|${bob.id}**`,
      "Channel crew 2 has been archived.",
    ]);
    expect(said.every(({ subject }) => subject === "channel events")).toBe(true);
    expect(said.map(({ flags }) => flags.includes("read"))).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test("says nothing in channels where the organization wants no such messages", async () => {
    const { alice, bob } = world;
    await setRealm({ send_channel_events_messages: false });
    await add(alice, "crew", [alice, bob]);
    const { body } = await alice.get("/get_stream_id", { stream: "crew" });
    await alice.patch(`/streams/${body.stream_id}`, { description: "us" });
    await alice.delete(`/streams/${body.stream_id}`);
    expect(await readIn(bob, "crew")).toEqual([]);
  });

  test("archives a large channel with a notice that all of them have read", async () => {
    const { alice, operator, bob } = world;
    const crowd = await write(operator, async (tx) => {
      const account = { realmId: operator.realm.id, role: 400, createdAt: tx.now };
      const addresses = Array.from({ length: 510 }, (_, number) => `u${number}@example.com`);
      const rows = addresses.map((email) => ({
        ...account,
        email,
        emailKey: email,
        fullName: email,
      }));
      return tx.db.insert(tx.t.users).values(rows).returning({ id: tx.t.users.id });
    });
    const principals = [...crowd.map(({ id }) => id), alice.id, bob.id];
    await alice.post("/users/me/subscriptions", { subscriptions: [{ name: "crowd" }], principals });
    const { body } = await alice.get("/get_stream_id", { stream: "crowd" });
    await alice.delete(`/streams/${body.stream_id}`);
    const [, notice] = await readIn(bob, "crowd");
    expect(notice?.flags).toEqual(["read"]);
    const { readBlocks } = world.app.engine.schema;
    expect(await world.app.engine.reader.db.select().from(readBlocks)).toHaveLength(
      principals.length,
    );
  });
});
