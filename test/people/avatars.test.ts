import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { tidyStray } from "../../src/files/stray";
import { claimPictureIn, storePicture } from "../../src/pictures/store";
import { verify } from "../support/client-state/verify";
import { open, storedFiles } from "../support/files";
import { hear, listen, refusal } from "../support/listening";
import { errorOf } from "../support/outcome";
import {
  bombPng,
  colorOf,
  emojiForm,
  movingGif,
  paint,
  photograph,
  secretPlace,
  staticPng,
} from "../support/pictures";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const peopleOnly = { event_types: ["realm_user"] };
const uploadAvatar = (person: Person, picture: string | Uint8Array<ArrayBuffer> = staticPng) =>
  person.ask("POST", "/users/me/avatar", {}, { body: emojiForm(picture, "me.png") });
const removeAvatar = (person: Person) => person.delete("/users/me/avatar");

const userAs = async (reader: Person, id: number) =>
  (await reader.get(`/users/${id}`, { client_gravatar: true })).body.user;
const bytesAt = async (url: string, person: Pick<Person, "site" | "host"> = world.anonymous) =>
  new Uint8Array(await (await open(person as Person, url)).arrayBuffer());
const sizeAt = async (url: string) => {
  const { width, height, format } = await new Bun.Image(await bytesAt(url)).metadata();
  return `${width}×${height} ${format}`;
};
const medium = (url: string) => url.replace(".png", "-medium.png");
const original = (url: string) => url.replace(".png", "-original.webp");
const leadsTo = async (person: Pick<Person, "open">, path: string) => {
  const response = await person.open(path, { redirect: "manual" });
  return response.status === 302 ? response.headers.get("location") : response.status;
};

