import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { setPassword } from "../../src/management/accounts/update";
import { makeEmojiImage } from "../../src/realm/realm-emoji/image";
import { protocolEmoji, protocolPairs } from "../support/api/protocol-emoji";
import { Browser } from "../support/browser";
import { verify } from "../support/client-state/verify";
import { open, storedFiles } from "../support/files";
import { roleGroups } from "../support/groups";
import { hear, listen, refusal } from "../support/listening";
import { emojiForm, movingGif, staticPng, stillGif } from "../support/pictures";
import { refusalOf } from "../support/refusal";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

let world: World;
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld();
  },
  () => world.close(),
);

const emojiOnly = { event_types: ["realm_emoji"] };
const add = (person: Person, name: string, picture: string | Uint8Array<ArrayBuffer> = staticPng) =>
  person.ask("POST", `/realm/emoji/${encodeURIComponent(name)}`, {}, { body: emojiForm(picture) });
const remove = (person: Person, name: string) =>
  person.delete(`/realm/emoji/${encodeURIComponent(name)}`);

type Wire = Record<"id" | "name" | "source_url", string> & {
  still_url: string | null;
  deactivated: boolean;
  author_id: number;
};
const emojiOf = async (person: Person): Promise<Wire[]> =>
  Object.values((await person.get("/realm/emoji")).body.emoji);
const named = async (name: string): Promise<Wire> => {
  const found = (await emojiOf(world.alice)).find((one) => one.name === name && !one.deactivated);
  if (!found) throw new Error(`there is no emoji ${name}`);
  return found;
};

const react = (person: Person, id: number, parameters: Record<string, unknown>) =>
  person.post(`/messages/${id}/reactions`, parameters);
const reactionsOn = async (id: number) =>
  (await world.alice.get(`/messages/${id}`)).body.message.reactions;

