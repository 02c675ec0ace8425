import { describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { write } from "../../src/core/write";
import { sendMessage } from "../../src/messages/send/send";
import { loadUser } from "../../src/people/users/queries";
import type { Answer, WireEvent } from "../support/client";
import { hear, listen, refusal } from "../support/listening";
import { refusalOf } from "../support/refusal";
import { shareWorld } from "../support/shared-world";
import type { Person, World } from "../support/world";

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

const contentOf = ({ message }: WireEvent): string => message.content;

/** The newest message that somebody can read, as text. */
async function newest(person: Person, more = {}) {
  const parameters = {
    anchor: "newest",
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
    ...more,
  };
  const { body } = await person.get("/messages", parameters);
  return body.messages[0];
}

const toGeneral = (more: object) => ({
  type: "channel",
  to: "general",
  topic: "t",
  content: "hello",
  ...more,
});

describe("Alice sends to a channel", () => {
  test("and its subscribers get the message; otto, greta and zoe, who are not in it, do not", async () => {
    const { alice, bob, olga, otto, greta, zoe, channels } = world;
    const queues = await listen(
      { alice, bob, olga, otto, greta, zoe },
      { event_types: ["message"] },
    );
    const answer = await alice.post(
      "/messages",
      toGeneral({ topic: "greeting", content: "Hello **all**" }),
    );
    const { id } = answer.body;
    expect(answer.body).toEqual({
      result: "success",
      msg: "",
      id,
      automatic_new_visibility_policy: 3,
    });
    expect(await hear(queues, contentOf)).toEqual({
      alice: ["<p>Hello <strong>all</strong></p>"],
      bob: ["<p>Hello <strong>all</strong></p>"],
      olga: ["<p>Hello <strong>all</strong></p>"],
      otto: [],
      greta: [],
      zoe: [],
    });
    expect((await bob.get(`/messages/${id}`)).body).toMatchObject({
      raw_content: "Hello **all**",
      message: {
        id,
        type: "stream",
        stream_id: channels.general,
        display_recipient: "general",
        subject: "greeting",
        content: "<p>Hello <strong>all</strong></p>",
        content_type: "text/html",
        sender_id: alice.id,
        sender_email: alice.email,
        sender_full_name: "Alice",
        is_me_message: false,
        reactions: [],
        submessages: [],
        topic_links: [],
        flags: [],
        timestamp: world.clock.now(),
        avatar_url: null,
      },
    });
  });

  test("in every form that clients send", async () => {
    const { alice, channels } = world;
    const { general } = channels;
    const forms = [
      { to: "general" },
      { to: "GENERAL" },
      { to: '"general"' },
      { to: ["general"] },
      { to: general },
      { to: [general] },
      { to: general, type: "stream" },
      { to: "general", type: '"stream"' },
      { to: "general", topic: undefined, subject: "t" },
    ];
    for (const form of forms) {
      const { body } = await alice.post(
        "/messages",
        toGeneral({ ...form, content: JSON.stringify(form) }),
      );
      expect(await newest(alice)).toMatchObject({
        id: body.id,
        subject: "t",
        content: JSON.stringify(form),
      });
    }
  });

  test("as multipart, as JSON, and with the parameters in the address", async () => {
    const { alice } = world;
    const form = new FormData();
    for (const [name, value] of Object.entries(toGeneral({ content: "multipart" })))
      form.set(name, value);
    expect((await alice.ask("POST", "/messages", {}, { body: form })).status).toBe(200);
    expect((await newest(alice)).content).toBe("multipart");
    const body = JSON.stringify(toGeneral({ to: [world.channels.general], content: "json" }));
    const headers = { "content-type": "application/json" };
    expect((await alice.ask("POST", "/messages", {}, { body, headers })).status).toBe(200);
    expect((await newest(alice)).content).toBe("json");
    const query = new URLSearchParams(toGeneral({ content: "query" }));
    expect((await alice.ask("POST", `/messages?${query}`)).status).toBe(200);
    expect((await newest(alice)).content).toBe("query");
  });

  test("who says nothing of it, or something of another form, is told what is missing", async () => {
    const { alice } = await ownWorld();
    const send = async (more: object) => refusal(await alice.post("/messages", toGeneral(more)));
    expect(await send({ type: undefined })).toBe("400 REQUEST_VARIABLE_MISSING");
    expect(await send({ content: undefined })).toBe("400 REQUEST_VARIABLE_MISSING");
    expect(await send({ to: undefined })).toBe("400 BAD_REQUEST");
    expect(await send({ topic: undefined })).toBe("400 BAD_REQUEST");
    expect(await send({ subject: "t" })).toBe("400 REQUEST_CONFUSING_VAR");
    expect(await send({ type: "letter" })).toBe("400 BAD_REQUEST");
    expect(await send({ to: "" })).toBe("400 BAD_REQUEST");
    expect(await send({ to: [] })).toBe("400 BAD_REQUEST");
    expect(await send({ to: ["general", "secret"] })).toBe("400 BAD_REQUEST");
    expect(await newest(alice)).toBeUndefined();
  });

  test("who addresses something of a wrong type is told so; a negative number is an id that nobody has", async () => {
    const { alice, bob, channels } = await ownWorld();
    const queue = await bob.register({ event_types: ["message"] });
    const code = ({ status, body }: Answer) => [status, body.code, body.stream_id, body.stream];
    const send = async (to: unknown, type = "channel") => {
      const parameters = { type, to, topic: "t", content: "x" };
      const sent = code(await alice.post("/messages", parameters));
      const later = { ...parameters, scheduled_delivery_timestamp: world.clock.now() + 600 };
      expect(code(await alice.post("/scheduled_messages", later))).toEqual(sent);
      return sent;
    };
    const general = [channels.general, "general"];
    for (const to of [
      {},
      { id: 1 },
      [null],
      [1.5],
      1.5,
      [[1]],
      "null",
      "true",
      "[true]",
      1e300,
      general,
    ]) {
      expect([to, await send(to)]).toEqual([to, [400, "BAD_REQUEST", undefined, undefined]]);
      expect([to, await send(to, "direct")]).toEqual([
        to,
        [400, "BAD_REQUEST", undefined, undefined],
      ]);
    }
    for (const to of [-5, [-5], "-5", " -5 "]) {
      expect([to, await send(to)]).toEqual([to, [400, "STREAM_DOES_NOT_EXIST", -5, undefined]]);
      expect([to, await send(to, "direct")]).toEqual([
        to,
        [400, "BAD_REQUEST", undefined, undefined],
      ]);
    }
    for (const to of ["{", "trueish", '"true"', '["true"]', "1.5.5", "-"]) {
      const name = to.replace(/^\[?"(.*?)"\]?$/, "$1");
      expect([to, await send(to)]).toEqual([to, [400, "STREAM_DOES_NOT_EXIST", undefined, name]]);
    }
    expect(await queue.events()).toEqual([]);
    expect(await newest(alice)).toBeUndefined();
  });

  test("H11: values of a wrong type, null, NaN and deep JSON are refused and store nothing", async () => {
    const { alice, bob } = await ownWorld();
    const queue = await bob.register({ event_types: ["message"] });
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    const wrong = [
      ...[null, {}, [null], [1.5], [[1]], [{ id: 1 }], "NaN", "null", -1, 1e300, deep].map(
        (to) => ({ to }),
      ),
      ...[3, "maybe", []].map((value) => ({ read_by_sender: value })),
      ...[null, 7, ["channel"]].map((type) => ({ type })),
      { content: "nul \0 inside" },
      { topic: "nul \0" },
      { type: "direct", to: [null] },
      { type: "direct", to: { a: 1 } },
      { type: "direct", to: [0.5] },
      { type: "direct", to: "[1," },
      { type: "direct", to: deep },
      { type: "direct", to: [alice.id, "x@y.z"] },
    ];
    for (const more of wrong) {
      const answer = await alice.post("/messages", toGeneral(more));
      expect([JSON.stringify(more).slice(0, 60), answer.status]).toEqual([
        JSON.stringify(more).slice(0, 60),
        400,
      ]);
    }
    expect(await newest(alice)).toBeUndefined();
    expect(await queue.events()).toEqual([]);
  });

  test("E3: in nobody else's name and at no other time", async () => {
    const { alice, bob, zoe } = await ownWorld();
    for (const more of [
      { sender: bob.email },
      { sender: zoe.email },
      { forged: "yes" },
      { time: 5 },
    ]) {
      expect(refusal(await alice.post("/messages", toGeneral(more)))).toBe("400 BAD_REQUEST");
    }
    expect(await newest(alice)).toBeUndefined();
  });
});

describe("A topic", () => {
  const kept = { allow_empty_topic_name: true };

  test("is trimmed, and cut after 60 characters of any kind", async () => {
    const { alice } = world;
    await alice.say("general", "  lunch  ", "x");
    expect((await newest(alice)).subject).toBe("lunch");
    await alice.say("general", "🎉".repeat(60), "x");
    expect((await newest(alice)).subject).toBe("🎉".repeat(60));
    await alice.say("general", "🎉".repeat(61), "x");
    expect((await newest(alice)).subject).toBe(`${"🎉".repeat(57)}...`);
  });

  test("may be empty, under each name for it, and is shown by a name to clients that do not know that", async () => {
    const { alice, bob } = world;
    const modern = await bob.register({ event_types: ["message"] });
    const old = await bob.register({
      event_types: ["message"],
      client_capabilities: { notification_settings_null: true },
    });
    for (const topic of ["", "  ", "(no topic)", "general chat"]) {
      await alice.say("general", topic, "x");
      expect((await newest(alice, kept)).subject).toBe("");
      expect((await newest(alice)).subject).toBe("general chat");
    }
    const subjects = (events: WireEvent[]) => [
      ...new Set(events.map(({ message }) => message.subject)),
    ];
    expect(subjects(await modern.events())).toEqual([""]);
    expect(subjects(await old.events())).toEqual(["general chat"]);
  });

  test("keeps its letters' case, and holds no control characters", async () => {
    const { alice } = world;
    await alice.say("general", "Lunch", "x");
    await alice.say("general", "LUNCH", "x");
    expect((await newest(alice)).subject).toBe("LUNCH");
    for (const topic of ["a\nb", "a\tb", "a\u0000b", "a\u0085b"]) {
      expect(refusal(await alice.post("/messages", toGeneral({ topic })))).toBe("400 BAD_REQUEST");
    }
  });
});

describe("The content of a message", () => {
  test("loses blank lines before it and blanks after it, and is cut after 10,000 characters", async () => {
    const { alice } = world;
    await alice.say("general", "t", "\n  \n    indented\n\nend \n\n");
    expect((await newest(alice)).content).toBe("    indented\n\nend");
    await alice.say("general", "t", "🎉".repeat(10_000));
    expect((await newest(alice)).content).toBe("🎉".repeat(10_000));
    await alice.say("general", "t", "é".repeat(10_001));
    const { content } = await newest(alice);
    expect([...content]).toHaveLength(10_000);
    expect(content).toEndWith("é\n[message truncated]");
  });

  test("must be there", async () => {
    const { alice } = await ownWorld();
    for (const content of ["", "   ", "\n \n"]) {
      expect(refusal(await alice.post("/messages", toGeneral({ content })))).toBe(
        "400 BAD_REQUEST",
      );
    }
    expect(await newest(alice)).toBeUndefined();
  });

  test("that begins with /me is told of as such", async () => {
    const { alice } = world;
    await alice.say("general", "t", "/me waves");
    expect((await newest(alice)).is_me_message).toBe(true);
  });
});

describe("A message of one's own", () => {
  test("counts as read when one says so or writes it by hand, and as unread when a program sends it", async () => {
    const { alice } = world;
    const flagsAfter = async (more: object, agent = "chatd-test/1") => {
      const queue = await alice.register({ event_types: ["message"] });
      const body = new URLSearchParams(toGeneral(more));
      const { status } = await alice.ask(
        "POST",
        "/messages",
        {},
        { body, headers: { "user-agent": agent } },
      );
      expect(status).toBe(200);
      const [event] = await queue.events();
      expect((await newest(alice)).flags).toEqual(event.flags);
      return event.flags;
    };
    expect(await flagsAfter({})).toEqual([]);
    expect(await flagsAfter({ read_by_sender: "true" })).toEqual(["read"]);
    expect(await flagsAfter({}, "ZulipFlutter/30.0.1")).toEqual(["read"]);
    expect(await flagsAfter({ read_by_sender: "false" }, "Mozilla/5.0 (X11)")).toEqual([]);
  });
});

test("The client of a message is named by the User-Agent, and by the parameter client only where that names none", async () => {
  const { alice, bob } = world;
  const clientOf = async (agent: string, more: object, query = "") => {
    const body = new URLSearchParams(toGeneral(more));
    const answer = await alice.ask(
      "POST",
      `/messages${query}`,
      {},
      { body, headers: { "user-agent": agent } },
    );
    expect([answer.status, answer.body.ignored_parameters_unsupported]).toEqual([200, undefined]);
    return (await newest(bob)).client;
  };
  expect(await clientOf("ZulipPython/0.9", { client: "my-bot" })).toBe("ZulipPython");
  expect(await clientOf("Mozilla/5.0 (X11)", { client: "my-bot" })).toBe("website");
  expect(await clientOf("", { client: "my-bot/1.2" })).toBe("my-bot");
  expect(await clientOf("", {}, "?client=irc_mirror")).toBe("irc_mirror");
  expect(await clientOf("", { client: "x".repeat(100) })).toBe("x".repeat(64));
  expect(await clientOf("", { client: "<b>" })).toBe("Unspecified");
  expect(await clientOf("", {})).toBe("Unspecified");
});

describe("Who may send where", () => {
  async function sendAndWatch(person: Person, more: object) {
    const before = (await newest(world.alice, { narrow: [] }))?.id;
    const queue = await world.alice.register({ event_types: ["message"] });
    const answer = await person.post("/messages", toGeneral(more));
    if (answer.status !== 200) {
      expect(await queue.events()).toEqual([]);
      expect((await newest(world.alice))?.id).toBe(before);
    }
    return answer;
  }

  test("a member who is not subscribed sends to a public channel and gets no event of it; a guest does not send", async () => {
    const { otto, bob, greta } = world;
    const queues = await listen({ otto, bob }, { event_types: ["message"] });
    expect((await otto.post("/messages", toGeneral({ content: "from outside" }))).status).toBe(200);
    expect(await hear(queues, contentOf)).toEqual({ otto: [], bob: ["<p>from outside</p>"] });
    expect(refusal(await sendAndWatch(greta, {}))).toBe("400 STREAM_DOES_NOT_EXIST");
  });

  test("a bot sends where its people may", async () => {
    expect((await world.robot.post("/messages", toGeneral({}))).status).toBe(200);
    expect(refusal(await sendAndWatch(world.robot, { to: "secret" }))).toBe(
      "400 STREAM_DOES_NOT_EXIST",
    );
  });

  test("A16, A17: a hidden channel is refused in the words for one that is not there", async () => {
    const { carol, greta, zoe, channels } = world;
    const missing = await sendAndWatch(carol, { to: 99_999_999 });
    expect(missing.body).toMatchObject({ code: "STREAM_DOES_NOT_EXIST", stream_id: 99_999_999 });
    const nameless = await sendAndWatch(carol, { to: "nowhere" });
    expect(nameless.body).toMatchObject({ code: "STREAM_DOES_NOT_EXIST", stream: "nowhere" });
    const cases = [
      [carol, channels.secret],
      [carol, channels.plans],
      [greta, channels.general],
      [zoe, channels.general],
    ] as const;
    for (const [person, id] of cases) {
      const { status, body } = await sendAndWatch(person, { to: id });
      expect([status, body.msg]).toEqual([400, missing.body.msg.replace("99999999", `${id}`)]);
    }
    const { status, body } = await sendAndWatch(carol, { to: "plans" });
    expect([status, body.msg]).toEqual([400, nameless.body.msg.replace("nowhere", "plans")]);
  });

  test("an administrator knows a private channel, and still does not send there", async () => {
    const { adam, channels } = world;
    const { status, body } = await sendAndWatch(adam, { to: channels.plans });
    expect([status, body.code, body.msg]).toEqual([
      400,
      "BAD_REQUEST",
      expect.stringContaining("plans"),
    ]);
  });

  test("an archived channel takes no messages", async () => {
    const { alice, operator, realm, channels } = await ownWorld();
    await write(operator, (tx) =>
      tx.db
        .update(tx.t.channels)
        .set({ isArchived: true })
        .where(and(eq(tx.t.channels.realmId, realm.id), eq(tx.t.channels.id, channels.general))),
    );
    expect(refusal(await sendAndWatch(alice, {}))).toBe("400 BAD_REQUEST");
  });
});

test("C2: a message goes by what the organization allows when it is stored, not when it was sent off", async () => {
  const { olga, alice, bob, operator, realm, app } = await ownWorld();
  const user = await loadUser(app.engine.reader, realm.id, alice.id);
  const early = { ...operator, actor: { kind: "user" as const, user, apiKeyId: 0 } };
  const queue = await bob.register({ event_types: ["message"] });
  const nobody = (await olga.get("/user_groups")).body.user_groups.find(
    ({ name }: { name: string }) => name === "role:nobody",
  );
  const changes = {
    direct_message_permission_group: { new: nobody.id },
    topics_policy: "disable_empty_topic",
  };
  expect((await olga.patch("/realm", changes)).status).toBe(200);
  const direct = sendMessage(early, { type: "direct", to: [bob.id], content: "psst" });
  expect((await refusalOf(direct)).message).toContain("disabled");
  const inChannel = sendMessage(early, {
    type: "channel",
    to: "general",
    topic: "",
    content: "hello",
  });
  expect((await refusalOf(inChannel)).message).toContain("Topics are required");
  expect(await queue.events()).toEqual([]);
  await olga.post("/realm/deactivate");
  const late = sendMessage(early, { type: "channel", to: "general", topic: "t", content: "hello" });
  expect((await refusalOf(late)).code).toBe("REALM_DEACTIVATED");
});
