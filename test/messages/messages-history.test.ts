import { describe, expect, test } from "bun:test";
import { refusal } from "../support/listening";
import { shareWorld } from "../support/shared-world";
import type { Person, World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

const historyOf = (person: Person, id: number, more = {}) =>
  person.get(`/messages/${id}/history`, more);
const receiptsOf = (person: Person, id: number) => person.get(`/messages/${id}/read_receipts`);
const readersOf = async (person: Person, id: number) =>
  (await receiptsOf(person, id)).body.user_ids;
const quiet = { send_notification_to_new_thread: false };
const read = (person: Person, ...messages: number[]) =>
  person.post("/messages/flags", { messages, op: "add", flag: "read" });

describe("What a message has been", () => {
  test("is what was sent, as long as nobody changed it", async () => {
    const { alice, bob, clock } = world;
    const [id, direct] = [
      await alice.say("general", "", "**hi**"),
      await alice.tell([bob], "psst"),
    ];
    const version = {
      content: "**hi**",
      rendered_content: "<p><strong>hi</strong></p>",
      topic: "general chat",
    };
    const sent = { timestamp: clock.now(), user_id: alice.id };
    expect((await historyOf(bob, id)).body).toEqual({
      result: "success",
      msg: "",
      message_history: [{ ...version, ...sent }],
    });
    const modern = await historyOf(bob, id, { allow_empty_topic_name: true });
    expect(modern.body.message_history[0].topic).toBe("");
    expect((await historyOf(bob, direct)).body.message_history[0]).toMatchObject({
      content: "psst",
      topic: "",
    });
  });

  test("A16: but not where it was in a private channel that its readers may not know", async () => {
    const { alice, bob, carol, channels } = world;
    const change = async (id: number, changes: object) => {
      const answer = await alice.patch(`/messages/${id}`, { ...changes, ...quiet });
      expect(answer.body.msg).toBe("");
    };
    const hidden = await alice.say("secret", "layoffs", "draft");
    await change(hidden, { topic: "severance" });
    await change(hidden, { topic: "cuts", content: "final" });
    await change(hidden, { topic: "news", stream_id: channels.general });
    const shown = await alice.say("general", "plan", "open");
    await change(shown, { topic: "plans" });
    await change(shown, { topic: "inside", stream_id: channels.secret });
    await change(shown, { topic: "outside", stream_id: channels.general });
    for (const person of [carol, bob]) {
      const { message } = (await person.get(`/messages/${hidden}`)).body;
      expect(message.edit_history).toMatchObject([{ prev_content: "draft" }]);
      const { message_history } = (await historyOf(person, hidden)).body;
      expect(message_history).toMatchObject([
        { topic: "news", content: "draft" },
        { topic: "news", content: "final" },
      ]);
      const told = JSON.stringify([message, message_history]);
      expect(told).not.toMatch(/layoffs|severance|cuts|"(prev_)?stream":/);
      const other = (await person.get(`/messages/${shown}`)).body.message;
      expect(other.edit_history).toMatchObject([{ prev_topic: "plan", topic: "plans" }]);
      expect(JSON.stringify((await historyOf(person, shown)).body)).not.toContain("inside");
    }
    await change(hidden, { stream_id: channels.secret });
    await change(hidden, { topic: "last" });
    const { message } = (await bob.get(`/messages/${hidden}`)).body;
    expect(message.edit_history.at(0)).toMatchObject({ prev_topic: "news", topic: "last" });
    expect(message.edit_history.at(-1)).toMatchObject({ prev_topic: "layoffs" });
  });

  test("A16: nor, where it is open to the web, where it was in a channel that is not", async () => {
    const flags = { web_public_streams_enabled: "true" };
    const { olga, carol, anonymous, channels } = await ownWorld(flags);
    await olga.patch("/realm", { enable_spectator_access: true });
    const open = { is_web_public: true, principals: [olga.id, carol.id] };
    await olga.post("/users/me/subscriptions", { subscriptions: [{ name: "web" }], ...open });
    const { stream_id } = (await olga.get("/get_stream_id", { stream: "web" })).body;
    const id = await olga.say("general", "layoffs", "hello");
    const all = { propagate_mode: "change_all" };
    await olga.patch(`/messages/${id}`, { stream_id, topic: "news", ...all });
    await olga.patch(`/messages/${id}`, { topic: "today", ...all, ...quiet });
    const onTheWeb = { anchor: "newest", num_before: 9, num_after: 0 };
    const narrow = [["channels", "web-public"]];
    const seen = [
      (await anonymous.get("/messages", { ...onTheWeb, narrow })).body.messages,
      (await historyOf(carol, id)).body,
    ];
    expect(JSON.stringify(seen)).toContain("This topic was moved here from another channel by");
    expect(JSON.stringify(seen)).not.toMatch(/layoffs|general/);
    const { message } = (await carol.get(`/messages/${id}`)).body;
    expect(message.edit_history).toMatchObject([{ prev_topic: "news", topic: "today" }]);
    await olga.patch(`/messages/${id}`, { stream_id: channels.general, ...all });
    const back = (await carol.get(`/messages/${id}`)).body.message.edit_history;
    expect(back.at(-1)).toMatchObject({ prev_topic: "layoffs", prev_stream: channels.general });
  });

  test("and what each change made of it, the words that came and went marked", async () => {
    const { alice, bob, clock } = world;
    const id = await alice.tell([bob], "leek soup");
    const sentAt = clock.now();
    clock.advance(10);
    await alice.patch(`/messages/${id}`, { content: "leek **soup** today" });
    clock.advance(10);
    await alice.patch(`/messages/${id}`, { content: "" });
    const before = { topic: "", user_id: alice.id };
    const [sent, second] = ["<p>leek soup</p>", "<p>leek <strong>soup</strong> today</p>"];
    expect((await historyOf(bob, id)).body.message_history).toEqual([
      { ...before, timestamp: sentAt, content: "leek soup", rendered_content: sent },
      {
        ...before,
        timestamp: sentAt + 10,
        content: "leek **soup** today",
        rendered_content: second,
        prev_content: "leek soup",
        prev_rendered_content: sent,
        content_html_diff:
          '<div><p>leek <strong>soup</strong> <span class="highlight_text_inserted">today</span> </p></div>',
      },
      {
        ...before,
        timestamp: sentAt + 20,
        content: "(deleted)",
        rendered_content: "<p>(deleted)</p>",
        prev_content: "leek **soup** today",
        prev_rendered_content: second,
        content_html_diff:
          '<div><p><span class="highlight_text_deleted">leek <strong>soup</strong> today</span> <span class="highlight_text_inserted">(deleted)</span> </p></div>',
      },
    ]);
  });

  test("is shown to nobody where the organization wants that, nor with the message, nor what texts it had", async () => {
    const { alice, olga, bob, clock } = await ownWorld();
    const id = await alice.say("general", "t", "hi");
    await alice.patch(`/messages/${id}`, { content: "ho" });
    const moved = await alice.say("general", "t", "one");
    await alice.patch(`/messages/${moved}`, { content: "two", topic: "u" });
    const queue = await bob.register({ event_types: ["update_message"] });
    const inMessage = async () => (await bob.get(`/messages/${id}`)).body.message;
    expect((await inMessage()).edit_history).toHaveLength(1);
    expect(
      (await olga.patch("/realm", { message_edit_history_visibility_policy: "moves" })).status,
    ).toBe(200);
    const { body } = await historyOf(alice, id);
    expect(body.message_history.map(({ content }: { content: string }) => content)).toEqual(["ho"]);
    expect(await inMessage()).not.toContainKey("edit_history");
    const [move] = (await bob.get(`/messages/${moved}`)).body.message.edit_history;
    expect([move.prev_topic, move.prev_content]).toEqual(["t", undefined]);
    const { message_history: versions } = (await historyOf(alice, moved)).body;
    expect(versions.map(({ content }: { content: string }) => content)).toEqual(["two", "two"]);
    expect(
      (await olga.patch("/realm", { message_edit_history_visibility_policy: "none" })).status,
    ).toBe(200);
    expect(refusal(await historyOf(alice, id))).toBe("400 BAD_REQUEST");
    expect(await inMessage()).not.toContainKey("edit_history");
    expect((await inMessage()).last_edit_timestamp).toBe(clock.now());
    await alice.patch(`/messages/${id}`, { content: "hey" });
    const [event] = await queue.events();
    // Zulip's mobile app ends an edit only if the event has the old text, which may be empty.
    expect([event.content, event.orig_content, event.orig_rendered_content]).toEqual([
      "hey",
      "",
      "",
    ]);
  });

  test("goes with it when it is deleted", async () => {
    const { alice, app, realm } = await ownWorld();
    const id = await alice.say("general", "t", "hi");
    await alice.patch(`/messages/${id}`, { content: "ho" });
    const { messageEdits } = app.engine.reader.t;
    const kept = () => app.engine.reader.db.select().from(messageEdits);
    expect(await kept()).toMatchObject([{ realmId: realm.id, messageId: id, prevContent: "hi" }]);
    await alice.delete(`/messages/${id}`);
    expect(await kept()).toEqual([]);
  });
});

describe("Who has read a message", () => {
  test("is told to who may read it; not the sender, nor who never got it", async () => {
    const { alice, bob, carol, mona, otto } = world;
    const [early, id] = [
      await alice.say("general", "t", "1"),
      await alice.say("general", "t", "2"),
    ];
    expect((await receiptsOf(alice, id)).body).toEqual({
      result: "success",
      msg: "",
      user_ids: [],
    });
    await read(bob, id);
    await read(carol, early, id);
    await read(mona, early, id);
    await mona.post("/messages/flags", { messages: [id], op: "remove", flag: "read" });
    await read(otto, id);
    await read(alice, id);
    expect(await readersOf(otto, id)).toEqual([bob.id, carol.id]);
    expect(await readersOf(alice, early)).toEqual([mona.id, carol.id].sort((a, b) => a - b));
    await bob.post("/mark_all_as_read");
    expect(await readersOf(alice, early)).toEqual(
      [mona.id, bob.id, carol.id].sort((a, b) => a - b),
    );
  });

  test("of direct messages too", async () => {
    const { alice, bob, carol } = world;
    const id = await alice.tell([bob, carol], "psst");
    await read(carol, id);
    expect(await readersOf(alice, id)).toEqual([carol.id]);
  });

  test("is as it was for who has left since, and for who came back", async () => {
    const { alice, bob, carol } = await ownWorld();
    const id = await alice.say("general", "t", "1");
    await read(bob, id);
    await bob.delete("/users/me/subscriptions", { subscriptions: ["general"] });
    expect(await readersOf(alice, id)).toEqual([bob.id]);
    await bob.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
    await read(carol, id);
    expect(await readersOf(alice, id)).toEqual([bob.id, carol.id]);
  });

  test("of a moved message is not that of people who lost it, whether or not they had read it", async () => {
    const { alice, bob, carol, channels } = world;
    const id = await alice.say("general", "t", "1");
    await read(bob, id);
    await read(carol, id);
    expect(await readersOf(alice, id)).toEqual([bob.id, carol.id]);
    await alice.patch(`/messages/${id}`, { stream_id: channels.secret });
    expect(await readersOf(alice, id)).toEqual([bob.id]);
  });

  test("A15: of those alone who let others know, and of nobody where the organization wants that", async () => {
    const { alice, bob, carol, olga } = await ownWorld();
    const id = await alice.say("general", "t", "1");
    await read(bob, id);
    await read(carol, id);
    expect((await bob.patch("/settings", { send_read_receipts: false })).status).toBe(200);
    expect(await readersOf(alice, id)).toEqual([carol.id]);
    expect((await olga.patch("/realm", { enable_read_receipts: false })).status).toBe(200);
    for (const person of [alice, olga]) {
      const { status, body } = await receiptsOf(person, id);
      expect([status, body.code, body.user_ids]).toEqual([400, "BAD_REQUEST", undefined]);
    }
  });

  test("does not betray who mutes the one who asks, nor tell of people whom one mutes", async () => {
    const { alice, bob, carol } = await ownWorld();
    await bob.post(`/users/me/muted_users/${alice.id}`);
    const ids = [await alice.say("general", "t", "1"), await alice.tell([bob, carol], "2")];
    await read(carol, ...ids);
    for (const id of ids) {
      expect(await readersOf(alice, id)).toEqual([carol.id]);
      for (const person of [carol, bob])
        expect(await readersOf(person, id)).toEqual([bob.id, carol.id]);
    }
    await alice.post(`/users/me/muted_users/${carol.id}`);
    for (const id of ids) expect(await readersOf(alice, id)).toEqual([]);
    await alice.delete(`/users/me/muted_users/${carol.id}`);
    await bob.delete(`/users/me/muted_users/${alice.id}`);
    for (const id of ids) expect(await readersOf(alice, id)).toEqual([bob.id, carol.id]);
  });

  test("counts who has starred, collapsed or reacted to a public message without being subscribed", async () => {
    const { alice, otto, mona, olga, bob } = await ownWorld();
    const id = await alice.say("general", "t", "1");
    const outside = [otto, mona, olga];
    for (const person of [mona, olga])
      await person.delete("/users/me/subscriptions", { subscriptions: ["general"] });
    const before = await alice.say("general", "t", "2");
    expect(await readersOf(alice, before)).toEqual([]);
    const flag = (person: Person, op: string, name: string, message: number) =>
      person.post("/messages/flags", { messages: [message], op, flag: name });
    await flag(otto, "add", "starred", before);
    await flag(mona, "add", "collapsed", before);
    await olga.post(`/messages/${before}/reactions`, { emoji_name: "tada" });
    expect(await readersOf(alice, before)).toEqual(
      outside.map((one) => one.id).sort((a, b) => a - b),
    );
    expect((await otto.get(`/messages/${before}`)).body.message.flags).toEqual([
      "read",
      "historical",
      "starred",
    ]);
    await otto.post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
    expect(await readersOf(alice, before)).toContain(otto.id);
    await flag(otto, "remove", "read", before);
    expect(await readersOf(alice, before)).not.toContain(otto.id);
    // To star is not to read for who has it in their list of unread messages.
    await flag(bob, "add", "starred", id);
    expect(await readersOf(alice, id)).not.toContain(bob.id);
  });

  test("does not count who is deactivated", async () => {
    const { alice, bob, carol, olga } = await ownWorld();
    const id = await alice.say("general", "t", "1");
    await read(bob, id);
    await read(carol, id);
    expect((await olga.delete(`/users/${carol.id}`)).status).toBe(200);
    expect(await readersOf(alice, id)).toEqual([bob.id]);
  });
});

test("A13, A17: of a message that one may not read all is refused like of one that is not there", async () => {
  const { alice, bob, carol, olga, greta, zoe } = world;
  const hidden = [
    await alice.say("secret", "t", "1"),
    await alice.say("general", "t", "2"),
    await alice.tell([bob], "3"),
  ];
  const outsiders: Person[][] = [
    [carol, olga, greta, zoe],
    [greta, zoe],
    [carol, olga, greta, zoe],
  ];
  for (const [index, id] of hidden.entries()) {
    for (const person of outsiders[index] ?? []) {
      for (const ask of [historyOf, receiptsOf]) {
        const missing = await ask(person, 99_999_999);
        expect(refusal(missing)).toBe("400 BAD_REQUEST");
        expect((await ask(person, id)).body).toEqual(missing.body);
      }
    }
  }
});

describe("Markdown is shown before it is sent", () => {
  const rendered = async (person: Person, content: string) =>
    (await person.post("/messages/render", { content })).body.rendered;

  test("as it would be in a message, and stored nowhere", async () => {
    const { alice } = await ownWorld();
    expect(await rendered(alice, "**x** and `y` :tada:")).toBe(
      '<p><strong>x</strong> and <code>y</code> <span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>',
    );
    expect(await rendered(alice, "")).toBe("");
    expect(await rendered(alice, "ä".repeat(10_001))).toEndWith("ä<br>\n[message truncated]</p>");
    expect(refusal(await alice.post("/messages/render"))).toBe("400 REQUEST_VARIABLE_MISSING");
    expect(
      (await alice.get("/messages", { anchor: "newest", num_before: 9, num_after: 0 })).body
        .messages,
    ).toEqual([]);
  });

  test("with the people whom it names, by name or id, as a message that is sent has them", async () => {
    const { alice, bob, zoe } = world;
    const mention = `<span class="user-mention" data-user-id="${bob.id}">@Bob</span>`;
    const silent = `<span class="user-mention silent" data-user-id="${bob.id}">Bob</span>`;
    for (const [content, html] of [
      [`@**Bob** @_**Bob|${bob.id}**`, `<p>${mention} ${silent}</p>`],
      [`@**bob** @_**BOB|${bob.id}**`, `<p>${mention} ${silent}</p>`],
      [
        `@**Zoe** @**Zoe|${zoe.id}**`,
        `<p>@<strong>Zoe</strong> @<strong>Zoe|${zoe.id}</strong></p>`,
      ],
      [
        `@**Alice|${bob.id}** @**bobby**`,
        `<p>@<strong>Alice|${bob.id}</strong> @<strong>bobby</strong></p>`,
      ],
    ] as const) {
      expect(await rendered(alice, content)).toBe(html);
      const id = await alice.say("general", "t", content);
      expect((await bob.get(`/messages/${id}`)).body.message.content).toBe(html);
    }
  });

  test("but of one name the person who is still there, and at most a hundred people", async () => {
    const { alice, bob, carol, olga } = await ownWorld();
    expect((await olga.patch(`/users/${carol.id}`, { full_name: "Bob" })).status).toBe(200);
    expect((await olga.delete(`/users/${bob.id}`)).status).toBe(200);
    expect(await rendered(alice, "@**Bob**")).toContain(`data-user-id="${carol.id}"`);
    expect(await rendered(alice, "@**bob**")).toContain(`data-user-id="${carol.id}"`);
    expect(await rendered(alice, `@**Bob|${bob.id}**`)).toContain("user-mention silent");
    expect((await olga.patch(`/users/${alice.id}`, { full_name: "bob" })).status).toBe(200);
    expect(await rendered(alice, "@**bob**")).toContain(`data-user-id="${alice.id}"`);
    expect(await rendered(alice, "@**Bob**")).toContain(`data-user-id="${carol.id}"`);
    expect(await rendered(alice, "@**BOB**")).toContain(`data-user-id="${alice.id}"`);
    const names = Array.from({ length: 100 }, (_, index) => `@**Nobody ${index}**`).join(" ");
    expect(await rendered(alice, `${names} @**Bob**`)).not.toContain("user-mention");
  });

  test("K1: and who does not see everybody cannot find out who there is by naming them", async () => {
    const { alice, greta, olga } = await ownWorld();
    const { state } = await olga.register({ fetch_event_types: ["realm_user_groups"] });
    const members = state.realm_user_groups.find(
      ({ name }: { name: string }) => name === "role:members",
    ).id;
    expect(
      (await olga.patch("/realm", { can_access_all_users_group: { new: members } })).status,
    ).toBe(200);
    for (const content of ["@**Alice**", `@**Alice|${alice.id}**`, `@**|${alice.id}**`]) {
      expect(await rendered(greta, content)).not.toContain("user-mention");
      expect(await rendered(alice, content)).toContain("user-mention");
    }
    await alice.tell([greta], "hello");
    expect(await rendered(greta, "@**Alice**")).toContain("user-mention");
  });
});