describe("An emoji of the organization's own", () => {
  test("is there for everybody in it; nobody elsewhere hears of it", async () => {
    const { alice, bob, greta, zoe } = world;
    const queues = await listen({ alice, bob, greta, zoe }, emojiOnly);
    expect((await add(alice, "partyparrot")).body).toEqual({ result: "success", msg: "" });
    const { id, source_url } = await named("partyparrot");
    const parrot = {
      id,
      name: "partyparrot",
      source_url,
      still_url: null,
      deactivated: false,
      author_id: alice.id,
    };
    expect(await emojiOf(bob)).toEqual([parrot]);
    expect(await emojiOf(zoe)).toEqual([]);
    const told = [{ [id]: parrot }];
    expect(await hear(queues, ({ realm_emoji }) => realm_emoji)).toEqual({
      alice: told,
      bob: told,
      greta: told,
      zoe: [],
    });
    const { state } = await greta.register({ fetch_event_types: ["realm_emoji"] });
    expect(state.realm_emoji).toEqual({ [id]: parrot });
  });

  test("is a few bytes of the log, and a client that was away is sent all of them once", async () => {
    const { alice, bob, app } = world;
    const queue = await bob.register(emojiOnly);
    for (const name of ["parrot_one", "parrot_two", "parrot_three"])
      expect((await add(alice, name)).status).toBe(200);
    const events = await queue.events();
    expect(events.map(({ realm_emoji }) => Object.keys(realm_emoji).length)).toEqual([3]);
    const { db, t } = app.engine.reader;
    const logged = await db
      .select({ body: t.eventLog.body })
      .from(t.eventLog)
      .where(eq(t.eventLog.type, "realm_emoji"));
    expect(logged).toHaveLength(3);
    expect(Math.max(...logged.map(({ body }) => body.length))).toBeLessThan(100);
  });

  test("has a picture that is small, made anew and served as what it is (F4, F5)", async () => {
    const { alice, anonymous } = world;
    const hidden = new Uint8Array([...staticPng, ...Buffer.from("<script>alert(1)</script>")]);
    await add(alice, "partyparrot", hidden);
    const { source_url } = await named("partyparrot");
    const response = await open(anonymous, source_url);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.includes("script")).toBe(false);
    expect(await new Bun.Image(bytes).metadata()).toMatchObject({
      format: "png",
      width: 16,
      height: 16,
    });
  });

  test("may move: then it stays as it came, and a still picture is beside it", async () => {
    const { alice, anonymous } = world;
    await add(alice, "moves", movingGif);
    await add(alice, "stays", stillGif);
    const { source_url, still_url } = await named("moves");
    const moving = await open(anonymous, source_url);
    expect(moving.headers.get("content-type")).toBe("image/gif");
    expect(new Uint8Array(await moving.arrayBuffer())).toEqual(movingGif);
    const still = await open(anonymous, still_url ?? "");
    expect([still.status, still.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect((await named("stays")).still_url).toBeNull();
  });

  test("is shown at no other address, and at none of another organization (E4)", async () => {
    const { alice, anonymous, zoe } = world;
    await add(alice, "partyparrot");
    const { source_url } = await named("partyparrot");
    for (const url of [
      source_url.replace(/\w+\.png$/, `${"a".repeat(32)}.png`),
      source_url.replace("/images/", "/images/still/"),
      source_url.replace(".png", ".gif"),
      source_url.replace(/avatars\/\d+/, "avatars/99"),
      source_url.replace(/\w+\.png$/, "..%2f..%2fsecret.png"),
    ]) {
      expect([url, (await open(anonymous, url)).status]).toEqual([url, 404]);
    }
    expect((await open(zoe, source_url)).status).toBe(404);
  });

  test("of a name that is in use is refused", async () => {
    const { alice, bob } = world;
    await add(alice, "partyparrot");
    expect(refusal(await add(bob, "partyparrot"))).toBe("400 BAD_REQUEST");
    expect(storedFiles(world)).toHaveLength(1);
    const atOnce = await Promise.all([alice, bob].map((person) => add(person, "acmeowl")));
    expect(atOnce.map(refusal).sort()).toEqual(["200", "400 BAD_REQUEST"]);
    expect(storedFiles(world)).toHaveLength(2);
  });

  test("may take the place of one that everybody has only when an administrator adds it (D8)", async () => {
    const { alice, adam } = world;
    for (const name of ["smile", "zulip", "folded_hands"])
      expect(refusal(await add(alice, name))).toBe("400 BAD_REQUEST");
    expect((await add(adam, "smile")).status).toBe(200);
    const id = await alice.say("general", "t", "hello");
    await react(alice, id, { emoji_name: "smile" });
    expect(await reactionsOn(id)).toMatchObject([
      { emoji_name: "smile", reaction_type: "realm_emoji" },
    ]);
    await react(alice, id, {
      emoji_name: "smile",
      emoji_code: "1f642",
      reaction_type: "unicode_emoji",
    });
    expect(await reactionsOn(id)).toHaveLength(2);
    await alice.delete(`/messages/${id}/reactions`, { emoji_name: "smile" });
    expect(await reactionsOn(id)).toMatchObject([{ reaction_type: "unicode_emoji" }]);
  });

  test("is added by who may, as the organization says", async () => {
    const { olga, alice, greta, mona, robot } = world;
    expect(refusal(await add(greta, "acme1"))).toBe("400 BAD_REQUEST");
    expect(refusal(await add(robot, "acme1"))).toBe("400 BAD_REQUEST");
    const { body } = await olga.get("/user_groups");
    const moderators = body.user_groups.find(
      ({ name }: { name: string }) => name === "role:moderators",
    ).id;
    await olga.patch("/realm", { can_add_custom_emoji_group: { new: moderators } });
    expect(refusal(await add(alice, "acme2"))).toBe("400 BAD_REQUEST");
    expect((await add(mona, "acme2")).status).toBe(200);
  });
});

describe("An emoji of the organization's own", () => {
  oneWorldForGroup();

  test.each(["Bad Name!", "UPPER", "ends_", "-", "ü", "x".repeat(101), "a/b", "a:b"])(
    "cannot be called %s",
    async (name) => {
      const { alice } = world;
      const answer = await add(alice, name);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await emojiOf(alice)).toEqual([]);
      expect(storedFiles(world)).toEqual([]);
    },
  );

  test("needs one picture that can be read; what is refused leaves nothing behind", async () => {
    const { alice } = world;
    const queue = await alice.register(emojiOnly);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const picture of ["no image", svg, "GIF89a", staticPng.slice(0, 60)]) {
      expect(refusal(await add(alice, "partyparrot", picture))).toBe("400 BAD_IMAGE");
    }
    expect(refusal(await alice.post("/realm/emoji/partyparrot"))).toBe("400 BAD_REQUEST");
    const two = emojiForm(staticPng);
    two.append("filename", new Blob([staticPng]), "second.png");
    expect(refusal(await alice.ask("POST", "/realm/emoji/partyparrot", {}, { body: two }))).toBe(
      "400 BAD_REQUEST",
    );
    const large = new Uint8Array(5 * 1_048_576 + 1);
    expect(refusal(await add(alice, "partyparrot", large))).toBe("400 BAD_REQUEST");
    expect([await emojiOf(alice), storedFiles(world), await queue.events()]).toEqual([[], [], []]);
  });

  test("of too many pixels, or one that moves and is large, is refused without being decoded (F7)", async () => {
    const bomb = Buffer.from(staticPng);
    bomb.writeUInt32BE(30_000, 16);
    bomb.writeUInt32BE(30_000, 20);
    expect((await refusalOf(makeEmojiImage("alice", bomb))).code).toBe("BAD_IMAGE");
    const padded = new Uint8Array(1_048_577);
    padded.set(movingGif.slice(0, -1));
    expect((await refusalOf(makeEmojiImage("alice", padded))).code).toBe("BAD_IMAGE");
  });
});