describe("A picture that somebody uploads", () => {
  test("is theirs for everybody who sees them, and nobody elsewhere hears of it", async () => {
    const { alice, bob, greta, zoe } = world;
    const queues = await listen({ alice, bob, greta, zoe }, peopleOnly);
    const { status, body } = await uploadAvatar(alice);
    expect([status, body.avatar_url.split("?")[1]]).toEqual([200, "version=2"]);
    const person = {
      user_id: alice.id,
      avatar_url: body.avatar_url,
      avatar_url_medium: medium(body.avatar_url),
      avatar_source: "U",
      avatar_version: 2,
    };
    const told = [person];
    expect(await hear(queues, (event) => event.person)).toEqual({
      alice: told,
      bob: told,
      greta: told,
      zoe: [],
    });
    expect(await userAs(bob, alice.id)).toMatchObject({
      avatar_url: body.avatar_url,
      avatar_version: 2,
    });
    const { state } = await alice.register({ fetch_event_types: ["realm_user"] });
    expect(state).toMatchObject({
      avatar_source: "U",
      avatar_url: body.avatar_url,
      avatar_url_medium: person.avatar_url_medium,
    });
    await alice.say("general", "t", "look at me");
    const { messages } = (
      await bob.get("/messages", { anchor: "newest", num_before: 1, num_after: 0 })
    ).body;
    expect(messages[0].avatar_url).toBe(body.avatar_url);
  });

  test("F5: comes in every size, as a square of its middle; nothing that it said about itself is left", async () => {
    const { alice, anonymous } = world;
    const [red, green, blue] = [
      [220, 0, 0],
      [0, 200, 0],
      [0, 0, 220],
    ] as const;
    const wide = paint(900, 300, (x) => (x < 300 ? red : x < 600 ? green : blue));
    const { avatar_url } = (await uploadAvatar(alice, wide)).body;
    expect(
      await Promise.all([avatar_url, medium(avatar_url), original(avatar_url)].map(sizeAt)),
    ).toEqual(["100×100 png", "500×500 png", "900×300 webp"]);
    const [r, g, b] = await colorOf(await bytesAt(avatar_url));
    expect([r < 20, g > 180, b < 20]).toEqual([true, true, true]);
    for (const url of [avatar_url, medium(avatar_url), original(avatar_url)]) {
      expect(Buffer.from(await bytesAt(url)).includes(secretPlace)).toBe(false);
    }
    const response = await open(anonymous, avatar_url);
    expect(response.headers.get("cache-control")).toContain("immutable");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    const etag = response.headers.get("etag") ?? "";
    expect((await open(anonymous, avatar_url, { headers: { "if-none-match": etag } })).status).toBe(
      304,
    );
  });

  test("stands as it was taken, whatever its EXIF block says, which is gone", async () => {
    const { alice } = world;
    const photo = await photograph(60, 40);
    expect(Buffer.from(photo).includes(secretPlace)).toBe(true);
    const { avatar_url } = (await uploadAvatar(alice, photo)).body;
    expect(await sizeAt(original(avatar_url))).toBe("40×60 webp");
    for (const url of [avatar_url, medium(avatar_url), original(avatar_url)]) {
      const bytes = Buffer.from(await bytesAt(url));
      expect([bytes.includes(secretPlace), bytes.includes("Exif")]).toEqual([false, false]);
    }
  });

  test("that moves stands still", async () => {
    const { avatar_url } = (await uploadAvatar(world.alice, movingGif)).body;
    expect(await sizeAt(avatar_url)).toBe("100×100 png");
  });

  test("H8, F4, G6: is a picture of a moderate size; what is refused leaves nothing and is told to nobody", async () => {
    const { alice, bob } = world;
    const queue = await bob.register(peopleOnly);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const file of ["no image", svg, "BM", staticPng.slice(0, 60), bombPng(), ""]) {
      expect(refusal(await uploadAvatar(alice, file))).toBe("400 BAD_IMAGE");
    }
    expect(refusal(await uploadAvatar(alice, new Uint8Array(5 * 1_048_576 + 1)))).toBe(
      "400 BAD_REQUEST",
    );
    expect(refusal(await alice.post("/users/me/avatar"))).toBe("400 BAD_REQUEST");
    const two = emojiForm(staticPng);
    two.append("file", new Blob([staticPng]), "second.png");
    expect(refusal(await alice.ask("POST", "/users/me/avatar", {}, { body: two }))).toBe(
      "400 BAD_REQUEST",
    );
    expect([storedFiles(world), await queue.events()]).toEqual([[], []]);
    expect((await userAs(bob, alice.id)).avatar_version).toBe(1);
  });

  test("G1: is what was sent, never what an address leads to", async () => {
    const { alice } = world;
    let asked = 0;
    const elsewhere = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch() {
        asked += 1;
        return new Response(staticPng);
      },
    });
    const url = `http://127.0.0.1:${elsewhere.port}/me.png`;
    for (const address of [url, "file:///etc/hostname", "/etc/hostname"]) {
      expect(refusal(await uploadAvatar(alice, address))).toBe("400 BAD_IMAGE");
      const form = new FormData();
      form.append("file", address);
      expect(refusal(await alice.ask("POST", "/users/me/avatar", {}, { body: form }))).toBe(
        "400 BAD_REQUEST",
      );
      expect(refusal(await alice.post("/users/me/avatar", { avatar_url: address }))).toBe(
        "400 BAD_REQUEST",
      );
    }
    await elsewhere.stop(true);
    expect([asked, storedFiles(world)]).toEqual([0, []]);
  });

  test("replaces the one before, of which nothing is left", async () => {
    const { alice, anonymous } = world;
    const first = (await uploadAvatar(alice)).body.avatar_url;
    expect(storedFiles(world)).toHaveLength(3);
    const second = (await uploadAvatar(alice)).body.avatar_url;
    expect(second).not.toBe(first);
    for (const url of [first, medium(first), original(first)])
      expect((await open(anonymous, url)).status).toBe(404);
    expect(await sizeAt(second)).toBe("100×100 png");
    expect(storedFiles(world)).toHaveLength(3);
    expect((await userAs(alice, alice.id)).avatar_version).toBe(3);
  });

  test("is taken away again: then there is the one from before, and nothing of it is left", async () => {
    const { alice, bob, zoe } = world;
    const { avatar_url: before } = (await alice.get("/users/me")).body;
    const uploaded = (await uploadAvatar(alice)).body.avatar_url;
    const queues = await listen({ bob, zoe }, peopleOnly);
    const { body } = await removeAvatar(alice);
    expect(body.avatar_url).toBe(before.replace("version=1", "version=3"));
    expect(
      await hear(queues, ({ person }) => `${person.avatar_source} ${person.avatar_version}`),
    ).toEqual({
      bob: ["G 3"],
      zoe: [],
    });
    expect((await userAs(bob, alice.id)).avatar_url).toBeNull();
    expect([(await open(world.anonymous, uploaded)).status, storedFiles(world)]).toEqual([404, []]);
    expect((await removeAvatar(alice)).body.avatar_url).toBe(body.avatar_url);
    expect(await hear(queues, ({ person }) => person.user_id)).toEqual({ bob: [], zoe: [] });
  });

  test("K3: is shown as it is to those who do not know the address; one at Gravatar goes by what they know", async () => {
    const { alice, bob } = world;
    await alice.patch("/settings", { email_address_visibility: 4 });
    const { avatar_url } = (await uploadAvatar(alice)).body;
    expect((await userAs(bob, alice.id)).avatar_url).toBe(avatar_url);
    const queues = await listen({ alice, bob }, peopleOnly);
    await removeAvatar(alice);
    const hash = (email: string) => Bun.MD5.hash(email, "hex");
    const heard = await hear(queues, ({ person }) =>
      person.avatar_url.includes(hash("alice@example.com")),
    );
    expect(heard).toEqual({ alice: [true], bob: [false] });
    const heardOf = (await userAs(bob, alice.id)).avatar_url;
    expect(heardOf).toContain(hash(`user${alice.id}@${alice.host}`));
  });

  test("cannot be changed where the organization keeps pictures as they are, but by administrators (D8)", async () => {
    const { olga, adam, alice, robot } = world;
    await uploadAvatar(alice);
    await olga.patch("/realm", { avatar_changes_disabled: true });
    for (const person of [alice, robot]) {
      expect(refusal(await uploadAvatar(person))).toBe("400 BAD_REQUEST");
      expect(refusal(await removeAvatar(person))).toBe("400 BAD_REQUEST");
    }
    expect((await uploadAvatar(adam)).status).toBe(200);
    expect((await removeAvatar(adam)).status).toBe(200);
  });

  test("is at no other address, is in no list, and is no file that people share (E4, G8)", async () => {
    const { alice, anonymous, zoe } = world;
    const { avatar_url } = (await uploadAvatar(alice)).body;
    const form = emojiForm("a secret", "secret.png");
    const { url: shared } = (await alice.ask("POST", "/user_uploads", {}, { body: form })).body;
    const [, , , token] = shared.split("/");
    for (const url of [
      avatar_url.replace(/\w+\.png/, `${"a".repeat(32)}.png`),
      avatar_url.replace(/avatars\/\d+/, "avatars/99"),
      avatar_url.replace(".png", ".webp"),
      avatar_url.replace(".png", "-huge.png"),
      avatar_url.replace(/\w+\.png/, "..%2f..%2fsecret.png"),
      avatar_url.replace(/\w+\.png.*/, ""),
      avatar_url.replace("/user_avatars", "/user_uploads"),
      avatar_url.replace(/\w+\.png/, `${token}.png`),
    ]) {
      expect([url, [401, 404].includes((await open(anonymous, url)).status)]).toEqual([url, true]);
    }
    expect((await open(zoe, avatar_url)).status).toBe(404);
  });

  test("can be told from state and events by everybody", async () => {
    const { alice, bob, greta } = world;
    await verify(world, async () => {
      await uploadAvatar(alice);
      await uploadAvatar(greta);
      await uploadAvatar(bob);
      await removeAvatar(bob);
    });
  });

  test("of two at once is one of them, and nothing of the other is left", async () => {
    const { alice } = world;
    const answers = await Promise.all([uploadAvatar(alice), uploadAvatar(alice)]);
    expect(answers.map(refusal)).toEqual(["200", "200"]);
    expect(storedFiles(world)).toHaveLength(3);
    expect((await userAs(alice, alice.id)).avatar_version).toBe(3);
  });
});

