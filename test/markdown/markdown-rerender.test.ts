import { afterEach, beforeEach, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { write } from "../../src/core/write";
import { charactersPerTurn, htmlBytesMax, rendererVersion } from "../../src/markdown/render";
import { rerenderJob } from "../../src/messages/rendering/rerender";
import { staticPng } from "../support/pictures";
import { until } from "../support/polls";
import { addressOf, mailDomain, openMail } from "../support/servers/mail";
import { turnsDuring } from "../support/turns";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld({ channel_email_domain: mailDomain });
});
afterEach(() => world.close());

/**
 * Makes of a message what an older version of the renderer would have made of it, and of the data
 * that version's.
 */
async function renderAsBefore(html: Record<number, string>) {
  await write(world.operator, async ({ db, t }) => {
    for (const [id, renderedContent] of Object.entries(html))
      await db
        .update(t.messages)
        .set({ renderedContent })
        .where(eq(t.messages.id, Number(id)));
    await db
      .update(t.serverFacts)
      .set({ value: String(rendererVersion - 1) })
      .where(eq(t.serverFacts.name, "renderer_version"));
  });
}

const working = new Set(["rerender", "shrink_html"]);

async function versionStored(): Promise<number> {
  const { db, t } = world.app.engine.reader;
  const [fact] = await db
    .select()
    .from(t.serverFacts)
    .where(eq(t.serverFacts.name, "renderer_version"));
  return Number(fact?.value);
}

/** A new version of the server starts, and comes to the end of what it does by itself. */
async function upgrade() {
  await until(async () => (await versionStored()) > 0);
  world.clock.advance(60);
  await world.restart();
  await until(async () => (await versionStored()) === rendererVersion);
  await world.pass(0);
  await until(async () => (await world.app.jobs.list()).every(({ name }) => !working.has(name)));
}

const htmlOf = async (id: number) => (await world.bob.get(`/messages/${id}`)).body.message.content;

test("What an older version rendered is rendered anew after the upgrade, and nobody hears of it", async () => {
  const { alice, bob } = world;
  const spoiler = await alice.say("general", "old", "```spoiler What\nthis\n```");
  const plain = await alice.say("general", "old", "hello");
  await until(async () => (await versionStored()) > 0);
  await renderAsBefore({ [spoiler]: "<p>as it was</p>" });
  const queue = await bob.register();
  await upgrade();
  expect(await htmlOf(spoiler)).toContain('<div class="spoiler-block">');
  expect(await htmlOf(plain)).toBe("<p>hello</p>");
  expect(await queue.events()).toEqual([]);
  const { body } = await bob.get(`/messages/${spoiler}`);
  expect(body.message).not.toHaveProperty("last_edit_timestamp");
});

test("Names mean what they meant when the message was sent, whoever is called so now", async () => {
  const { alice, bob, carol, channels } = world;
  const text = "hey @**Bob**, see #**general>lunch** and #**plans**";
  const id = await alice.say("general", "names", text);
  const before = await htmlOf(id);
  expect(before).toContain(`data-user-id="${bob.id}">@Bob<`);
  expect(before).toContain(`data-stream-id="${channels.plans}"`);
  await until(async () => (await versionStored()) > 0);
  await renderAsBefore({ [id]: `${before}<p>as it was</p>` });
  await world.adam.patch(`/users/${bob.id}`, { full_name: "Robert" });
  await world.adam.patch(`/users/${carol.id}`, { full_name: "Bob" });
  await world.olga.patch(`/streams/${channels.general}`, { new_name: "everybody" });
  await upgrade();
  expect(await htmlOf(id)).toBe(before);
});

test("An emoji stays the picture that its name meant when the message was sent, and an edit means today's", async () => {
  const { alice } = world;
  const id = await alice.say("general", "names", ":mouse: 🐭 :tada:");
  const later = await alice.say("general", "names", ":mouse: 🐭 :tada:");
  const span = (name: string, code: string) =>
    `<span aria-label="${name}" class="emoji emoji-${code}" role="img" title="${name}">:${name}:</span>`;
  const tada = span("tada", "1f389");
  await until(async () => (await versionStored()) > 0);
  await renderAsBefore({
    [id]: `<p>${span("mouse", "1f42d")} ${span("mouse", "1f42d")} ${tada}</p>`,
    [later]: `<p>:mouse: 🐭 ${tada}</p>`,
  });
  await upgrade();
  expect(await htmlOf(id)).toBe(
    `<p>${span("mouse", "1f42d")} ${span("dormouse", "1f42d")} ${tada}</p>`,
  );
  expect(await htmlOf(later)).toBe(
    `<p>${span("mouse", "1f401")} ${span("dormouse", "1f42d")} ${tada}</p>`,
  );
  expect((await alice.patch(`/messages/${id}`, { content: ":mouse:" })).status).toBe(200);
  expect(await htmlOf(id)).toBe(`<p>${span("mouse", "1f401")}</p>`);
});

test("A message that names what its writer may not know still does not after the upgrade", async () => {
  const id = await world.bob.say("general", "names", "what of #**plans**?");
  await until(async () => (await versionStored()) > 0);
  await renderAsBefore({ [id]: "<p>as it was</p>" });
  await upgrade();
  expect(await htmlOf(id)).toBe("<p>what of #<strong>plans</strong>?</p>");
});

