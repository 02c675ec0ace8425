import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { operatorContext } from "../../src/core/operator";
import { roles } from "../../src/core/rights/role";
import { write } from "../../src/core/write";
import { createUser } from "../../src/management/accounts/create";
import { createRealm } from "../../src/management/organization/create";
import { applyOrganization } from "../../src/moving/organization/apply";
import { parseDeclaration } from "../../src/moving/organization/parse";
import { findRealmByHost } from "../../src/realm/queries";
import { issueApiKey } from "../../src/sign-in/api-keys";
import { makeWorld, Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const host = "new.example.com";

async function operatorOf() {
  const realm = await findRealmByHost(world.app.engine.reader, host);
  if (!realm) throw new Error(`there is no organization at ${host}`);
  return operatorContext(world.app, realm);
}

async function join(name: string, role: (typeof roles)[keyof typeof roles]): Promise<Person> {
  const operator = await operatorOf();
  const { id, email, fullName } = await createUser(operator, {
    email: `${name}@example.com`,
    fullName: name,
    role,
  });
  const { apiKey } = await issueApiKey(operator, id, "test");
  return new Person(world.site, host, id, email, fullName, apiKey);
}

const makeNew = () => createRealm(world.app, { name: "New", host }, world.clock.now());

const people = async () => ({
  nora: await join("nora", roles.owner),
  max: await join("max", roles.member),
});

const settingsOf = async (person: Person) => {
  const { state } = await person.register();
  return [
    state.realm_default_avatar_source,
    state.realm_gif_rating_policy,
    state.realm_send_channel_events_messages,
    state.realm_user_settings_defaults.email_address_visibility,
  ];
};

describe("A new organization", () => {
  test("asks Gravatar about nobody: its pictures are made and served here", async () => {
    await makeNew();
    const { nora, max } = await people();
    for (const client_gravatar of [true, false]) {
      const { members } = (await max.get("/users", { client_gravatar })).body;
      for (const { avatar_url } of members) expect(avatar_url).toStartWith("/user_avatars/");
    }
    const { avatar_url } = (await max.get(`/users/${nora.id}`)).body.user;
    const picture = await max.open(avatar_url);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(
      (
        await nora.post("/users", {
          email: "ida@example.com",
          full_name: "Ida",
          password: "correct-horse",
        })
      ).status,
    ).toBe(200);
    const { state } = await nora.register();
    expect(
      state.realm_users.filter(
        (one: { avatar_url: string | null }) => !one.avatar_url?.startsWith("/user_"),
      ),
    ).toEqual([]);
  });

  test("shows the addresses of its people to administrators, until they say otherwise", async () => {
    await makeNew();
    const { nora, max } = await people();
    const seen = async (by: Person, of: Person) => {
      const { email, delivery_email } = (await by.get(`/users/${of.id}`)).body.user;
      return [email, delivery_email];
    };
    expect(await seen(nora, max)).toEqual([max.email, max.email]);
    expect(await seen(max, nora)).toEqual([`user${nora.id}@${host}`, null]);
    expect(await seen(max, max)).toEqual([max.email, max.email]);
    await nora.patch("/settings", { email_address_visibility: 1 });
    expect(await seen(max, nora)).toEqual([nora.email, nora.email]);
  });

  test("has no notices of what happens to its channels, until an administrator wants them", async () => {
    await makeNew();
    const { nora } = await people();
    await nora.post("/users/me/subscriptions", { subscriptions: [{ name: "lunch" }] });
    const { stream_id } = (await nora.get("/get_stream_id", { stream: "lunch" })).body;
    const notices = async () => {
      const page = {
        anchor: "newest",
        num_before: 10,
        num_after: 0,
        narrow: [["channel", "lunch"]],
      };
      return (await nora.get("/messages", page)).body.messages.length;
    };
    await nora.patch(`/streams/${stream_id}`, { description: "Where and when" });
    expect(await notices()).toBe(0);
    expect((await nora.patch("/realm", { send_channel_events_messages: true })).status).toBe(200);
    await nora.patch(`/streams/${stream_id}`, { description: "Where, when and what" });
    expect(await notices()).toBe(1);
  });

  test("begins with the current defaults, and one of before keeps those that it had", async () => {
    const { id } = await makeNew();
    const { nora } = await people();
    expect(await settingsOf(nora)).toEqual(["J", 1, false, 3]);
    // As it was stored before there were other defaults for new ones.
    await write(await operatorOf(), async ({ db, t: { realms } }) => {
      await db
        .update(realms)
        .set({ settings: "{}", userDefaults: "{}" })
        .where(eq(realms.id, id))
        .returning();
    });
    expect(await settingsOf(nora)).toEqual(["G", 2, true, 1]);
  });
});

describe("An organization's file", () => {
  const apply = async (text: string) => {
    const declared = parseDeclaration({
      name: "org.yaml",
      text: `realm: {name: New, host: ${host}${text}}\nusers: [{email: nora@example.com, name: Nora, role: owner}]`,
    });
    const { changes } = await applyOrganization(world.app, declared);
    const operator = await operatorOf();
    const [nora] = await operator.reader.db
      .select()
      .from(operator.reader.t.users)
      .where(eq(operator.reader.t.users.email, "nora@example.com"));
    const { apiKey } = await issueApiKey(operator, nora?.id ?? 0, "test");
    return {
      changes: changes.flatMap(({ lines }) => lines),
      nora: new Person(world.site, host, nora?.id ?? 0, "nora@example.com", "Nora", apiKey),
    };
  };
  const older = `, settings: {default_avatar_source: G, gif_rating_policy: 2, send_channel_events_messages: true}, user_defaults: {email_address_visibility: 1}`;

  test("that says nothing of settings makes an organization with the current defaults, and changes nothing a second time", async () => {
    const { nora } = await apply("");
    expect(await settingsOf(nora)).toEqual(["J", 1, false, 3]);
    expect((await apply("")).changes).toEqual([]);
  });

  test("that declares the older defaults makes an organization with them, and changes nothing a second time", async () => {
    const { nora } = await apply(older);
    expect(await settingsOf(nora)).toEqual(["G", 2, true, 1]);
    expect((await apply(older)).changes).toEqual([]);
    expect((await apply("")).changes).toEqual([]);
    expect(await settingsOf(nora)).toEqual(["G", 2, true, 1]);
  });
});

test("An organization without a description is told of in the words of the protocol before anybody signs in", async () => {
  const { anonymous, olga } = world;
  const shown = async () => (await anonymous.get("/server_settings")).body.realm_description;
  expect(await shown()).toBe("<p>The coolest place in the universe.</p>");
  expect((await olga.register()).state.realm_description).toBe("");
  await olga.patch("/realm", { description: "We **cook**" });
  expect(await shown()).toBe("<p>We <strong>cook</strong></p>");
  await olga.patch("/realm", { description: "" });
  expect(await shown()).toBe("<p>The coolest place in the universe.</p>");
});
