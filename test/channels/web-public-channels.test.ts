import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Client, WireEvent } from "../support/client";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { statusOf, upload } from "../support/files";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld({ web_public_streams_enabled: "true" });
  await world.olga.patch("/realm", { enable_spectator_access: true });
});
afterEach(() => world.close());

async function create(
  person: Person,
  name: string,
  parameters: Record<string, unknown> = {},
): Promise<number> {
  const answer = await person.post("/channels/create", {
    name,
    subscribers: [person.id],
    ...parameters,
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

const outcomeOf = ({ status, body }: { status: number; body: { code?: string } }) =>
  status === 200 ? "ok" : `${status} ${body.code}`;

const change = async (person: Person, id: number, parameters: Record<string, unknown>) =>
  outcomeOf(await person.patch(`/streams/${id}`, parameters));

const heard = (events: WireEvent[]) =>
  events.map(({ type, op, property, value, is_web_public }) =>
    type === "stream" && op === "update" ? [property, value, is_web_public] : [type, op],
  );

const listens = (...people: Person[]) =>
  Promise.all(people.map((one) => one.register({ event_types: ["stream", "subscription"] })));

describe("A web-public channel", () => {
  test("mentions guests who read in it without being there, sent or edited so", async () => {
    const { olga, alice, greta } = world;
    const id = await create(olga, "lobby", { is_web_public: true });
    const flagsOf = async (message: number) =>
      (await greta.get(`/messages/${message}`)).body.message.flags;
    await alice.post("/users/me/subscriptions", { subscriptions: [{ name: "lobby" }] });
    const sent = await alice.say("lobby", "hello", "@**Greta** look");
    expect(await flagsOf(sent)).toContain("mentioned");
    const edited = await alice.say("lobby", "hello", "nobody");
    await alice.patch(`/messages/${edited}`, { content: "@**Greta** now" });
    expect(await flagsOf(edited)).toContain("mentioned");
    await olga.patch(`/streams/${id}`, { is_web_public: false });
    expect((await greta.get(`/messages/${sent}`)).status).toBe(400);
  });

  test("is made by who may, and guests hear of it and read in it without being there", async () => {
    const { olga, alice, greta } = world;
    const [toAlice, toGreta] = await listens(alice, greta);
    const id = await create(olga, "lobby", { is_web_public: true });
    for (const queue of [toAlice, toGreta]) {
      expect(heard((await queue?.events()) ?? [])).toEqual([
        ["stream", "create"],
        ["subscription", "peer_add"],
      ]);
    }
    expect((await greta.get(`/streams/${id}`)).body.stream).toMatchObject({
      is_web_public: true,
      invite_only: false,
      history_public_to_subscribers: true,
    });
    const said = await olga.say("lobby", "hello", "come in");
    expect((await greta.get(`/messages/${said}`)).body.raw_content).toBe("come in");
    expect(
      outcomeOf(
        await greta.post("/users/me/subscriptions", { subscriptions: [{ name: "lobby" }] }),
      ),
    ).toBe("ok");
    const { body } = await greta.get("/streams", {
      include_public: false,
      include_subscribed: false,
    });
    expect(body.streams).toEqual([]);
    const web = await greta.get("/streams", {
      include_subscribed: false,
      include_web_public: true,
    });
    expect(web.body.streams.map(({ stream_id }: { stream_id: number }) => stream_id)).toEqual([id]);
  });

  test("is made by nobody else, nor where it is private, guarded or switched off", async () => {
    const { olga, adam, alice, mona } = world;
    const ask = async (person: Person, parameters: object) =>
      outcomeOf(
        await person.post("/channels/create", {
          name: "lobby",
          subscribers: [],
          is_web_public: true,
          ...parameters,
        }),
      );
    for (const person of [alice, mona, adam]) expect(await ask(person, {})).toBe("400 BAD_REQUEST");
    expect(await ask(olga, { invite_only: true })).toBe("400 BAD_REQUEST");
    expect(await ask(olga, { history_public_to_subscribers: false })).toBe("400 BAD_REQUEST");
    const subscribed = await olga.post("/users/me/subscriptions", {
      subscriptions: [{ name: "porch" }],
      is_web_public: true,
    });
    expect(outcomeOf(subscribed)).toBe("ok");
    await olga.patch("/realm", { enable_spectator_access: false });
    expect(await ask(olga, {})).toBe("400 BAD_REQUEST");
    const plain = await makeWorld();
    const refused = await plain.olga.post("/channels/create", {
      name: "x",
      subscribers: [],
      is_web_public: true,
    });
    expect(outcomeOf(refused)).toBe("400 BAD_REQUEST");
    await plain.close();
  });

  const ways: Record<string, unknown>[][] = [
    [
      { is_private: true },
      { history_public_to_subscribers: false },
      { is_private: false, is_web_public: true },
    ],
    [{ is_web_public: true }, { is_web_public: false }],
    [
      { is_private: false, is_web_public: true },
      { is_private: true, is_web_public: false },
      { is_private: false },
    ],
  ];
  test.each(ways.map((way) => [JSON.stringify(way), way] as const))(
    "State and events agree for everybody, whichever way its privacy goes: %s",
    async (_, way) => {
      const { olga, bob, carol } = world;
      const id = await create(olga, "crew", { subscribers: [olga.id, bob.id, carol.id] });
      await carol.delete("/users/me/subscriptions", { subscriptions: ["crew"] });
      const verifyNext = verifyInTurn(world);
      for (const asked of way) {
        await verifyNext(async () =>
          expect([asked, await change(olga, id, asked)]).toEqual([asked, "ok"]),
        );
      }
    },
  );

  test("D8: its privacy changes by permission only, and into nothing that does not go together", async () => {
    const { olga, adam, alice } = world;
    const id = await create(alice, "crew");
    const secret = await create(olga, "cabal", { invite_only: true });
    for (const person of [alice, adam])
      expect(await change(person, id, { is_web_public: true })).toBe("400 BAD_REQUEST");
    expect(await change(adam, secret, { is_private: false, is_web_public: true })).toBe(
      "400 BAD_REQUEST",
    );
    expect(await change(olga, secret, { is_web_public: true })).toBe("400 BAD_REQUEST");
    expect(await change(olga, id, { is_web_public: true })).toBe("ok");
    expect(await change(alice, id, { is_private: true })).toBe("400 BAD_REQUEST");
    expect(await change(alice, id, { history_public_to_subscribers: false })).toBe(
      "400 BAD_REQUEST",
    );
    expect(await change(alice, id, { is_web_public: false })).toBe("ok");
    expect((await olga.get(`/streams/${id}`)).body.stream.is_web_public).toBe(false);
  });

  test("The channel is told what it has become, and guests lose it with its openness", async () => {
    const { olga, alice, greta } = world;
    const id = await create(olga, "lobby", { is_web_public: true });
    const said = await olga.say("lobby", "hello", "come in");
    const [toAlice, toGreta] = await listens(alice, greta);
    expect(await change(olga, id, { is_web_public: false })).toBe("ok");
    expect(heard((await toAlice?.events()) ?? [])).toEqual([["invite_only", false, false]]);
    expect(heard((await toGreta?.events()) ?? [])).toEqual([["stream", "delete"]]);
    expect(outcomeOf(await greta.get(`/messages/${said}`))).toBe("400 BAD_REQUEST");
    expect(outcomeOf(await greta.get(`/streams/${id}`))).toBe("400 BAD_REQUEST");
    const { body } = await olga.get("/messages", {
      narrow: [{ operator: "channel", operand: id }],
      anchor: "newest",
      num_before: 1,
      num_after: 0,
    });
    expect(body.messages[0].content).toContain(
      "<strong>Web-public</strong> to <strong>Public</strong>",
    );
  });
});

const readWeb = (client: Client, narrow: unknown[] = []) =>
  client.get("/messages", {
    narrow: [{ operator: "channels", operand: "web-public" }, ...narrow],
    anchor: "newest",
    num_before: 10,
    num_after: 0,
  });

test("Guests read and react there, but write only once they have come in", async () => {
  const { olga, greta, alice } = world;
  const id = await create(olga, "lobby", { is_web_public: true, subscribers: [olga.id, alice.id] });
  const said = await olga.say("lobby", "hello", "come in");
  const [toAlice, toGreta] = await Promise.all(
    [alice, greta].map((one) => one.register({ event_types: ["reaction"] })),
  );
  expect(outcomeOf(await greta.post(`/messages/${said}/reactions`, { emoji_name: "wave" }))).toBe(
    "ok",
  );
  expect([(await toAlice?.events())?.length, (await toGreta?.events())?.length]).toEqual([1, 1]);
  const send = async () =>
    outcomeOf(
      await greta.post("/messages", { type: "channel", to: id, topic: "hello", content: "thanks" }),
    );
  expect(await send()).toBe("400 BAD_REQUEST");
  expect(outcomeOf(await greta.get(`/streams/${id}/email_address`))).toBe("400 BAD_REQUEST");
  expect(
    outcomeOf(await greta.post("/users/me/subscriptions", { subscriptions: [{ name: "lobby" }] })),
  ).toBe("ok");
  expect(await send()).toBe("ok");
});

test("Messages that are moved into one stay with guests who had them, and come to them with its opening", async () => {
  const { olga, alice, greta } = world;
  const lobby = await create(olga, "lobby", { is_web_public: true });
  await create(olga, "den", { subscribers: [olga.id, alice.id, greta.id] });
  const said = await olga.say("den", "hello", "come in");
  const queue = await greta.register({
    event_types: ["message", "update_message", "delete_message"],
  });
  await verify(world, async () => {
    expect(outcomeOf(await olga.patch(`/messages/${said}`, { stream_id: lobby }))).toBe("ok");
  });
  const moved = (await queue.events()).filter(({ type }) => type !== "message");
  expect(moved.map(({ type }) => type)).toEqual(["update_message"]);
  expect((await greta.get(`/messages/${said}`)).body.message.stream_id).toBe(lobby);
});

describe("A spectator", () => {
  test("reads what is open to the web, and nothing else", async () => {
    const { olga, alice, bob, anonymous } = world;
    await create(olga, "lobby", { is_web_public: true });
    const open = await olga.say("lobby", "hello", "come in");
    const closed = await alice.say("general", "lunch", "come in");
    const direct = await alice.tell([bob], "come in");
    const { body } = await readWeb(anonymous);
    const contents = body.messages.map(({ content }: { content: string }) => content);
    expect(contents).toContain("<p>come in</p>");
    expect(
      body.messages.every(({ display_recipient }: WireEvent) => display_recipient === "lobby"),
    ).toBe(true);
    expect(body.messages.at(-1)).toMatchObject({
      id: open,
      sender_email: `user${olga.id}@chat.example.com`,
    });
    expect((await anonymous.get(`/messages/${open}`)).body.raw_content).toBe("come in");
    for (const id of [closed, direct, 99_999_999]) {
      expect(outcomeOf(await anonymous.get(`/messages/${id}`))).toBe("401 UNAUTHORIZED");
    }
    const byId = await anonymous.get("/messages", {
      message_ids: [open, closed, direct],
      narrow: [["channels", "web-public"]],
    });
    expect(byId.body.messages.map(({ id }: { id: number }) => id)).toEqual([open]);
    for (const term of [
      ["with", closed],
      ["id", closed],
      ["channel", "general"],
    ]) {
      const answer = await readWeb(anonymous, [term]);
      expect(answer.body.messages ?? []).toEqual([]);
    }
    expect((await readWeb(anonymous, [["search", "come"]])).body.messages).toHaveLength(1);
  });

  test("must say that they look at the web's part, and ask for nothing of a person's own", async () => {
    const { anonymous } = world;
    const window = { anchor: "newest", num_before: 1, num_after: 0 };
    const narrows = [undefined, [["channels", "public"]], [["-channels", "web-public"]]];
    for (const narrow of narrows) {
      expect(outcomeOf(await anonymous.get("/messages", { ...window, narrow }))).toBe(
        "401 UNAUTHORIZED",
      );
    }
    for (const term of [
      ["is", "starred"],
      ["dm", [world.alice.id]],
      ["in", "home"],
      ["mentions", world.alice.id],
    ]) {
      expect(outcomeOf(await readWeb(anonymous, [term]))).toBe(
        term[0] === "dm" ? "400 BAD_NARROW" : "401 UNAUTHORIZED",
      );
    }
    expect(outcomeOf(await anonymous.get("/messages", { message_ids: [1] }))).toBe(
      "401 UNAUTHORIZED",
    );
  });

  test("K1, K3: sees people without their addresses, and registers without a queue", async () => {
    const { olga, alice, bob, anonymous } = world;
    const lobby = await create(olga, "lobby", { is_web_public: true });
    await alice.tell([bob], "psst");
    await alice.post("/users/me/presence", { status: "active" });
    await alice.post("/users/me/status", { status_text: "out" });
    const { status, body } = await anonymous.post("/register");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      queue_id: null,
      last_event_id: -1,
      is_guest: true,
      is_admin: false,
      presences: {},
      user_status: {},
      drafts: [],
      subscriptions: [],
      realm_enable_spectator_access: true,
      realm_bots: [],
      muted_users: [],
      can_create_streams: false,
      can_invite_others_to_realm: false,
      server_web_public_streams_enabled: true,
    });
    for (const list of ["streams", "never_subscribed"]) {
      expect(body[list].map(({ stream_id }: { stream_id: number }) => stream_id)).toEqual([lobby]);
    }
    expect(body.unread_msgs).toMatchObject({
      count: 0,
      pms: [],
      streams: [],
      huddles: [],
      mentions: [],
    });
    expect(body.realm_users.length).toBeGreaterThan(5);
    expect(JSON.stringify(body)).not.toContain("@example.com");
    expect(JSON.stringify(body)).not.toContain('"profile_data":{');
    const users = await anonymous.get("/users", { include_custom_profile_fields: true });
    expect(users.body.members.map(({ user_id }: { user_id: number }) => user_id)).toContain(
      alice.id,
    );
    expect(JSON.stringify(users.body)).not.toContain("@example.com");
    const shown = users.body.members.find(
      ({ user_id }: { user_id: number }) => user_id === alice.id,
    );
    expect(shown).toMatchObject({
      full_name: "Alice",
      delivery_email: null,
      timezone: "",
      date_joined: "2026-01-01",
    });
    expect((await anonymous.get("/server_settings")).body.realm_web_public_access_enabled).toBe(
      true,
    );
    for (const asked of [{ all_public_streams: true }, { include_subscribers: true }]) {
      expect(outcomeOf(await anonymous.post("/register", asked))).toBe("400 BAD_REQUEST");
    }
    expect(outcomeOf(await anonymous.get("/events", { dont_block: true }))).toBe(
      "401 UNAUTHORIZED",
    );
  });

  test("lists the topics of a web-public channel alone", async () => {
    const { olga, alice, anonymous, channels } = world;
    const lobby = await create(olga, "lobby", { is_web_public: true });
    await olga.say("lobby", "hello", "come in");
    await alice.say("general", "lunch", "now");
    const { body } = await anonymous.get(`/users/me/${lobby}/topics`);
    expect(body.topics.map(({ name }: { name: string }) => name)).toContain("hello");
    for (const id of [channels.general, channels.secret, 99_999_999]) {
      expect(outcomeOf(await anonymous.get(`/users/me/${id}/topics`))).toBe("400 BAD_REQUEST");
    }
  });

  test("A12: opens the files of what is open to the web, for as long as it is", async () => {
    const { olga, alice, anonymous, greta } = world;
    const lobby = await create(olga, "lobby", { is_web_public: true });
    const [shown, hidden, own] = [await upload(olga), await upload(olga), await upload(olga)];
    await olga.say("lobby", "hello", `[note.txt](${shown})`);
    await olga.say("general", "lunch", `[note.txt](${hidden})`);
    expect(await statusOf(anonymous, shown)).toBe(200);
    expect(await statusOf(greta, shown)).toBe(200);
    expect(await statusOf(alice, hidden)).toBe(200);
    for (const url of [hidden, own, "/user_uploads/1/ab/none.txt"])
      expect(await statusOf(anonymous, url)).toBe(404);
    expect(outcomeOf(await anonymous.get(shown))).toBe("401 UNAUTHORIZED");
    await olga.patch(`/streams/${lobby}`, { is_web_public: false });
    expect(await statusOf(anonymous, shown)).toBe(404);
    await olga.patch("/realm", { enable_spectator_access: false });
    expect(await statusOf(anonymous, shown)).toBe(401);
  });

  test("is let in as long as both server and organization want it", async () => {
    const { olga, alice, anonymous } = world;
    const lobby = await create(olga, "lobby", { is_web_public: true });
    const ask = async () => [
      outcomeOf(await anonymous.post("/register")),
      outcomeOf(await readWeb(anonymous)),
      outcomeOf(await anonymous.get("/users")),
      outcomeOf(await anonymous.get(`/users/me/${lobby}/topics`)),
    ];
    expect(new Set(await ask())).toEqual(new Set(["ok"]));
    await olga.patch("/realm", { enable_spectator_access: false });
    expect(new Set(await ask())).toEqual(new Set(["401 UNAUTHORIZED"]));
    await olga.patch("/realm", { enable_spectator_access: true });
    const wrong = { ...alice.credentials, email: alice.email, apiKey: "a".repeat(32) };
    expect(outcomeOf(await alice.get("/users"))).toBe("ok");
    expect(
      outcomeOf(
        await new (Object.getPrototypeOf(alice.constructor))(alice.site, alice.host, wrong).get(
          "/users",
        ),
      ),
    ).toBe("401 UNAUTHORIZED");
    await world.olga.post("/realm/deactivate");
    expect(new Set(await ask())).not.toContain("ok");
  });
});