test("Who reads German is refused in German: to add an emoji, and to remove one", async () => {
  const { alice, bob, olga } = world;
  const password = "correct-horse-battery";
  await setPassword(world.operator, alice.id, password);
  await alice.patch("/settings", { default_language: "de" });
  await add(bob, "acmeowl");
  const browser = new Browser(world.site, worldHost);
  await browser.submit("/login", { email: alice.email, password });
  const told = async (method: string, name: string, body?: FormData): Promise<string> => {
    const path = `/api/v1/realm/emoji/${encodeURIComponent(name)}`;
    const headers = await browser.proof();
    const answer = await browser.open(path, { method, headers, ...(body ? { body } : {}) });
    return JSON.parse(await answer.text()).msg;
  };
  const padded = new Uint8Array(1_048_577);
  padded.set(movingGif.slice(0, -1));
  const bomb = Uint8Array.from(staticPng);
  new DataView(bomb.buffer).setUint32(16, 30_000);
  const refused: readonly [
    name: string,
    picture: string | Uint8Array<ArrayBuffer>,
    text: string,
  ][] = [
    [" ", staticPng, "Gib dem Emoji einen Namen."],
    ["UPPER", staticPng, "Der Name eines Emoji besteht aus Kleinbuchstaben"],
    ["x".repeat(101), staticPng, "höchstens 100 Zeichen"],
    ["acmeowl", staticPng, "Ein eigenes Emoji :acmeowl: gibt es schon."],
    ["smile", staticPng, ":smile: ist ein Emoji, das alle haben."],
    ["acmecat", "no image", "Diese Datei ist kein lesbares Bild."],
    ["acmecat", padded, "höchstens 1 MiB"],
    ["acmecat", bomb, "höchstens 16383 Pixel breit und hoch"],
  ];
  for (const [name, picture, text] of refused)
    expect(await told("POST", name, emojiForm(picture))).toContain(text);
  expect(await told("DELETE", "acmeowl")).toContain("nur Administratoren und die Person");
  expect(await told("DELETE", "none")).toBe("Ein Emoji :none: gibt es hier nicht.");
  const { moderators } = await roleGroups(world);
  await olga.patch("/realm", { can_add_custom_emoji_group: { new: moderators } });
  expect(await told("POST", "acmecat", emojiForm(staticPng))).toContain("Du darfst keine eigenen");
  expect((await emojiOf(bob)).map(({ name }) => name)).toEqual(["acmeowl"]);
});

