import { eq } from "drizzle-orm";
import type { Answer } from "../client";
import { formOf, upload } from "../files";
import { movingGif, staticPng } from "../pictures";
import type { Person, World } from "../world";

/** Sends a request that must succeed. */
async function done(asked: Promise<Answer>): Promise<Answer["body"]> {
  const { status, body } = await asked;
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`);
  return body;
}

/** Files that were shared, by their addresses, and messages that others refer to. */
export interface FullRealm {
  publicFile: string;
  privateFile: string;
  ownFile: string;
  messages: { quoted: number; poll: number; direct: number; secret: number; edited: number };
}

/** Adds something of every kind that an organization can have to a world's organization. */
export async function fillRealm(world: World): Promise<FullRealm> {
  const { olga, clock } = world;
  await done(olga.post("/realm/domains", { domain: "example.com", allow_subdomains: false }));
  await fillOrganization(world);
  await done(
    olga.post("/default_stream_groups/create", {
      group_name: "Kitchen",
      description: "for all who cook",
      stream_names: ["general"],
    }),
  );
  await fillPeople(world);
  clock.advance(5);
  const filled = await fillMessages(world);
  await fillOwnThings(world, filled);
  return filled;
}

async function fillOrganization(world: World) {
  const { olga, alice, bob, mona, channels } = world;
  const { channel_folder_id: folder } = await done(
    olga.post("/channel_folders/create", { name: "Work", description: "all **work**" }),
  );
  await fillPictures(world);
  await done(
    olga.post("/realm/filters", {
      pattern: "#(?P<id>[0-9]+)",
      url_template: "https://tickets.example.com/{id}",
    }),
  );
  await done(
    olga.post("/realm/playgrounds", {
      name: "Try it",
      pygments_language: "Python",
      url_template: "https://play.example.com/?code={code}",
    }),
  );
  await done(olga.put("/realm/webhook_templates/shop", { topic: "orders", content: "new order" }));
  const group = await done(
    olga.post("/user_groups/create", {
      name: "cooks",
      description: "they cook",
      members: [alice.id, bob.id],
      can_mention_group: { direct_members: [mona.id, alice.id], direct_subgroups: [] },
    }),
  );
  const outer = await done(
    olga.post("/user_groups/create", {
      name: "kitchen",
      description: "all",
      members: [mona.id],
      subgroups: [group.group_id],
    }),
  );
  await done(
    olga.patch(`/streams/${channels.general}`, {
      description: `see [plans](#narrow/channel/${channels.plans}-plans) with @**Alice**`,
      folder_id: folder,
      can_move_messages_within_channel_group: { new: outer.group_id },
    }),
  );
  await done(
    olga.patch("/realm", {
      description: "we cook",
      waiting_period_threshold: 3,
      new_stream_announcements_stream_id: channels.general,
      can_create_groups: { new: { direct_members: [bob.id], direct_subgroups: [outer.group_id] } },
    }),
  );
  await done(olga.patch("/realm/user_settings_defaults", { twenty_four_hour_time: true }));
  for (const [name, field_type] of [
    ["Food", 1],
    ["Friends", 6],
    ["About", 2],
  ] as const) {
    await done(olga.post("/realm/profile_fields", { name, field_type }));
  }
}

async function fillPictures({ olga }: World) {
  await done(
    olga.ask("POST", "/realm/emoji/tuffy", {}, { body: formOf("e.png", staticPng, "filename") }),
  );
  await done(
    olga.ask("POST", "/realm/emoji/dance", {}, { body: formOf("e.gif", movingGif, "filename") }),
  );
  await done(olga.ask("POST", "/realm/icon", {}, { body: formOf("i.png", staticPng) }));
}