describe("A picture that was left behind", () => {
  test("by a process that ended is removed after an hour; one in use stays", async () => {
    const { alice, app, operator } = world;
    const { avatar_url } = (await uploadAvatar(alice)).body;
    const left = await storePicture(operator, { "-avatar": staticPng });
    expect(storedFiles(world)).toHaveLength(4);
    await tidyStray(app);
    expect(storedFiles(world)).toHaveLength(4);
    world.clock.advance(3_700);
    const late = write({ ...operator, now: app.clock.now() }, (tx) =>
      claimPictureIn(tx, operator.realm.id, left),
    );
    expect(await errorOf(late)).toMatchObject({ code: "BAD_REQUEST" });
    await late.catch(() => undefined);
    await tidyStray(app);
    expect(storedFiles(world)).toHaveLength(3);
    expect(await sizeAt(avatar_url)).toBe("100×100 png");
    await tidyStray(app);
    expect(await app.engine.reader.db.select().from(app.engine.schema.strayPictures)).toEqual([]);
  });

  test("when it was replaced and could not be removed is removed later", async () => {
    const { alice, app } = world;
    await uploadAvatar(alice);
    const remove = app.files.remove;
    app.files.remove = () => Promise.reject(new Error("the disk is busy, on purpose"));
    await removeAvatar(alice);
    world.clock.advance(120);
    await tidyStray(app);
    expect(storedFiles(world)).toHaveLength(3);
    app.files.remove = remove;
    await tidyStray(app);
    expect(storedFiles(world)).toEqual([]);
  });
});

