import { describe, expect, test } from "bun:test";
import { Client } from "../support/client";
import { chatd, clientOf, mustChatd, places, serve, sqlite } from "./chatd";

describe.each(places)("the commands about an organization on $engine", ({ provisioned }) => {
  test("show it, change it, end it and bring it back", async () => {
    const { place } = await provisioned();
    const admin = async (...args: string[]) =>
      (await mustChatd(["admin", "realm", ...args, "--json", ...place])).json();
    const before = await admin("show");
    expect(before).toMatchObject({
      realm: { name: "Acme", host: "localhost", is_active: true, deletion_at: null },
      settings: {
        invite_required: true,
        can_create_groups: "role:members",
        message_retention_days: -1,
      },
    });
    const { changed } = await admin(
      "update",
      "name=Acme Ltd",
      "description=5",
      "invite_required=false",
      "message_retention_days=30",
      "message_content_edit_limit_seconds=unlimited",
      "signup_announcements_stream_id=general",
      "can_create_groups=role:moderators,alice@example.com",
      "can_manage_all_groups=role:administrators",
    );
    expect(changed).toMatchObject({
      name: "Acme Ltd",
      description: "5",
      invite_required: false,
      message_retention_days: 30,
      message_content_edit_limit_seconds: null,
      signup_announcements_stream_id: expect.any(Number),
      can_create_groups: {
        direct_members: [expect.any(Number)],
        direct_subgroups: [expect.any(Number)],
      },
    });
    expect(
      (await admin("update", "invite_required=false", "signup_announcements_stream_id=none"))
        .changed,
    ).toEqual({
      signup_announcements_stream_id: -1,
    });
    expect(await admin("show")).toMatchObject({
      realm: { name: "Acme Ltd" },
      settings: { description: "5", can_manage_all_groups: "role:administrators" },
    });
    const plain = await mustChatd(["admin", "realm", "show", ...place]);
    expect(plain.stdout).toMatch(/^invite_required +false$/m);
    expect(plain.stdout).toMatch(/^files +0\.0 MiB of 10240 MiB$/m);
    expect((await admin("deactivate", "--delete-after-days", "30", "--yes")).realm).toMatchObject({
      is_active: false,
      deletion_at: expect.any(Number),
    });
    expect((await mustChatd(["admin", "realm", "list", ...place])).stdout).toContain(
      "deactivated, deleted at 20",
    );
    expect((await admin("reactivate")).realm).toMatchObject({ is_active: true, deletion_at: null });
  });

  test("show permissions and channels by the names that they were given by", async () => {
    const { place } = await provisioned();
    const admin = async (...args: string[]) =>
      (await mustChatd(["admin", ...args, ...place])).stdout;
    const given = [
      "can_create_groups=devs,bob@example.com",
      "can_create_bots_group=alice@example.com",
      "can_manage_all_groups=role:administrators",
      "can_invite_users_group=role:nobody",
      "signup_announcements_stream_id=general",
      "new_stream_announcements_stream_id=none",
    ];
    const lines = (await admin("realm", "update", ...given)).split("\n");
    expect(lines).toContain("can_create_groups is now devs,bob@example.com.");
    expect(lines).toContain("can_create_bots_group is now alice@example.com.");
    expect(lines).toContain("can_manage_all_groups is now role:administrators.");
    expect(lines).toContain("can_invite_users_group is now role:nobody.");
    expect(lines).toContain("signup_announcements_stream_id is now general.");
    const shown = await admin("realm", "show");
    for (const [name, value] of given.map((one) => one.split("=")))
      expect(shown).toMatch(new RegExp(`^${name} +${value}$`, "m"));
    expect(shown).toMatch(/^zulip_update_announcements_stream_id +none$/m);

    await admin("user", "deactivate", "alice@example.com", "--yes");
    expect(await admin("realm", "show")).toMatch(/^can_create_bots_group +role:nobody$/m);
    const { settings } = JSON.parse(await admin("realm", "show", "--json"));
    expect(settings).toMatchObject({
      can_create_bots_group: { direct_members: [expect.any(Number)], direct_subgroups: [] },
      signup_announcements_stream_id: expect.any(Number),
      new_stream_announcements_stream_id: -1,
    });
  });

  test("show and change what new people start with, which those who are connected hear of", async () => {
    const { place, credentials } = await provisioned();
    const server = await serve(place);
    const alice = clientOf(server.site, credentials, "alice");
    const queue = await alice.register({ event_types: ["realm_user_settings_defaults"] });
    const change = queue.next();
    const defaults = async (...args: string[]) =>
      (await mustChatd(["admin", "realm", "defaults", ...args, "--json", ...place])).json();
    const before = (await defaults()).defaults;
    expect(before).toMatchObject({
      enter_sends: false,
      color_scheme: 1,
      notification_sound: "zulip",
    });
    const chosen = {
      enter_sends: true,
      color_scheme: 2,
      notification_sound: "ding",
      twenty_four_hour_time: null,
    };
    const after = await defaults(
      ...Object.entries(chosen).map(([name, value]) => `${name}=${value}`),
    );
    expect(after.defaults).toEqual({ ...before, ...chosen });
    expect((await change).map(({ property, value }) => [property, value])).toEqual(
      Object.entries(chosen),
    );
    await mustChatd([
      "admin",
      "user",
      "add",
      "nina@example.com",
      "--name",
      "Nina",
      "--role",
      "member",
      ...place,
    ]);
    const key = (
      await mustChatd(["admin", "api-key", "issue", "nina@example.com", "--json", ...place])
    ).json();
    const nina = new Client(server.site, "localhost", {
      email: "nina@example.com",
      apiKey: key.api_key,
    });
    const { state } = await nina.register({
      fetch_event_types: ["user_settings", "realm_user_settings_defaults"],
    });
    expect(state).toMatchObject({ user_settings: chosen, realm_user_settings_defaults: chosen });
    const shown = await mustChatd(["admin", "realm", "defaults", ...place]);
    expect(shown.stdout).toMatch(/^notification_sound +ding$/m);
    const refused: [string, string, number][] = [
      ["color_scheme=9", "color_scheme", 1],
      ["default_language=de", "default_language", 1],
      ["enable_login_emails=false", "enable_login_emails", 1],
      ["colour=blue", "colour", 1],
      ["enter_sends", "Write SETTING=VALUE instead of 'enter_sends'", 2],
    ];
    for (const [assignment, why, expected] of refused) {
      const { code, stderr } = await chatd([
        "admin",
        "realm",
        "defaults",
        "enter_sends=false",
        assignment,
        ...place,
      ]);
      expect([assignment, code, stderr]).toEqual([
        assignment,
        expected,
        expect.stringContaining(why),
      ]);
    }
    expect((await defaults()).defaults).toEqual(after.defaults);
  });

  test("reach those who are connected to a running server at once", async () => {
    const { place, credentials } = await provisioned();
    const server = await serve(place);
    const alice = clientOf(server.site, credentials, "alice");
    const queue = await alice.register({ event_types: ["realm"] });
    const change = queue.next();
    await mustChatd(["admin", "realm", "update", "name=Acme Ltd", ...place]);
    expect(await change).toMatchObject([
      { type: "realm", op: "update", property: "name", value: "Acme Ltd" },
    ]);
    const end = queue.next();
    await mustChatd(["admin", "realm", "deactivate", "--yes", ...place]);
    expect(await end).toMatchObject([{ type: "realm", op: "deactivated" }]);
    expect((await alice.get("/users/me")).body.code).toBe("REALM_DEACTIVATED");
    const withoutName = new Client(server.site, "10.0.0.1", alice.credentials);
    expect((await withoutName.get("/users/me")).body.code).toBe("REALM_DEACTIVATED");
    await mustChatd(["admin", "realm", "reactivate", ...place]);
    expect((await alice.get("/users/me")).status).toBe(200);
    await server.kill();
  });
});

