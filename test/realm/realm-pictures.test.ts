import { afterEach, beforeEach, expect, test } from "bun:test";
import { verify } from "../support/client-state/verify";
import { open, storedFiles } from "../support/files";
import { hear, listen, refusal } from "../support/listening";
import { bombPng, emojiForm, paint, secretPlace, staticPng } from "../support/pictures";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const realmOnly = { event_types: ["realm"] };
const upload = (
  person: Person,
  path: string,
  picture: string | Uint8Array<ArrayBuffer> = staticPng,
  night?: string,
) => {
  const form = emojiForm(picture, "ours.png");
  if (night !== undefined) form.append("night", night);
  return person.ask("POST", path, {}, { body: form });
};
const stateOf = async (person: Person) =>
  (await person.register({ fetch_event_types: ["realm"] })).state;
const sizeAt = async (url: string) => {
  const bytes = await (await open(world.anonymous, url)).arrayBuffer();
  const { width, height, format } = await new Bun.Image(bytes).metadata();
  return `${width}×${height} ${format}`;
};
const leadsTo = async (person: Person, path: string) => {
  const response = await person.open(`/api/v1${path}`, { redirect: "manual" });
  return [response.status, response.headers.get("location")];
};

test("An icon is there for everybody, before they sign in too; nobody elsewhere hears of it", async () => {
  const { olga, alice, greta, zoe, anonymous } = world;
  const before = await stateOf(alice);
  expect(before.realm_icon_source).toBe("G");
  expect(await sizeAt(before.realm_icon_url)).toBe("100×100 png");
  const queues = await listen({ alice, greta, zoe }, realmOnly);
  const { status, body } = await upload(
    olga,
    "/realm/icon",
    paint(300, 400, () => [0, 90, 200]),
  );
  expect([status, typeof body.icon_url]).toEqual([200, "string"]);
  const { icon_url } = body;
  const told = [{ op: "update_dict", property: "icon", data: { icon_url, icon_source: "U" } }];
  const heard = await hear(queues, ({ op, property, data }) => ({ op, property, data }));
  expect(heard).toEqual({ alice: told, greta: told, zoe: [] });
  expect(await stateOf(alice)).toMatchObject({ realm_icon_url: icon_url, realm_icon_source: "U" });
  expect((await anonymous.get("/server_settings")).body.realm_icon).toBe(icon_url);
  expect(await leadsTo(greta, "/realm/icon")).toEqual([302, icon_url]);
  const response = await open(anonymous, icon_url);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(response.headers.get("cache-control")).toContain("immutable");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("content-security-policy")).toContain("sandbox");
  expect(Buffer.from(await response.arrayBuffer()).includes(secretPlace)).toBe(false);
  expect(await sizeAt(icon_url)).toBe("200×200 png");
  expect((await open(zoe, icon_url)).status).toBe(404);
});

