import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { roles } from "../../src/core/rights/role";
import { createUser } from "../../src/management/accounts/create";
import { parseUserSettings } from "../../src/people/settings/user-settings";
import { type Answer, Client } from "../support/client";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { shapesOf } from "../support/groups";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const codeOf = ({ status, body }: Answer) => [status, body.code];
const refused = [400, "BAD_REQUEST"];
const unauthorized = [400, "UNAUTHORIZED_PRINCIPAL"];

describe("what new people start with", () => {
  test("are the organization's defaults and its language; those who are there keep theirs", async () => {
    const { olga, adam, alice } = world;
    const queue = await alice.register();
    await olga.patch("/realm", { default_language: "de" });
    await adam.patch("/realm/user_settings_defaults", { enter_sends: true, color_scheme: 2 });
    expect(
      shapesOf(await queue.events()).map(({ type, op, property }) => [type, op, property]),
    ).toEqual([
      ["realm", "update", "default_language"],
      ["realm_user_settings_defaults", "update", "default_language"],
      ["realm_user_settings_defaults", "update", "twenty_four_hour_time"],
      ["realm_user_settings_defaults", "update", "color_scheme"],
      ["realm_user_settings_defaults", "update", "enter_sends"],
    ]);
    const newcomer = {
      email: "nina@example.com",
      full_name: "Nina",
      password: "correct-horse-battery",
    };
    await adam.post("/users", newcomer);
    const fetched = await world.anonymous.post("/fetch_api_key", {
      username: newcomer.email,
      password: newcomer.password,
    });
    const nina = new Client(world.site, worldHost, {
      email: newcomer.email,
      apiKey: fetched.body.api_key,
    });
    const started = {
      default_language: "de",
      enter_sends: true,
      color_scheme: 2,
      enable_sounds: true,
    };
    const own = await nina.register({ fetch_event_types: ["user_settings"] });
    expect(own.state.user_settings).toMatchObject(started);
    const { state } = await alice.register({
      fetch_event_types: ["user_settings", "realm_user_settings_defaults"],
    });
    expect(state.user_settings).toMatchObject({
      default_language: "en",
      enter_sends: false,
      color_scheme: 1,
    });
    expect(state.realm_user_settings_defaults).toMatchObject(started);
    const other = await createUser(world.operator, {
      email: "noel@example.com",
      fullName: "Noel",
      role: roles.guest,
    });
    expect(JSON.parse(other.settings)).toEqual({
      default_language: "de",
      enter_sends: true,
      color_scheme: 2,
    });
    await verify(world, () =>
      adam.patch("/realm/user_settings_defaults", { twenty_four_hour_time: "null" }),
    );
  });

  test("count hours as in the organization's language, unless it chooses otherwise", async () => {
    const { olga, adam, alice } = world;
    const verifyNext = verifyInTurn(world);
    const of = async (name: string) => {
      const email = `${name}@example.com`;
      const user = await createUser(world.operator, { email, fullName: name, role: roles.member });
      return parseUserSettings(user.settings).twenty_four_hour_time;
    };
    const queue = await alice.register({ event_types: ["realm_user_settings_defaults"] });
    expect(await of("first")).toBe(false);
    await verifyNext(() => olga.patch("/realm", { default_language: "de" }));
    expect(await queue.events()).toMatchObject([
      { property: "default_language", value: "de" },
      { property: "twenty_four_hour_time", value: true },
    ]);
    expect(await of("second")).toBe(true);
    const path = "/realm/user_settings_defaults";
    await verifyNext(() => adam.patch(path, { twenty_four_hour_time: false }));
    expect(await queue.events()).toMatchObject([
      { property: "twenty_four_hour_time", value: false },
    ]);
    expect(await of("third")).toBe(false);
    await verifyNext(() => olga.patch("/realm", { default_language: "fr" }));
    expect(await queue.events()).toMatchObject([{ property: "default_language", value: "fr" }]);
    expect(await of("fourth")).toBe(false);
    expect((await alice.register()).state.user_settings.twenty_four_hour_time).toBe(false);
  });

  test("are audited where they are chosen as the language has them already", async () => {
    const { olga, adam, app } = world;
    await olga.patch("/realm", { default_language: "de" });
    const path = "/realm/user_settings_defaults";
    const queue = await adam.register({ event_types: ["realm_user_settings_defaults"] });
    const { auditLog } = app.engine.schema;
    const rows = () => app.engine.reader.db.select().from(auditLog).orderBy(auditLog.id);
    const earlier = (await rows()).length;
    const details = async () => {
      const added = (await rows()).slice(earlier);
      expect(new Set(added.map(({ action }) => action))).toEqual(
        new Set(["realm.update_defaults"]),
      );
      return added.map((row) => JSON.parse(row.details));
    };
    for (let count = 1; count <= 2; count += 1)
      await adam.patch(path, { twenty_four_hour_time: true, enter_sends: false });
    const chosen = {
      before: { twenty_four_hour_time: "default" },
      after: { twenty_four_hour_time: true },
    };
    expect(await details()).toEqual([chosen]);
    expect(await queue.events()).toEqual([]);
    await adam.patch(path, { enter_sends: true });
    await adam.patch(path, { enter_sends: false });
    expect(await details()).toEqual([
      chosen,
      { before: { enter_sends: "default" }, after: { enter_sends: true } },
      { before: { enter_sends: true }, after: { enter_sends: false } },
    ]);
  });

  test("are changed by administrators only, whole requests or nothing", async () => {
    const { olga, adam, mona, alice, greta, robot } = world;
    const queue = await alice.register();
    const path = "/realm/user_settings_defaults";
    for (const person of [mona, alice, greta, robot]) {
      expect(codeOf(await person.patch(path, { enter_sends: true }))).toEqual(unauthorized);
    }
    expect(codeOf(await olga.patch(path, { enter_sends: true, emojiset: "bogus" }))).toEqual(
      refused,
    );
    const personal = {
      default_language: "de",
      enable_login_emails: false,
      timezone: "Europe/Berlin",
    };
    expect((await adam.patch(path, personal)).body.ignored_parameters_unsupported.sort()).toEqual(
      Object.keys(personal).sort(),
    );
    expect((await adam.patch(path)).body).toEqual({ result: "success", msg: "" });
    expect(await queue.events()).toEqual([]);
  });
});