test("the commands about an organization refuse what cannot be, and change nothing then", async () => {
  const { place } = await sqlite.provisioned();
  const before = await mustChatd(["admin", "realm", "show", ...place]);
  const refused: [string[], string][] = [
    [["update", "colour=blue"], "There is no setting 'colour'"],
    [["update", "inviterequired=true"], "Did you mean 'invite_required'?"],
    [["defaults", "entersends=true"], "Did you mean 'enter_sends'?"],
    [
      ["update", "description=half", "digest_weekday=9"],
      "digest_weekday must be a whole number from 0 to 6",
    ],
    [["update", "name="], "must not be empty"],
    [["update", "can_create_groups=role:internet"], "cannot be role:internet"],
    [["update", "can_create_groups=nobody@example.com"], "Nobody in Acme"],
    [["update", "signup_announcements_stream_id=nowhere"], "no channel 'nowhere'"],
    [["deactivate", "--delete-after-days", "3", "--yes"], "must be kept for at least 14 days"],
    [["reactivate"], "Acme is active"],
  ];
  const outcomes = await Promise.all(
    refused.map(([args]) => chatd(["admin", "realm", ...args, ...place])),
  );
  expect(outcomes.map(({ code, stdout }) => [code, stdout])).toEqual(refused.map(() => [1, ""]));
  for (const [index, [, why]] of refused.entries()) expect(outcomes[index]?.stderr).toContain(why);
  expect((await mustChatd(["admin", "realm", "show", ...place])).stdout).toBe(before.stdout);
  expect((await chatd(["admin", "realm", "update", ...place])).code).toBe(2);
});