test("Logos are two, for light and for dark screens", async () => {
  const { adam, alice, zoe } = world;
  expect(await stateOf(alice)).toMatchObject({
    realm_logo_source: "D",
    realm_night_logo_source: "D",
  });
  const standard = await open(world.anonymous, (await stateOf(alice)).realm_logo_url);
  expect([standard.status, standard.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  const queues = await listen({ alice, zoe }, realmOnly);
  expect(
    (
      await upload(
        adam,
        "/realm/logo",
        paint(1_600, 100, () => [9, 9, 9]),
        "false",
      )
    ).status,
  ).toBe(200);
  expect(
    (
      await upload(
        adam,
        "/realm/logo?night=true",
        paint(50, 200, () => [9, 9, 9]),
      )
    ).status,
  ).toBe(200);
  const { realm_logo_url, realm_night_logo_url, ...state } = await stateOf(alice);
  expect(state).toMatchObject({ realm_logo_source: "U", realm_night_logo_source: "U" });
  expect(await hear(queues, ({ property, data }) => ({ property, data }))).toEqual({
    alice: [
      { property: "logo", data: { logo_url: realm_logo_url, logo_source: "U" } },
      {
        property: "night_logo",
        data: { night_logo_url: realm_night_logo_url, night_logo_source: "U" },
      },
    ],
    zoe: [],
  });
  expect([await sizeAt(realm_logo_url), await sizeAt(realm_night_logo_url)]).toEqual([
    "800×50 png",
    "25×100 png",
  ]);
  expect(await leadsTo(alice, "/realm/logo?night=false")).toEqual([302, realm_logo_url]);
  expect(await leadsTo(alice, "/realm/logo?night=true")).toEqual([302, realm_night_logo_url]);
  expect((await adam.delete("/realm/logo", { night: false })).status).toBe(200);
  expect(await stateOf(alice)).toMatchObject({ realm_logo_source: "D", realm_night_logo_url });
  expect((await open(world.anonymous, realm_logo_url)).status).toBe(404);
  expect(refusal(await adam.delete("/realm/logo"))).toBe("400 REQUEST_VARIABLE_MISSING");
  expect(refusal(await upload(adam, "/realm/logo", staticPng, "perhaps"))).toBe("400 BAD_REQUEST");
});

test("A picture that is replaced or removed is gone; removing what is not there tells nobody", async () => {
  const { olga, alice } = world;
  const first = (await upload(olga, "/realm/icon")).body.icon_url;
  const second = (await upload(olga, "/realm/icon")).body.icon_url;
  expect((await open(world.anonymous, first)).status).toBe(404);
  expect(storedFiles(world)).toHaveLength(1);
  const queue = await alice.register(realmOnly);
  const { icon_url } = (await olga.delete("/realm/icon")).body;
  expect(await queue.events()).toMatchObject([{ data: { icon_url, icon_source: "G" } }]);
  expect([(await open(world.anonymous, second)).status, storedFiles(world)]).toEqual([404, []]);
  expect((await olga.delete("/realm/icon")).body.icon_url).toBe(icon_url);
  expect(await queue.events()).toEqual([]);
});

test("Only administrators change them (D8, E11), and only pictures of a moderate size are taken (H8, F4)", async () => {
  const { olga, alice, mona, greta, robot, zoe } = world;
  const queues = await listen({ olga, zoe }, realmOnly);
  for (const person of [alice, mona, greta, robot]) {
    for (const path of ["/realm/icon", "/realm/logo?night=true"]) {
      expect(refusal(await upload(person, path))).toBe("400 UNAUTHORIZED_PRINCIPAL");
      expect(refusal(await person.delete(path))).toBe("400 UNAUTHORIZED_PRINCIPAL");
    }
  }
  for (const file of ["no image", "<svg/>", bombPng(), staticPng.slice(0, 60)]) {
    expect(refusal(await upload(olga, "/realm/icon", file))).toBe("400 BAD_IMAGE");
    expect(refusal(await upload(olga, "/realm/logo?night=true", file))).toBe("400 BAD_IMAGE");
  }
  expect(refusal(await upload(olga, "/realm/icon", new Uint8Array(5 * 1_048_576 + 1)))).toBe(
    "400 BAD_REQUEST",
  );
  expect(refusal(await olga.post("/realm/icon"))).toBe("400 BAD_REQUEST");
  expect(await hear(queues, ({ type }) => type)).toEqual({ olga: [], zoe: [] });
  expect(storedFiles(world)).toEqual([]);
});

test("They can be told from state and events by everybody", async () => {
  const { olga, adam } = world;
  await verify(world, async () => {
    await upload(olga, "/realm/icon");
    await upload(adam, "/realm/logo", staticPng, "true");
    await upload(adam, "/realm/logo", staticPng, "false");
    await olga.delete("/realm/logo", { night: true });
  });
});

test("How large they may be is the operator's to say", async () => {
  await world.close();
  world = await makeWorld({
    max_icon_file_size_mib: "1",
    max_avatar_file_size_mib: "2",
    max_logo_file_size_mib: "0",
  });
  const { olga } = world;
  expect(await stateOf(olga)).toMatchObject({
    max_icon_file_size_mib: 1,
    max_avatar_file_size_mib: 2,
    max_logo_file_size_mib: 0,
  });
  expect(refusal(await upload(olga, "/realm/icon", new Uint8Array(1_048_577)))).toBe(
    "400 BAD_REQUEST",
  );
  expect(refusal(await upload(olga, "/realm/logo?night=false"))).toBe("400 BAD_REQUEST");
  expect((await upload(olga, "/realm/icon")).status).toBe(200);
});