test("A message that came by mail shows its pictures and links at once, and still does after the upgrade", async () => {
  const { bob, olga, channels } = world;
  const linkifier = { pattern: "#(?P<id>[0-9]+)", url_template: "https://t.example/{id}" };
  await olga.post("/realm/filters", linkifier);
  const outside = await openMail(world.app);
  const attachments = [{ filename: "plan.png", content: Buffer.from(staticPng) }];
  const to = await addressOf(bob, channels.general);
  await outside.send({ to, subject: "s", text: "hi #17", attachments });
  await outside.close();
  const { id } = (await bob.get("/messages", { anchor: "newest", num_before: 1, num_after: 0 }))
    .body.messages[0];
  const before = await htmlOf(id);
  expect(before).toContain('<a href="https://t.example/17">#17</a>');
  expect(before).toMatch(/<img [^>]*src="\/user_uploads\/thumbnail\//);
  await until(async () => (await versionStored()) > 0);
  await renderAsBefore({ [id]: "<p>as it was</p>" });
  await upgrade();
  expect(await htmlOf(id)).toBe(before);
});

test("Thousands are rendered in batches, and what a crash interrupts goes on from there", async () => {
  const { alice } = world;
  const ids = await Promise.all(
    Array.from({ length: 230 }, (_, index) => alice.say("general", "many", `**${index}**`)),
  );
  await until(async () => (await versionStored()) > 0);
  await renderAsBefore(Object.fromEntries(ids.map((id) => [id, "<p>as it was</p>"])));
  await upgrade();
  for (const [index, id] of [...ids.entries()].filter(([index]) => index % 70 === 0))
    expect(await htmlOf(id)).toBe(`<p><strong>${index}</strong></p>`);
  expect(await world.app.jobs.list()).toEqual([]);
});

test("What an older version made of descriptions, profiles and waiting messages comes under its bound for good", async () => {
  const { adam, alice, channels } = world;
  const large = "<p>too large</p>".repeat(1_000);
  const description = "about **formulas**";
  const data = { name: "Formulas", description };
  const { channel_folder_id: folderId } = (await adam.post("/channel_folders/create", data)).body;
  const field = (await adam.post("/realm/profile_fields", { name: "About", field_type: 2 })).body
    .id;
  await alice.patch("/users/me/profile_data", { data: [{ id: field, value: description }] });
  const later = {
    type: "channel",
    to: "general",
    topic: "x",
    content: description,
    scheduled_delivery_timestamp: 4e9,
  };
  await alice.post("/scheduled_messages", later);
  await until(async () => (await versionStored()) > 0);
  await renderAsBefore({});
  await write(world.operator, async ({ db, t }) => {
    const isGeneral = eq(t.channels.id, channels.general);
    await db.update(t.channels).set({ description, renderedDescription: large }).where(isGeneral);
    await db
      .update(t.channelFolders)
      .set({ renderedDescription: large })
      .where(eq(t.channelFolders.id, folderId));
    await db.update(t.scheduledMessages).set({ renderedContent: large.repeat(5) });
    const profileData = JSON.stringify({ [field]: { value: description, rendered_value: large } });
    await db.update(t.users).set({ profileData }).where(eq(t.users.id, alice.id));
  });
  const queue = await alice.register();
  await upgrade();
  const html = "<p>about <strong>formulas</strong></p>";
  const { body } = await alice.post("/register", {});
  const general = body.subscriptions.find(
    ({ stream_id }: { stream_id: number }) => stream_id === channels.general,
  );
  expect(general.rendered_description).toBe(html);
  expect(body.channel_folders[0].rendered_description).toBe(html);
  expect(body.scheduled_messages[0].rendered_content).toBe(html);
  const self = body.realm_users.find(({ user_id }: { user_id: number }) => user_id === alice.id);
  expect(self.profile_data[field]).toEqual({ value: description, rendered_value: html });
  expect(await queue.events()).toEqual([]);
});

test("Hundreds of large descriptions come under their bound, in batches, and those that fit stay as they are", async () => {
  const { alice, olga } = world;
  const subscriptions = Array.from({ length: 50 }, (_, index) => ({
    name: `c${index}`,
    description: `**${index}**`,
  }));
  await alice.post("/users/me/subscriptions", { subscriptions });
  await until(async () => (await versionStored()) > 0);
  await renderAsBefore({});
  await write(world.operator, async ({ db, t }) => {
    const isSecond = sql`${t.channels.id} % 2 = 0`;
    await db.update(t.channels).set({ renderedDescription: "<p>as it was</p>" });
    await db
      .update(t.channels)
      .set({ renderedDescription: "<p>x</p>".repeat(2_000) })
      .where(isSecond);
  });
  await upgrade();
  const { body } = await olga.get("/streams", { include_all: true });
  const made = body.streams.filter(({ name }: { name: string }) => /^c\d+$/.test(name));
  expect(made).toHaveLength(50);
  for (const { stream_id, description, rendered_description } of made) {
    const anew = `<p>${description.replace("**", "<strong>").replace("**", "</strong>")}</p>`;
    expect(rendered_description).toBe(stream_id % 2 === 0 ? anew : "<p>as it was</p>");
    expect(Buffer.byteLength(rendered_description)).toBeLessThanOrEqual(htmlBytesMax.description);
  }
});

test("A batch of long messages is rendered anew piece by piece, and others have their turn in between", async () => {
  const { alice } = world;
  const content = "**word** ".repeat(1_000);
  for (let count = 0; count < 20; count++) await alice.say("general", "long", content);
  const ctx = { ...world.operator, actor: { kind: "job" as const, name: "rerender" } };
  const { signal } = new AbortController();
  const run = () => rerenderJob.run(ctx, { version: rendererVersion, after: 0 }, signal);
  expect(content.length).toBeGreaterThan(charactersPerTurn);
  expect(await turnsDuring(run)).toBeGreaterThanOrEqual(20);
});
