import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { importFile } from "../../src/moving/import/import-file";
import { markdownOfSlack } from "../../src/moving/import/slack/text";
import { ZipFile } from "../../src/moving/import/zip";
import { writeSlackExport } from "../support/archives/slack-export";
import {
  slackHost as host,
  importSlack,
  type Message,
  readAll,
  slackImports,
} from "../support/archives/slack-import";
import { outcomeOf } from "../support/outcome";
import { makeWorld } from "../support/world";

const { folder, remove, nextPath, imported } = slackImports();
afterAll(remove);

describe("an export of Slack that was imported", () => {
  /** The usual export, which tests only look at. */
  let usual: Awaited<ReturnType<typeof imported>>;
  beforeAll(async () => {
    usual = await imported();
  });
  afterAll(() => usual.world.close());

  test("has its people: roles, deactivated ones, bots, all of them yet to sign in", async () => {
    const { person } = usual;
    const { members } = (await person("ann")?.get("/users"))?.body ?? {};
    const known = (members as Message[])
      .filter((one) => !one["is_system_bot"])
      .map((one) => [
        one["full_name"],
        one["role"],
        one["is_active"],
        one["is_bot"],
        one["is_imported_stub"],
      ])
      .toSorted();
    expect(known).toEqual([
      ["Ann", 100, true, false, true],
      ["Ann", 400, true, false, true],
      ["Ben", 200, true, false, true],
      ["Cid", 400, false, false, true],
      ["Dot", 600, true, false, true],
      ["Helper", 400, false, true, true],
      // Somebody who is in no list of people, but has written.
      [expect.stringMatching(/^User \d+$/), 600, false, false, true],
      ["deployer", 400, false, true, true],
    ]);
  });

  test("starts as a new organization does: administrators alone read addresses, and pictures come from here", async () => {
    const { person } = usual;
    const { state } = (await person("ann")?.register()) ?? { state: {} };
    expect(state).toMatchObject({
      realm_default_avatar_source: "J",
      realm_gif_rating_policy: 1,
      realm_send_channel_events_messages: false,
      realm_user_settings_defaults: { email_address_visibility: 3 },
    });
    const seenBy = async (name: string) => {
      const { members } = (await person(name)?.get("/users"))?.body ?? {};
      const ben = (members as Message[]).find((one) => one["full_name"] === "Ben");
      return [ben?.["delivery_email"], String(ben?.["avatar_url"]).split("/")[1]];
    };
    expect(await seenBy("ann")).toEqual(["ben@example.com", "user_avatars"]);
    expect(await seenBy("dot")).toEqual([null, "user_avatars"]);
  });

  test("has its channels, public, private and archived, with their people", async () => {
    const { person } = usual;
    const { streams } =
      (await person("ann")?.get("/streams", { exclude_archived: false }))?.body ?? {};
    const shown = (streams as Message[]).map((one) => [
      one["name"],
      one["invite_only"],
      one["is_archived"],
      one["description"],
    ]);
    expect(shown.toSorted()).toEqual([
      ["cellar", true, false, "about cellar"],
      ["general", false, false, "about general"],
      ["old-stuff", false, true, "about old-stuff"],
    ]);
    const { subscriptions } = (await person("ben")?.get("/users/me/subscriptions"))?.body ?? {};
    expect((subscriptions as Message[]).map(({ name }) => name).toSorted()).toEqual([
      "cellar",
      "general",
    ]);
  });

  test("has its messages in order, in Markdown, threads as topics, with times and reactions", async () => {
    const { person } = usual;
    const messages = (await readAll(person("ann"))).filter(({ type }) => type === "stream");
    const ben = messages.find(({ sender_full_name }) => sender_full_name === "Ben")?.["sender_id"];
    const file = messages
      .map(({ content }) => /\/user_uploads\/\S+?(?=\))/.exec(String(content))?.[0])
      .find(Boolean);
    expect(
      messages.map((one) => [
        one["display_recipient"],
        one["subject"],
        one["timestamp"],
        one["content"],
      ]),
    ).toEqual([
      ["old-stuff", "imported from Slack", 1_546_340_400, "the oldest"],
      [
        "general",
        "imported from Slack",
        1_600_081_200,
        `**Hi** @**Ben|${ben}** & *all* in #**old-stuff**, ~~not~~ \`a *b* <c>\` [a link](https://example.com/?a=1&b=2)`,
      ],
      ["general", "a question?", 1_600_081_202, "a question?"],
      ["cellar", "imported from Slack", 1_600_081_202, "only for the cellar @**all**"],
      ["general", "a question?", 1_600_081_203, "an answer :big_smile: :wave:"],
      ["general", "imported from Slack", 1_600_081_204, "```\nif (a < b) *x*\n```\nafter"],
      ["general", "imported from Slack", 1_600_081_205, "deployed @**all**"],
      [
        "general",
        "imported from Slack",
        1_600_081_206,
        "[Build](https://ci.example.com/1)\npassed",
      ],
      [
        "general",
        "imported from Slack",
        1_600_081_207,
        `see\n[Menu](${file})\n[Other](https://files.slack.com/F2/other.pdf)`,
      ],
      ["general", "imported from Slack", 1_600_081_208, "> quoted\n- one\n- two"],
      ["general", "imported from Slack", 1_600_081_209, "from nobody"],
      ["general", "a question?", 1_600_167_600, "the next day, still in the thread"],
      ["general", "imported from Slack", 1_600_167_601, "/me dances"],
    ]);
    const question = messages.find(({ content }) => content === "a question?");
    const reactions = ((question?.["reactions"] ?? []) as Message[]).map((one) => [
      one["emoji_name"],
      one["emoji_code"],
    ]);
    expect(reactions).toEqual([
      ...[1, 2, 3].map(() => ["+1", "1f44d"]),
      ["dormouse", "1f42d"],
      ["folded_hands", "1f64f"],
      ["flag_germany", "1f1e9-1f1ea"],
    ]);
    expect(messages.find(({ content }) => String(content).startsWith("an answer"))).toMatchObject({
      last_edit_timestamp: 1_600_081_300,
    });
    expect(messages.every(({ flags }) => (flags as string[]).includes("read"))).toBe(true);
    const html = (await readAll(person("ann"), false)).map(({ content }) => String(content));
    expect(html.some((one) => one.includes(`data-user-id="${ben}">@Ben</span>`))).toBe(true);
    expect(html.some((one) => one.includes('class="stream"'))).toBe(true);
    const response = await person("dot")?.open(String(file));
    expect([response?.status, await response?.text()]).toEqual([200, "leek soup"]);
  });

  test("shows private channels and direct messages to those who were in them", async () => {
    const { person } = usual;
    const texts = async (name: string) =>
      (await readAll(person(name)))
        .map(({ content }) => String(content))
        .filter((text) => /us$|self|cellar/.test(text));
    expect(await texts("ann")).toEqual([
      "only for the cellar @**all**",
      "three of us",
      "two of us",
      "note to self",
    ]);
    expect(await texts("ben")).toEqual([
      "only for the cellar @**all**",
      "three of us",
      "two of us",
    ]);
    expect(await texts("dot")).toEqual(["three of us"]);
  });

  test("H12: lacks what is malformed and nothing else, and the report says of each why", async () => {
    const { report, told } = usual;
    expect(report.skipped).toEqual({
      "folders: belong to an unknown channel or conversation": 1,
      'files: This ZIP archive is damaged or incomplete: "general/2020-09-16.json" is no JSON.': 1,
      "messages: only report an event of the kind channel_join": 1,
      "messages: have no time": 1,
      "users.json: have an address that is missing, invalid or taken": 1,
      "reactions: have an unknown emoji": 1,
      "files: have been deleted": 1,
      "files: are not in the export, and their address has no token to fetch them with": 1,
    });
    expect(told.find(({ why }) => why === "have no time")?.which).toBe("general never");
  });

  test("has people of other workspaces as deactivated guests, whom nobody signs in as, with what they wrote", async () => {
    const own = { team_id: "T1", deleted: false, is_bot: false };
    const person = (id: string, name: string, more: object) => ({
      id,
      name,
      ...own,
      profile: { real_name: name, email: `${name.toLowerCase()}@example.com` },
      ...more,
    });
    const says = (user: string, ts: string, text: string, more = {}) => ({
      type: "message",
      user,
      ts,
      text,
      ...more,
    });
    const {
      world,
      report,
      person: named,
    } = await imported({
      "users.json": [
        person("U7", "Eve", { team_id: "T2", is_owner: true }),
        person("U1", "Ann", {
          is_owner: true,
          is_primary_owner: true,
          enterprise_user: { enterprise_id: "E1" },
        }),
        person("U2", "Ben", { is_admin: true }),
        person("U8", "Fay", { team_id: "T3", is_stranger: true }),
        person("U9", "Gus", { team_id: "T4", enterprise_user: { enterprise_id: "E1" } }),
        {
          id: "U5",
          name: "helper",
          is_bot: true,
          team_id: "T1",
          profile: { real_name: "Helper", bot_id: "B1" },
        },
      ],
      "general/2020-09-14.json": [
        says("U7", "1600081200.000100", "from Eve"),
        says("U99", "1600081201.000100", "from Hal", {
          user_profile: { name: "hal", real_name: "Hal", team: "T5" },
        }),
        says("U99", "1600081202.000100", "from Hal again"),
        says("U97", "1600081203.000100", "from nobody"),
      ],
    });
    const { members } = (await named("ann")?.get("/users"))?.body ?? {};
    const people = (members as Message[]).filter((one) => !one["is_system_bot"]);
    const known = people.map((one) => [
      one["full_name"],
      one["role"],
      one["is_active"],
      one["is_imported_stub"],
    ]);
    expect(known.toSorted()).toEqual([
      ["Ann", 100, true, true],
      ["Ben", 200, true, true],
      ["Eve", 600, false, true],
      ["Fay", 600, false, true],
      ["Gus", 400, true, true],
      ["Hal", 600, false, true],
      ["Helper", 400, false, true],
      // In a channel, in a conversation, or with a message, and nowhere with a name.
      ...["U3", "U4", "U97"].map(() => [expect.stringMatching(/^User \d+$/), 600, false, true]),
    ]);
    const owner = people.find(({ full_name }) => full_name === "Ann")?.["user_id"];
    expect(people.find(({ full_name }) => full_name === "Helper")?.["bot_owner_id"]).toBe(owner);
    const texts = (await readAll(named("ann"))).map(
      ({ sender_full_name, content }) => `${sender_full_name}: ${content}`,
    );
    expect(texts).toEqual(
      expect.arrayContaining(["Eve: from Eve", "Hal: from Hal", "Hal: from Hal again"]),
    );
    expect(texts.filter((text) => /^User \d+: three of us$/.test(text))).toHaveLength(1);
    expect(texts.filter((text) => /^User \d+: from nobody$/.test(text))).toHaveLength(1);
    expect(report.skipped["messages: have an unknown sender"]).toBeUndefined();
    await world.close();
  });

  test("has conversations with people who are in its messages alone, each with exactly those who were in it", async () => {
    const says = (user: string, ts: string, text: string, more = {}) => ({
      type: "message",
      user,
      ts,
      text,
      ...more,
    });
    const hal = { user_profile: { name: "hal", real_name: "Hal" } };
    const { world, person } = await imported({
      "mpims.json": [
        {
          id: "G2",
          name: "mpdm-ann--ben--dot-1",
          created: 1_599_000_000,
          members: ["U1", "U2", "U4"],
        },
        {
          id: "G3",
          name: "mpdm-ann--ben--hal-1",
          created: 1_599_000_000,
          members: ["U1", "U2", "U99"],
        },
      ],
      "dms.json": [
        { id: "D1", created: 1_599_000_000, members: ["U1", "U2"] },
        { id: "D2", created: 1_599_000_000, members: ["U1"] },
        { id: "D3", created: 1_599_000_000, members: ["U98", "U1"] },
        { id: "D4", created: 1_599_000_000, members: ["U1", "U99"] },
        { id: "D5", created: 1_599_000_000, members: [] },
      ],
      "D3/2020-09-14.json": [
        says("U1", "1600081300.000100", "to nobody known"),
        says("U98", "1600081301.000100", "yes"),
      ],
      "D4/2020-09-14.json": [says("U1", "1600081302.000100", "to Hal")],
      "D4/2020-09-15.json": [says("U99", "1600167700.000100", "from Hal", hal)],
      "mpdm-ann--ben--hal-1/2020-09-14.json": [
        says("U99", "1600081303.000100", "the three with Hal", hal),
      ],
    });
    const privately = async (name: string) =>
      (await readAll(person(name)))
        .filter(({ type }) => type === "private")
        .map(({ content, sender_full_name, display_recipient }) => [
          content,
          sender_full_name,
          (display_recipient as Message[]).map(({ full_name }) => full_name).toSorted(),
        ]);
    const unnamed = expect.stringMatching(/^User \d+$/);
    const ofBoth = [
      ["the three with Hal", "Hal", ["Ann", "Ben", "Hal"]],
      ["three of us", "Dot", ["Ann", "Ben", "Dot"]],
      ["two of us", "Ann", ["Ann", "Ben"]],
    ];
    expect((await privately("ann")).toSorted()).toEqual(
      [
        ...ofBoth,
        ["note to self", "Ann", ["Ann"]],
        ["to nobody known", "Ann", ["Ann", unnamed]],
        ["yes", unnamed, ["Ann", unnamed]],
        ["to Hal", "Ann", ["Ann", "Hal"]],
        ["from Hal", "Hal", ["Ann", "Hal"]],
      ].toSorted(),
    );
    expect(await privately("ben")).toEqual(ofBoth);
    const { members } = (await person("ann")?.get("/users"))?.body ?? {};
    expect((members as Message[]).filter((one) => one["full_name"] === "Hal")).toMatchObject([
      { role: 600, is_active: false, is_imported_stub: true },
    ]);
    await world.close();
  });

  test("adds nothing when it is repeated, nothing when it is only tried", async () => {
    const { world, path } = usual;
    const { messages, realms } = world.app.engine.schema;
    const count = async () => (await world.app.engine.reader.db.select().from(messages)).length;
    const before = await count();
    expect(await importSlack(world.app, path)).toMatchObject({ wasThere: true });
    expect(await importSlack(world.app, path, { isDry: true })).toMatchObject({ wasThere: true });
    expect(await count()).toBe(before);
    const other = nextPath();
    writeSlackExport(other, { "old-stuff/2019-01-02.json": [] });
    const dry = await importFile(
      world.app,
      other,
      { from: "slack", host: "dry.example.org", name: undefined, isDry: true },
      { progress: () => undefined },
    );
    expect(dry).toMatchObject({ realm: undefined, rows: { messages: 16, users: 10 } });
    const { db } = world.app.engine.reader;
    expect(await db.select().from(realms).where(eq(realms.host, "dry.example.org"))).toEqual([]);
    expect(
      readdirSync(world.place.dataFolder).filter((name) => name.startsWith("importing-")),
    ).toEqual([]);
  });

  test("somebody who signs in first counts as having joined then", async () => {
    const { world, person } = await imported();
    const me = async () => (await person("ben")?.get("/users/me"))?.body;
    expect(await me()).toMatchObject({
      is_imported_stub: true,
      date_joined: "2020-09-13T12:26:40+00:00",
    });
    const { users } = world.app.engine.schema;
    const passwordHash = await Bun.password.hash("correct horse", {
      algorithm: "argon2id",
      memoryCost: 4096,
      timeCost: 2,
    });
    await world.app.engine.write(
      3,
      async ({ db }) =>
        void (await db
          .update(users)
          .set({ passwordHash })
          .where(eq(users.email, "ben@example.com"))),
      () => undefined,
    );
    const body = new URLSearchParams({ username: "ben@example.com", password: "correct horse" });
    const signedIn = await fetch(`${world.site}/api/v1/fetch_api_key`, {
      method: "POST",
      headers: { host },
      body,
    });
    expect(signedIn.status).toBe(200);
    expect(await me()).toMatchObject({
      is_imported_stub: false,
      date_joined: "2026-01-01T00:00:00+00:00",
    });
    await world.close();
  });
});