describe("Where nobody has uploaded a picture", () => {
  test("it is generated, if the organization wants that: for everybody at once, told to those who see them", async () => {
    const { olga, alice, bob, greta } = world;
    await uploadAvatar(bob);
    const queues = await listen({ alice, greta }, peopleOnly);
    await verify(world, () => olga.patch("/realm", { default_avatar_source: "J" }));
    const heard = await hear(queues, ({ person }) => `${person.user_id} ${person.avatar_source}`);
    const { greta: hers = [] } = heard;
    expect([hers.includes(`${alice.id} J`), hers.includes(`${bob.id} J`)]).toEqual([true, false]);
    const { avatar_url } = await userAs(greta, alice.id);
    expect(avatar_url).toMatch(/^\/user_avatars\/\d+\/generated\/[0-9a-f]{32}\.png/);
    expect([await sizeAt(avatar_url), await sizeAt(medium(avatar_url))]).toEqual([
      "100×100 png",
      "500×500 png",
    ]);
    const response = await open(world.anonymous, avatar_url);
    expect(response.headers.get("cache-control")).toContain("immutable");
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(1_000);
    const { state } = await alice.register({ fetch_event_types: ["realm_user", "realm"] });
    expect(state).toMatchObject({
      avatar_source: "J",
      avatar_url,
      realm_default_avatar_source: "J",
    });
    const { body } = await olga.post("/users", {
      email: "new@example.com",
      password: "a long password",
      full_name: "New",
    });
    expect((await userAs(alice, body.user_id)).avatar_url).toContain("/generated/");
    expect((await removeAvatar(bob)).body.avatar_url).toContain("/generated/");
  });

  test("it is the same each time, another for everybody, and tells nothing: any address of the form has one", async () => {
    const { olga, alice, bob, zoe } = world;
    await olga.patch("/realm", { default_avatar_source: "J" });
    const [hers, his] = [
      (await userAs(bob, alice.id)).avatar_url,
      (await userAs(bob, bob.id)).avatar_url,
    ];
    expect(await bytesAt(hers)).toEqual(await bytesAt(hers));
    expect(await bytesAt(hers)).not.toEqual(await bytesAt(his));
    expect((await open(world.anonymous, hers.replace(/[0-9a-f]{32}/, "0".repeat(32)))).status).toBe(
      200,
    );
    expect((await open(world.anonymous, hers.replace(/[0-9a-f]{32}/, "x".repeat(32)))).status).toBe(
      404,
    );
    expect((await open(zoe, hers)).status).toBe(404);
  });

  test("it never comes from Gravatar on a server that does not use it", async () => {
    await world.close();
    world = await makeWorld({ gravatar_enabled: "false" });
    const { olga, alice } = world;
    const everything = JSON.stringify((await alice.register({ client_gravatar: false })).state);
    expect(everything.includes("gravatar.com")).toBe(false);
    expect(refusal(await olga.patch("/realm", { default_avatar_source: "J" }))).toBe("200");
    expect(refusal(await olga.patch("/realm", { default_avatar_source: "G" }))).toBe(
      "400 BAD_REQUEST",
    );
    await uploadAvatar(alice);
    expect((await removeAvatar(alice)).body.avatar_url).toContain("/generated/");
  });
});

