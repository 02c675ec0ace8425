import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createWriteStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { eq } from "drizzle-orm";
import { pack } from "tar-stream";
import { importFile } from "../../src/moving/import/import-file";
import { unpackTar } from "../../src/moving/import/tarball";
import { backupFolder } from "../support/archives/backups";
import { exportedRealm, writeReferenceExport } from "../support/archives/reference-export";
import { importedHost, importReference } from "../support/archives/reference-import";
import { keptThings } from "../support/archives/reference-kept";
import type { Client } from "../support/client";
import { outcomeOf } from "../support/outcome";
import { makeWorld } from "../support/world";

const { folder, remove } = backupFolder();
afterAll(remove);

let made = 0;
const nextPath = () => join(folder, `${made++}.tar.gz`);

type Row = Record<string, unknown>;

async function readAll(person: Client | undefined, asSource = true): Promise<Row[]> {
  const page = {
    anchor: "oldest",
    num_before: 0,
    num_after: 1000,
    narrow: [],
    apply_markdown: !asSource,
  };
  return (await person?.get("/messages", page))?.body.messages;
}

const imported = (more: Record<string, unknown> = {}) => importReference(nextPath(), more);

const idOf = (state: Record<string, Row[]>, name: string): number =>
  Number(
    [...(state["realm_users"] ?? []), ...(state["realm_non_active_users"] ?? [])].find(
      (one) => one["full_name"] === name,
    )?.["user_id"],
  );