async function fillPeople({ olga, adam, alice, bob, carol, otto, robot, clock }: World) {
  const { custom_fields: fields } = await done(olga.get("/realm/profile_fields"));
  const field = (name: string) =>
    fields.find((one: { name: string; id: number }) => one.name === name).id;
  const told = [
    { id: field("Food"), value: "soup" },
    { id: field("Friends"), value: [bob.id, carol.id] },
    { id: field("About"), value: "likes **leek**" },
  ];
  await done(alice.patch("/users/me/profile_data", { data: told }));
  await done(alice.ask("POST", "/users/me/avatar", {}, { body: formOf("a.png", staticPng) }));
  await done(
    alice.patch("/settings", {
      color_scheme: 2,
      email_address_visibility: 5,
      allow_private_data_export: true,
    }),
  );
  await done(bob.patch("/settings", { email_address_visibility: 4 }));
  const lunch = { status_text: "at lunch", emoji_name: "tuffy" };
  const scheduled_end_time = clock.now() + 86_400;
  await done(alice.post("/users/me/status", { ...lunch, scheduled_end_time }));
  await done(alice.post("/users/me/presence", { status: "active", ping_only: true }));
  await done(alice.post("/users/me/alert_words", { alert_words: ["soup"] }));
  await done(alice.post(`/users/me/muted_users/${otto.id}`));
  await done(
    alice.post("/navigation_views", {
      fragment: `narrow/dm/${bob.id}`,
      is_pinned: true,
      name: "Bob",
    }),
  );
  await done(
    alice.post("/users/me/onboarding_steps", { onboarding_step: "intro_inbox_view_modal" }),
  );
  const bot = await done(
    alice.post("/bots", {
      full_name: "Hooky",
      short_name: "hooky",
      bot_type: 3,
      payload_url: "https://hooks.example.com/x",
    }),
  );
  if (!bot.user_id) throw new Error("no bot");
  await done(robot.put("/bot_storage", { storage: { soup: "leek" } }));
  await done(olga.patch(`/users/${otto.id}`, { role: 300 }));
  await done(adam.delete(`/users/${otto.id}`));
}

async function fillMessages(world: World): Promise<FullRealm> {
  const { alice, bob, carol, robot, channels } = world;
  const publicFile = await upload(alice, "menu ünï.txt", "leek and potato");
  const privateFile = await upload(bob, "secret.txt", "very private");
  const picture = await done(
    alice.ask("POST", "/user_uploads", {}, { body: formOf("soup.png", staticPng) }),
  );
  await alice.say("general", "pictures", `[soup](${picture.url}) and ![soup](${picture.url})`);
  const ownFile = await upload(alice, "mine.txt", "nobody's business");
  const first = await alice.say(
    "general",
    "soup",
    `@**Bob** and @_**Carol|${carol.id}** and @*cooks*: see [menu](${publicFile}) #12 :tuffy:`,
  );
  await bob.say(
    "general",
    "soup",
    `@_**Alice|${alice.id}** [said](http://${world.realm.host}/#narrow/channel/${channels.general}-general/topic/soup/near/${first}):\n\`\`\`quote\nhello\n\`\`\`\nyes`,
  );
  await alice.say(
    "general",
    "soup",
    `#**general>soup@${first}** #**general>soup** #**general** @**all**`,
  );
  await carol.say(
    "general",
    "code",
    "```python\nprint(1)\n```\n$$x^2$$\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n||x||\n```spoiler Head\nbody\n```\n<time:2026-11-21T10:00:00Z>",
  );
  const poll = await alice.say("general", "poll", "/poll Which?\nleek\npotato");
  const answer = (person: Person, content: object) =>
    done(
      person.post("/submessage", {
        message_id: poll,
        msg_type: "widget",
        content: JSON.stringify(content),
      }),
    );
  await answer(bob, { type: "vote", key: "canned,0", vote: 1 });
  await answer(bob, { type: "new_option", idx: 1, option: "kale" });
  await answer(alice, { type: "vote", key: `${bob.id},1`, vote: 1 });
  await robot.say("general", "poll", "beep").catch(() => undefined);
  const secret = await bob.say("secret", "hidden", `psst [file](${privateFile})`);
  await alice.say("plans", "later", "the plan for @**Bob**");
  const direct = await alice.tell([bob, carol], `only us: #**secret** @**Bob|${bob.id}**`);
  await alice.tell([alice], "note to me");
  await bob.tell([alice], "hi soup");
  const { edited } = await changeMessages(world, { first, direct });
  return {
    publicFile,
    privateFile,
    ownFile,
    messages: { quoted: first, poll, direct, secret, edited },
  };
}

