import { afterEach, beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { write } from "../src/core/write";
import { rendererVersion } from "../src/markdown/render";
import { until } from "./support/polls";
import { makeWorld, type World } from "./support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** Makes of a message what an older version of the renderer would have made of it, and of the data that version's. */
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

async function versionStored(): Promise<number> {
  const { db, t } = world.app.engine.reader;
  const [fact] = await db.select().from(t.serverFacts).where(eq(t.serverFacts.name, "renderer_version"));
  return Number(fact?.value);
}

/** A new version of the server starts, and comes to the end of what it does by itself. */
async function upgrade() {
  await until(async () => (await versionStored()) > 0);
  world.clock.advance(60);
  await world.restart();
  await until(async () => (await versionStored()) === rendererVersion);
  await world.pass(0);
  await until(async () => (await world.app.jobs.list()).every(({ name }) => name !== "rerender"));
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

test("A message that names what its writer may not know still does not after the upgrade", async () => {
  const id = await world.bob.say("general", "names", "what of #**plans**?");
  await until(async () => (await versionStored()) > 0);
  await renderAsBefore({ [id]: "<p>as it was</p>" });
  await upgrade();
  expect(await htmlOf(id)).toBe("<p>what of #<strong>plans</strong>?</p>");
});

test("Thousands are rendered in batches, and what a crash interrupts goes on from there", async () => {
  const { alice } = world;
  const ids: number[] = [];
  for (let count = 0; count < 230; count++) ids.push(await alice.say("general", "many", `**${count}**`));
  await until(async () => (await versionStored()) > 0);
  await renderAsBefore(Object.fromEntries(ids.map((id) => [id, "<p>as it was</p>"])));
  await upgrade();
  for (const [index, id] of [...ids.entries()].filter(([index]) => index % 70 === 0))
    expect(await htmlOf(id)).toBe(`<p><strong>${index}</strong></p>`);
  expect(await world.app.jobs.list()).toEqual([]);
});