describe("an export of the reference server that was imported", () => {
  /** The usual export, which tests only look at. */
  let usual: Awaited<ReturnType<typeof imported>>;
  beforeAll(async () => {
    usual = await imported();
  });
  afterAll(() => usual.world.close());

  test("has its people, groups and settings", async () => {
    const { state } = usual;
    const shown = (one: Row) => [
      one["full_name"],
      one["role"],
      one["is_bot"],
      one["is_imported_stub"],
    ];
    expect(state.realm_users.filter((one: Row) => !one["is_system_bot"]).map(shown)).toEqual([
      ["Ann", 100, false, true],
      ["Ben", 400, false, true],
      ["Dot", 400, false, true],
      ["Helper", 400, true, true],
    ]);
    expect(state.realm_non_active_users.map(shown)).toEqual([["Cid", 600, false, true]]);
    const helper = state.realm_users.find((one: Row) => one["full_name"] === "Helper");
    expect(helper.bot_type).toBe(2);
    const groups = state.realm_user_groups.filter((one: Row) => !one["is_system_group"]);
    expect(
      groups.map(({ name, members, direct_subgroup_ids }: Row) => [
        name,
        members,
        direct_subgroup_ids,
      ]),
    ).toEqual([
      ["cooks", [idOf(state, "Ann"), idOf(state, "Ben")], []],
      ["kitchen", [], [groups[0].id]],
    ]);
    const moderators = state.realm_user_groups.find(({ name }: Row) => name === "role:moderators");
    expect(state).toMatchObject({
      realm_name: "There",
      realm_description: "from there",
      realm_waiting_period_threshold: 7,
      realm_topics_policy: "disable_empty_topic",
      realm_invite_required: false,
      realm_can_create_groups: moderators.id,
      realm_can_create_public_channel_group: {
        direct_members: [idOf(state, "Ben")],
        direct_subgroups: [],
      },
      realm_domains: [{ domain: "example.com", allow_subdomains: true }],
      user_settings: {
        twenty_four_hour_time: true,
        color_scheme: 2,
        email_address_visibility: 1,
        resolved_topic_notice_auto_read_policy: "always",
      },
      realm_user_settings_defaults: {
        email_address_visibility: 4,
        enter_sends: true,
        color_scheme: 1,
      },
      realm_default_avatar_source: "G",
      realm_gif_rating_policy: 2,
      realm_send_channel_events_messages: true,
    });
    expect(state.realm_linkifiers.map(({ pattern }: Row) => pattern)).toEqual(["#(?P<id>[0-9]+)"]);
    expect(state.realm_playgrounds.map(({ name }: Row) => name)).toEqual(["Try"]);
    expect(state.custom_profile_fields.map(({ name }: Row) => name)).toEqual(["Food", "Friends"]);
    const ann = state.realm_users.find((one: Row) => one["full_name"] === "Ann");
    const told = Object.values(ann.profile_data).map((one) => (one as Row)["value"]);
    expect(told).toEqual(["soup", JSON.stringify([idOf(state, "Ben"), idOf(state, "Dot")])]);
  });

  test("has profile fields and linkifiers in their order, with all that they were given", async () => {
    const field = { hint: "", field_data: "", field_type: 1 };
    const linkifier = { reverse_template: null, example_input: null };
    const { world, person, state } = await imported({
      "realm.json": {
        ...exportedRealm,
        zerver_customprofilefield: [
          { ...field, id: 81, name: "Last", order: 2 },
          { ...field, id: 82, name: "First", order: 1 },
        ],
        zerver_customprofilefieldvalue: [{ user_profile: 11, field: 82, value: "**soup**" }],
        zerver_realmfilter: [
          {
            ...linkifier,
            id: 1,
            pattern: "T(?P<id>[0-9]+)",
            url_template: "https://t/{id}",
            order: 1,
          },
          {
            id: 2,
            pattern: "#(?P<id>[0-9]+)",
            url_template: "https://n.example.com/{id}",
            reverse_template: "#{id}",
            example_input: "#12",
            alternative_url_templates: ["https://m.example.com/{id}"],
            order: 0,
          },
        ],
      },
    });
    expect(state.custom_profile_fields.map(({ name }: Row) => name)).toEqual(["First", "Last"]);
    const { profile_data } = (await person("ann")?.get("/users/me"))?.body ?? {};
    expect(Object.values(profile_data)).toEqual([
      { value: "**soup**", rendered_value: "<p><strong>soup</strong></p>" },
    ]);
    expect(state.realm_linkifiers).toMatchObject([
      {
        pattern: "#(?P<id>[0-9]+)",
        reverse_template: "#{id}",
        example_input: "#12",
        alternative_url_templates: ["https://m.example.com/{id}"],
      },
      { pattern: "T(?P<id>[0-9]+)", reverse_template: null },
    ]);
    await world.close();
  });

  test("has its channels and who is in them", async () => {
    const { person, state } = usual;
    const shown = state.streams.map((one: Row) => [
      one["name"],
      one["invite_only"],
      one["history_public_to_subscribers"],
    ]);
    expect(shown.toSorted()).toEqual([
      ["cellar", true, false],
      ["general", false, true],
    ]);
    const general = state.streams.find(({ name }: Row) => name === "general");
    const cooks = state.realm_user_groups.find(({ name }: Row) => name === "cooks");
    expect(general).toMatchObject({
      can_administer_channel_group: cooks.id,
      topics_policy: "allow_empty_topic",
      description: "about general",
    });
    const ben = (await person("ben")?.register())?.state;
    const own = ben.subscriptions.map(({ name, color, is_muted }: Row) => [name, color, is_muted]);
    expect(own.toSorted()).toEqual([
      ["cellar", "#c2c2c2", false],
      ["general", "#ff0000", true],
    ]);
    expect(ben.user_topics).toMatchObject([{ topic_name: "soup", visibility_policy: 3 }]);
    expect(ben.muted_users).toMatchObject([{ id: idOf(state, "Dot") }]);
    expect(ben.alert_words).toEqual(["Leek"]);
  });

  test("has people's statuses, presence, views, and messages that are to be sent", async () => {
    const { person, state } = usual;
    const [ben, ann] = [idOf(state, "Ben"), idOf(state, "Ann")];
    const own = (await person("ben")?.register())?.state;
    const general = own.subscriptions.find(({ name }: Row) => name === "general").stream_id;
    const tuffy = Object.values(own.realm_emoji as Record<string, Row>).find(
      ({ name }) => name === "tuffy",
    );
    expect(own.user_status).toEqual({
      [ben]: {
        status_text: "in the kitchen",
        emoji_name: "tuffy",
        emoji_code: String(tuffy?.["id"]),
        reaction_type: "realm_emoji",
      },
    });
    expect(
      own.navigation_views.toSorted((a: Row, b: Row) => (a["name"] ? 1 : b["name"] ? -1 : 0)),
    ).toMatchObject([
      { fragment: "inbox", is_pinned: false },
      { fragment: `narrow/channel/${general}-general`, is_pinned: true, name: "Kitchen" },
    ]);
    const steps = own.onboarding_steps.map(({ name }: Row) => name);
    expect(steps).not.toContain("intro_inbox_view_modal");
    const shown = own.scheduled_messages.map(
      ({ type, to, topic, content, rendered_content, failed }: Row) => [
        type,
        to,
        topic ?? "",
        content,
        rendered_content,
        failed,
      ],
    );
    expect(
      shown.toSorted((a: Row[], b: Row[]) => String(a[3]).localeCompare(String(b[3]))),
    ).toEqual([
      ["stream", general, "later", "in *time*", "<p>in <em>time</em></p>", false],
      ["private", [ann], "", "to Ann", "<p>to Ann</p>", false],
      ["stream", general, "later", "too late", "<p>too late</p>", true],
    ]);
    const { presence } = (await person("ann")?.get(`/users/${ben}/presence`))?.body ?? {};
    expect(presence.aggregated.timestamp).toBe(1_600_000_600);
  });

  test("has topics and names of views that are too long, cut between characters", async () => {
    const long = `a${"🥕".repeat(120)}`;
    const [scheduled] = keptThings.zerver_scheduledmessage;
    const [view] = keptThings.zerver_navigationview;
    const { world, person } = await imported({
      "realm.json": {
        ...exportedRealm,
        zerver_scheduledmessage: [40, 120].map((count) => ({
          ...scheduled,
          id: count,
          subject: [...long].slice(0, count + 1).join(""),
        })),
        zerver_navigationview: [{ ...view, name: long }],
      },
    });
    const { state } = (await person("ben")?.register()) ?? { state: {} };
    const topics = state.scheduled_messages.map(({ topic }: Row) => topic);
    expect(topics).toEqual([`a${"🥕".repeat(40)}`, `a${"🥕".repeat(59)}`]);
    expect(state.navigation_views).toMatchObject([{ name: `a${"🥕".repeat(99)}` }]);
    await world.close();
  });

  test.each([
    [null, null],
    [false, undefined],
    [true, true],
  ])("counts hours as it chose for new people there: %p is %p", async (there, here) => {
    const { world } = await imported({
      "realm.json": {
        ...exportedRealm,
        zerver_realmuserdefault: [{ twenty_four_hour_time: there }],
      },
    });
    const { realms } = world.app.engine.schema;
    const { db } = world.app.engine.reader;
    const [row] = await db.select().from(realms).where(eq(realms.host, importedHost));
    expect(JSON.parse(row?.userDefaults ?? "").twenty_four_hour_time).toBe(here);
    await world.close();
  });

  test("has its messages as Markdown, rendered by us, with ids of its own", async () => {
    const { person, state } = usual;
    const sources = await readAll(person("ann"));
    const html = await readAll(person("ann"), false);
    const [ben, ann] = [idOf(state, "Ben"), idOf(state, "Ann")];
    const general = state.streams.find(({ name }: Row) => name === "general").stream_id;
    const first = sources[0]?.["id"];
    const file = /\/user_uploads\/[^)]+/.exec(String(sources[0]?.["content"]))?.[0] ?? "";
    expect(sources.slice(0, 2).map(({ content }) => content)).toEqual([
      `@**Ben|${ben}** @*cooks* see [menu](${file}) #12 :tuffy: #**general>soup**`,
      `@_**Ann|${ann}** [said](http://${importedHost}/#narrow/channel/${general}-general/topic/soup/near/${first}):\n\`\`\`quote\nhi\n\`\`\``,
    ]);
    const shown = String(html[0]?.["content"]);
    expect(shown).toContain(`<span class="user-mention" data-user-id="${ben}">@Ben</span>`);
    expect(shown).toContain('class="user-group-mention"');
    expect(shown).toContain('href="https://tickets.example.com/12"');
    expect(shown).toContain('class="emoji"');
    expect(shown).toContain(`data-stream-id="${general}"`);
    expect(JSON.stringify(html)).not.toContain("script");
    const lost = html.find(({ content }) => String(content).includes("lost"));
    expect(lost?.["content"]).toBe(
      '<p>after Ben came <a href="/user_uploads/2/zz/lost.png">lost</a></p>',
    );
    expect(await (await person("dot")?.open(file))?.text()).toBe("leek soup");
    expect(sources[0]?.["timestamp"]).toBe(1_600_001_101);
    expect(sources.find(({ content }) => content === "a notice")?.["sender_full_name"]).toBe(
      "Notification Bot",
    );
    const emoji = /src="(\/user_avatars[^"]+)"/.exec(shown)?.[1] ?? "";
    expect((await person("ann")?.open(emoji))?.headers.get("content-type")).toBe("image/png");
    const avatar = String((await person("ann")?.get("/users/me"))?.body.avatar_url);
    expect((await person("ann")?.open(avatar))?.headers.get("content-type")).toBe("image/png");
  });

  test("shows everybody what they could read there, with their flags and reactions", async () => {
    const { person } = usual;
    const seen = async (name: string) =>
      (await readAll(person(name))).map(({ subject, content, flags }) => [
        subject,
        String(content).slice(0, 16),
        (flags as string[]).filter((flag) => flag !== "historical").join(" "),
      ]);
    const own = await seen("ben");
    expect(own.map(([, content]) => String(content).replace(/\W.*/s, ""))).toEqual([
      "",
      "",
      "after",
      "a",
      "only",
      "three",
    ]);
    expect(own.map(([, , flags]) => flags)).toEqual([
      "mentioned",
      "read",
      "",
      "read",
      "read",
      "read",
    ]);
    expect((await seen("ann")).map(([, , flags]) => flags)).toContain("read starred");
    expect((await seen("dot")).map(([, content]) => content)).not.toContain("after Ben came");
    const [first] = await readAll(person("ann"));
    const emoji = ((first?.["reactions"] ?? []) as Row[]).map(({ emoji_name, reaction_type }) => [
      emoji_name,
      reaction_type,
    ]);
    expect(emoji).toEqual([
      ["smile", "unicode_emoji"],
      ["tuffy", "realm_emoji"],
      ["folded_hands", "unicode_emoji"],
      ["zulip", "service_extra_emoji"],
    ]);
  });

  test("knows how messages were before", async () => {
    const { person } = usual;
    const changed = (await readAll(person("ann")))[1];
    const { message_history } =
      (await person("ann")?.get(`/messages/${changed?.["id"]}/history`))?.body ?? {};
    expect(message_history.map((one: Row) => [one["topic"], one["content"]]).slice(0, 1)).toEqual([
      ["stew", "first **words**"],
    ]);
    expect(JSON.stringify(message_history)).toContain("<p>first <strong>words</strong></p>");
    expect(changed).toMatchObject({ last_edit_timestamp: 1_600_001_500 });
  });

  test("H12: lacks what is malformed and nothing else, and the report says of each why", async () => {
    const { report } = usual;
    expect(report.skipped).toEqual({
      "zerver_realmemoji: have no picture": 1,
      "zerver_realmfilter: Bad regular expression: missing ]: [": 1,
      "zerver_attachment: are not in the file": 1,
      "zerver_message: have an unknown sender": 1,
      "zerver_message: have an unknown channel or conversation": 1,
      "zerver_message: have no content": 1,
      "zerver_userstatus: have an unknown emoji or person": 2,
      "zerver_userpresence: belong to an unknown person": 1,
      "zerver_navigationview: have an unknown person, or an address that is empty or too long": 2,
      "zerver_onboardingstep: have an unknown person or name": 1,
      "zerver_scheduledmessage: are reminders": 1,
      "zerver_scheduledmessage: have an unknown sender, an unknown place or no text": 1,
      "zerver_service: belong to bots with a service, whose tokens no archive contains": 1,
      "zerver_reaction: have an unknown emoji, message or person": 1,
    });
  });

  test("adds nothing when it is repeated, nothing when it is only tried", async () => {
    const { world, take, report } = usual;
    const { messages, realms } = world.app.engine.schema;
    const { db } = world.app.engine.reader;
    const count = async () => (await db.select().from(messages)).length;
    const before = await count();
    expect(await take()).toMatchObject({ wasThere: true });
    const elsewhere = "dry.example.org";
    const dry = await take({ host: elsewhere, isDry: true });
    expect([dry.realm, dry.rows, dry.skipped]).toEqual([undefined, report.rows, report.skipped]);
    expect((await db.select().from(realms)).map((realm) => realm.host)).not.toContain(elsewhere);
    expect(await count()).toBe(before);
    expect(
      readdirSync(world.place.dataFolder).filter((name) => name.startsWith("importing-")),
    ).toEqual([]);
  });
});