/** Reactions, changes and flags. */
async function changeMessages(
  { olga, alice, bob, carol, mona, channels, clock }: World,
  { first, direct }: { first: number; direct: number },
) {
  for (const emoji of ["smile", "tuffy", "dance"])
    await done(bob.post(`/messages/${first}/reactions`, { emoji_name: emoji }));
  await done(carol.post(`/messages/${first}/reactions`, { emoji_name: "smile" }));
  await done(alice.post(`/messages/${direct}/reactions`, { emoji_name: "tada" }));
  const edited = await alice.say("general", "drinks", "tea");
  clock.advance(2);
  await done(alice.patch(`/messages/${edited}`, { content: "tea for @**Bob**" }));
  await done(olga.patch(`/messages/${edited}`, { topic: "hot drinks" }));
  const movedOut = await alice.say("plans", "moved", "from plans to general");
  await done(
    alice.patch(`/messages/${movedOut}`, {
      stream_id: channels.general,
      send_notification_to_new_thread: true,
    }),
  );
  await done(
    alice.post("/messages/flags", { messages: [first, direct], op: "add", flag: "starred" }),
  );
  await done(mona.post("/messages/flags", { messages: [first], op: "add", flag: "read" }));
  await done(carol.post("/mark_stream_as_read", { stream_id: channels.general }));
  await done(carol.post("/messages/flags", { messages: [first], op: "remove", flag: "read" }));
  return { edited };
}

async function fillOwnThings(
  { alice, bob, channels, clock }: World,
  { messages, publicFile }: FullRealm,
) {
  const later = clock.now() + 3_600;
  const drafts = [
    {
      type: "stream",
      to: [channels.general],
      topic: "soup",
      content: `see [menu](${publicFile})`,
      timestamp: 1_700_000_000,
    },
    {
      type: "private",
      to: [bob.id],
      topic: "",
      content: `hi @**Bob|${bob.id}**`,
      timestamp: 1_700_000_001,
    },
  ];
  await done(alice.post("/drafts", { drafts }));
  await done(
    alice.post("/saved_snippets", { title: "bye", content: `yours, @**Alice|${alice.id}**` }),
  );
  const toBob = { type: "direct", to: [bob.id], content: `later @**Bob|${bob.id}**` };
  await done(alice.post("/scheduled_messages", { ...toBob, scheduled_delivery_timestamp: later }));
  const toGeneral = {
    type: "channel",
    to: channels.general,
    topic: "soup",
    content: "#**general>soup**",
  };
  await done(
    alice.post("/scheduled_messages", { ...toGeneral, scheduled_delivery_timestamp: later }),
  );
  await done(
    bob.post("/reminders", {
      message_id: messages.quoted,
      scheduled_delivery_timestamp: later,
      note: "**do** it",
    }),
  );
  await done(
    alice.post("/user_topics", {
      stream_id: channels.general,
      topic: "soup",
      visibility_policy: 3,
    }),
  );
  await done(
    bob.post("/user_topics", { stream_id: channels.general, topic: "code", visibility_policy: 1 }),
  );
  const color = { stream_id: channels.general, property: "color", value: "#ff0000" };
  await done(alice.post("/users/me/subscriptions/properties", { subscription_data: [color] }));
  await done(bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] }));
}

/** Tables of an export without rows of an organization. */
export async function emptyTables(
  { app }: Pick<World, "app">,
  realmId: number,
  names: readonly string[],
): Promise<string[]> {
  const { db } = app.engine.reader;
  const { takenTables } = await import("../../../db/take-rows");
  const known = takenTables(app.engine.schema);
  const empty: string[] = [];
  for (const name of names) {
    const table = Object.values(app.engine.schema).find((one) => tableName(one) === name);
    if (!known.has(name) || !table || !("realmId" in table)) continue;
    const rows = await db.select().from(table).where(eq(table.realmId, realmId)).limit(1);
    if (rows.length === 0) empty.push(name);
  }
  return empty;
}

const tableName = (table: object) => Reflect.get(table, Symbol.for("drizzle:Name"));