describe("The address of somebody's picture", () => {
  test("leads to it, by id and by address, in both sizes", async () => {
    const { alice, bob } = world;
    const { avatar_url } = (await uploadAvatar(alice)).body;
    for (const name of [alice.id, alice.email, `user${alice.id}@${alice.host}`]) {
      expect(await leadsTo(bob, `/avatar/${name}`)).toBe(avatar_url);
      expect(await leadsTo(bob, `/avatar/${name}/medium`)).toBe(medium(avatar_url));
    }
    expect(await leadsTo(alice, `/avatar/${bob.id}`)).toContain("gravatar.com/avatar/");
    expect(await leadsTo(alice, `/avatar/${bob.id}/medium`)).toContain("&s=500");
  });

  test("K1: leads a guest to nothing that tells whether somebody exists whom they do not see", async () => {
    const { olga, carol, greta } = world;
    await uploadAvatar(carol);
    const { body } = await olga.get("/user_groups");
    const members = body.user_groups.find(
      ({ name }: { name: string }) => name === "role:members",
    ).id;
    await olga.patch("/realm", { can_access_all_users_group: { new: members } });
    const generated = /^\/user_avatars\/\d+\/generated\/[0-9a-f]{32}\.png/;
    for (const name of [carol.id, 999_999, carol.email, "nobody@example.com"]) {
      expect(await leadsTo(greta, `/avatar/${name}`)).toMatch(generated);
    }
    const { state } = await greta.register();
    const unknown = state.realm_users.find(
      ({ user_id }: { user_id: number }) => user_id === carol.id,
    );
    expect(unknown.avatar_url).toBe(await leadsTo(greta, `/avatar/${carol.id}`));
  });

  test("K3: leads nobody to the picture of an address that is not theirs to read", async () => {
    const { alice, bob } = world;
    await uploadAvatar(alice);
    await alice.patch("/settings", { email_address_visibility: 4 });
    expect(await leadsTo(bob, `/avatar/${alice.email}`)).toContain("/generated/");
    expect(await leadsTo(alice, `/avatar/${alice.email}`)).toContain("version=2");
  });

  test("opens for people of the organization only", async () => {
    const { alice, anonymous, zoe } = world;
    await uploadAvatar(alice);
    expect(await leadsTo(anonymous, `/avatar/${alice.id}`)).toBe(401);
    const theirs = await leadsTo(zoe, `/avatar/${alice.id}`);
    expect(theirs === (await leadsTo(alice, `/avatar/${alice.id}`))).toBe(false);
  });
});