describe("a tarball that was made to do harm", () => {
  test("G8, G9: names in it are no paths", async () => {
    const { world } = await imported({
      "../../../../tmp/escaped": "x",
      "/tmp/escaped": "x",
      "uploads/../../escaped": "x",
    });
    expect([
      existsSync("/tmp/escaped"),
      existsSync(join(world.place.dataFolder, "escaped")),
    ]).toEqual([false, false]);
    await world.close();
  });

  test("H9: is bounded in what it unpacks to, and in how many entries it has", async () => {
    const path = nextPath();
    writeReferenceExport(path, { "big.json": "a".repeat(40_000_000) });
    const limits = { entriesMax: 1_000, bytesMax: 5_000_000, entryBytesMax: 1_000_000 };
    const into = () => join(folder, `unpacked-${made++}`);
    expect(await outcomeOf(unpackTar(path, into(), limits))).toThrow("larger than any export");
    expect(await outcomeOf(unpackTar(path, into(), { ...limits, entriesMax: 2 }))).toThrow(
      "larger than any export",
    );
    expect(readdirSync(folder).filter((name) => name.startsWith("unpacked"))).toEqual([]);
  });

  test("is read whatever its names are, and refused where it is cut off", async () => {
    const archive = pack();
    const name = `uploads/${"long/".repeat(60)}ünï.txt`;
    archive.entry({ name: `export-1/${name}` }, "content");
    archive.entry({ name: "export-1/link", type: "symlink", linkname: "/etc/passwd" });
    archive.finalize();
    const path = nextPath();
    await pipeline(archive, createWriteStream(path));
    const files = await unpackTar(path, join(folder, `read-${made++}`));
    expect([...files.names]).toEqual([name]);
    expect(readFileSync(files.path(name) ?? "", "utf8")).toBe("content");
    await Bun.write(path, readFileSync(path).subarray(0, 1_000));
    expect(await outcomeOf(unpackTar(path, join(folder, `read-${made++}`)))).toThrow("cut off");
  });

  test("is refused where it is none, or no export", async () => {
    const world = await makeWorld();
    const [none, other] = [nextPath(), nextPath()];
    await Bun.write(none, Buffer.alloc(2_000, "x"));
    writeReferenceExport(other, { "realm.json": {} });
    const take = (path: string) =>
      importFile(
        world.app,
        path,
        { from: "zulip", host: importedHost, name: undefined, isDry: false },
        { progress: () => undefined },
      );
    expect(await outcomeOf(take(none))).toThrow("This tar archive is damaged");
    expect(await outcomeOf(take(other))).toThrow("not an export of Zulip");
    await world.close();
  });
});