describe("an archive that was made to do harm", () => {
  test("G8, G9: names in it are no paths", async () => {
    const evil = {
      id: "F9",
      name: "../../../../escaped",
      title: "x",
      url_private: "https://files.slack.com/x",
    };
    const { world } = await imported({
      "../../escaped.json": [],
      "/tmp/escaped": "x",
      "__uploads/F9/../../../../escaped": "escaped",
      "old-stuff/2019-01-03.json": [
        { type: "message", user: "U1", ts: "1546513200.000100", text: "x", files: [evil] },
      ],
    });
    expect([
      existsSync("/tmp/escaped"),
      existsSync(join(world.place.dataFolder, "escaped")),
    ]).toEqual([false, false]);
    expect(existsSync(join(folder, "escaped"))).toBe(false);
    await world.close();
  });

  test("H9: is bounded in what it unpacks to, and in how many entries it has", async () => {
    const world = await makeWorld();
    const path = nextPath();
    writeSlackExport(path, { "general/2021-01-01.json": `["${"a".repeat(40_000_000)}"]` });
    const file = await open(path, "r");
    const limits = { entriesMax: 1_000, bytesMax: 10_000_000, entryBytesMax: 1_000_000 };
    const zip = await ZipFile.open(file, limits);
    expect(await outcomeOf(zip.json("general/2021-01-01.json"))).toThrow("larger than any export");
    expect(await outcomeOf(ZipFile.open(file, { ...limits, entriesMax: 3 }))).toThrow(
      "larger than any export",
    );
    let bytes = 0;
    const take = async () => {
      for await (const chunk of zip.chunks("general/2021-01-01.json")) bytes += chunk.byteLength;
    };
    expect(await outcomeOf(take())).toThrow("larger than any export");
    expect(bytes).toBeLessThan(15_000_000);
    await file.close();
    await world.close();
  });

  test("is refused where it is none", async () => {
    const world = await makeWorld();
    const path = nextPath();
    await Bun.write(path, "PK, but no archive");
    expect(await outcomeOf(importSlack(world.app, path))).toThrow("This ZIP archive is damaged");
    const end = Buffer.alloc(56 + 20 + 22);
    end.writeUInt32LE(0x06064b50, 0);
    end.fill(0xff, 48, 56);
    end.writeUInt32LE(0x07064b50, 56);
    end.writeUInt32LE(0x06054b50, 76);
    end.fill(0xff, 86, 96);
    await Bun.write(path, end);
    expect(await outcomeOf(importSlack(world.app, path))).toThrow("This ZIP archive is damaged");
    await world.close();
  });
});

describe("the markup of Slack", () => {
  const names = {
    person: () => undefined,
    channel: () => undefined,
    emoji: (name: string) => name,
  };
  test.each([
    ["*a*b", "*a*b"],
    ["(*a*) _b c_ ~d~.", "(**a**) *b c* ~~d~~."],
    ["snake_case_name and 2*3*4", "snake_case_name and 2*3*4"],
    ["<mailto:a@b.c|a@b.c> <https://x.y>", "a@b.c https://x.y"],
    ["<!date^1^{date}|yesterday> <!subteam^S1|@cooks>", "yesterday @cooks"],
    ["<@U404|gone> <#C404|lost> <#C405>", "@gone #**lost** #private-channel"],
    ["&amp;lt; &lt;b&gt;", "&lt; <b>"],
  ])("%s", (text, markdown) => expect(markdownOfSlack(text, names)).toBe(markdown));
});