describe("An emoji of the organization's own whose name clients know as another emoji's", () => {
  const unicode = { emoji_name: "joker", emoji_code: "1f0cf", reaction_type: "unicode_emoji" };

  test("comes first by its name, and the other one is reached by its code", async () => {
    const { alice, adam, bob } = world;
    await add(adam, "joker");
    const { id, source_url } = await named("joker");
    const own = { emoji_name: "joker", emoji_code: id, reaction_type: "realm_emoji" };
    const message = await alice.say("general", "t", "so :joker: 🃏");
    const { content } = (await bob.get(`/messages/${message}`)).body.message;
    expect(content).toContain(
      `<img alt=":joker:" class="emoji" src="${source_url}" title="joker">`,
    );
    expect(content).toContain('class="emoji emoji-1f0cf"');
    for (const way of [{ emoji_name: "joker" }, unicode])
      expect((await react(bob, message, way)).status).toBe(200);
    const both = [own, unicode].map((one) => ({ ...one, user_id: bob.id }));
    expect(await reactionsOn(message)).toEqual(both);
    for (const way of [{ emoji_name: "joker" }, unicode]) {
      expect((await bob.post("/users/me/status", way)).status).toBe(200);
      const shown = (await alice.get(`/users/${bob.id}/status`)).body.status;
      expect(shown).toEqual(way === unicode ? unicode : own);
    }
    expect(
      (await bob.delete(`/messages/${message}/reactions`, { emoji_name: "joker" })).status,
    ).toBe(200);
    expect(await reactionsOn(message)).toEqual([{ ...unicode, user_id: bob.id }]);
    expect(
      (await bob.delete(`/messages/${message}/reactions`, { emoji_name: "joker" })).status,
    ).toBe(200);
    expect(await reactionsOn(message)).toEqual([]);
  });
});

describe("An emoji that is taken away", () => {
  test("is still shown where it was used, cannot be used any more, and its name is free", async () => {
    const { alice, bob, greta, zoe, anonymous } = world;
    await add(alice, "partyparrot");
    const { id, source_url } = await named("partyparrot");
    const message = await alice.say("general", "t", "hello");
    await react(alice, message, { emoji_name: "partyparrot" });
    const queues = await listen({ bob, greta, zoe }, emojiOnly);
    expect((await remove(alice, "partyparrot")).body).toEqual({ result: "success", msg: "" });
    const told = [true];
    const isGone = ({ realm_emoji }: { realm_emoji: Record<string, Wire> }) =>
      realm_emoji[id]?.deactivated;
    expect(await hear(queues, isGone)).toEqual({ bob: told, greta: told, zoe: [] });
    expect(await emojiOf(bob)).toMatchObject([{ id, deactivated: true }]);
    expect((await open(anonymous, source_url)).status).toBe(200);
    expect(await reactionsOn(message)).toMatchObject([{ emoji_code: id }]);
    expect(refusal(await react(bob, message, { emoji_name: "partyparrot" }))).toBe(
      "400 BAD_REQUEST",
    );
    const other = await alice.say("general", "t", "other");
    const full = { emoji_name: "partyparrot", emoji_code: id, reaction_type: "realm_emoji" };
    expect(refusal(await react(bob, other, full))).toBe("400 BAD_REQUEST");
    expect((await react(bob, message, full)).status).toBe(200);
    expect(
      (await alice.delete(`/messages/${message}/reactions`, { emoji_name: "partyparrot" })).status,
    ).toBe(200);
    expect((await add(bob, "partyparrot")).status).toBe(200);
    expect((await named("partyparrot")).id).not.toBe(id);
  });

  test("is taken away by who has added it and by administrators; by nobody elsewhere (E4)", async () => {
    const { alice, bob, adam, greta, mona, zoe, olga } = world;
    await add(alice, "partyparrot");
    await add(alice, "acmeowl");
    const queue = await olga.register(emojiOnly);
    for (const person of [bob, mona, greta])
      expect(refusal(await remove(person, "partyparrot"))).toBe("400 BAD_REQUEST");
    expect(refusal(await remove(zoe, "partyparrot"))).toBe("404 BAD_REQUEST");
    expect(refusal(await remove(alice, "none"))).toBe("404 BAD_REQUEST");
    expect(await queue.events()).toEqual([]);
    expect((await remove(adam, "partyparrot")).status).toBe(200);
    expect((await remove(alice, "acmeowl")).status).toBe(200);
    expect(refusal(await remove(alice, "acmeowl"))).toBe("404 BAD_REQUEST");
  });
});

test("An emoji of another organization is none here, by name or by id (E4)", async () => {
  const { alice, zoe } = world;
  await add(zoe, "theirs");
  const [theirs] = await emojiOf(zoe);
  const id = await alice.say("general", "t", "hello");
  for (const more of [{}, { emoji_code: theirs?.id, reaction_type: "realm_emoji" }]) {
    expect(refusal(await react(alice, id, { emoji_name: "theirs", ...more }))).toBe(
      "400 BAD_REQUEST",
    );
  }
  expect(await reactionsOn(id)).toEqual([]);
});

test("In a message its name is its picture, as long as it is in use", async () => {
  const { alice, zoe } = world;
  await add(alice, "partyparrot", movingGif);
  const { source_url } = await named("partyparrot");
  const render = async (person: Person) =>
    (await person.post("/messages/render", { content: ":partyparrot:" })).body.rendered;
  expect(await render(alice)).toContain(`src="${source_url}"`);
  expect(await render(zoe)).toBe("<p>:partyparrot:</p>");
  await remove(alice, "partyparrot");
  expect(await render(alice)).toBe("<p>:partyparrot:</p>");
});

test("Emoji at register and the events give the emoji afterwards", async () => {
  const { alice, adam } = world;
  const counts = await verify(world, async () => {
    await add(alice, "partyparrot");
    await add(adam, "acmeowl", movingGif);
    await remove(alice, "partyparrot");
  });
  // A client that has not heard of several changes gets the present emoji once.
  expect(counts).toMatchObject({ olga: 1, greta: 1 });
});

test("The names of the emoji that everybody has are where register says, for everybody", async () => {
  const { alice, anonymous } = world;
  const { state } = await alice.register({ fetch_event_types: ["realm"] });
  const response = await open(anonymous, new URL(state.server_emoji_data_url).pathname);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "application/json",
  ]);
  const { code_to_names } = (await response.json()) as { code_to_names: Record<string, string[]> };
  expect(code_to_names["1f44d"]).toContain("+1");
  expect(Object.keys(code_to_names).length).toBeGreaterThan(1_000);
  const byName = new Map(
    Object.entries(code_to_names).flatMap(([code, names]) => names.map((name) => [name, code])),
  );
  expect(protocolPairs.filter(([name, code]) => byName.get(name) !== code)).toEqual([]);
  expect(protocolEmoji.filter(({ code, names }) => code_to_names[code]?.[0] !== names[0])).toEqual(
    [],
  );
  expect(code_to_names["1f64f"]).toEqual(expect.arrayContaining(["folded_hands", "pray"]));
});
