import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { htmlBytesMax } from "../../src/markdown/render";
import { importFile } from "../../src/moving/import/import-file";
import { exportToFile } from "../../src/moving/realm-archive/to-file";
import { backupFolder } from "../support/archives/backups";
import { signInAll } from "../support/archives/realm-view";
import { rewriteArchive } from "../support/archives/rewrite-archive";
import { makeWorld, type Person, type World } from "../support/world";

/** Text of which a guest made 180 KB of HTML. */
const costly = "😀$$x^2$$".repeat(1_000);
const costlyDescription = "$$x^2$$ ".repeat(127);

const { folder, remove } = backupFolder();
afterAll(remove);

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const bytesOf = (html: string) => Buffer.byteLength(html);

async function htmlOf(reader: Person, id: number): Promise<string> {
  const { body } = await reader.get(`/messages/${id}`);
  return body.message.content;
}

test("A message has at most 64 KB of HTML, whether it is sent, edited, scheduled or only looked at", async () => {
  const { alice, bob } = world;
  const queue = await bob.register({ apply_markdown: true, event_types: ["message"] });
  const sent = await alice.say("general", "formulas", costly);
  expect(bytesOf(await htmlOf(bob, sent))).toBeLessThanOrEqual(htmlBytesMax.message);
  const [event] = await queue.events();
  expect(bytesOf(event.message.content)).toBeLessThanOrEqual(htmlBytesMax.message);

  const edited = await alice.say("general", "formulas", "short");
  expect((await alice.patch(`/messages/${edited}`, { content: `${costly}!` })).status).toBe(200);
  expect(bytesOf(await htmlOf(bob, edited))).toBeLessThanOrEqual(htmlBytesMax.message);

  const later = {
    type: "channel",
    to: "general",
    topic: "x",
    content: costly,
    scheduled_delivery_timestamp: 4e9,
  };
  expect((await alice.post("/scheduled_messages", later)).status).toBe(200);
  const { body } = await alice.get("/scheduled_messages");
  expect(bytesOf(body.scheduled_messages[0].rendered_content)).toBeLessThanOrEqual(
    htmlBytesMax.message,
  );

  const rendered = await alice.post("/messages/render", { content: costly });
  expect(bytesOf(rendered.body.rendered)).toBeLessThanOrEqual(htmlBytesMax.message);
});

test("A description has at most 8 KB of HTML: of a channel, a folder, the organization and in a profile", async () => {
  const { adam, olga } = world;
  const subscriptions = [{ name: "formulas", description: costlyDescription }];
  expect((await olga.post("/users/me/subscriptions", { subscriptions })).status).toBe(200);
  const folder = { name: "formulas", description: costlyDescription };
  expect((await adam.post("/channel_folders/create", folder)).status).toBe(200);
  expect(
    (await adam.patch("/realm", { description: costlyDescription.slice(0, 1_000) })).status,
  ).toBe(200);
  const field = await adam.post("/realm/profile_fields", { name: "About", field_type: 2 });
  const data = [{ id: field.body.id, value: costlyDescription.slice(0, 496) }];
  expect((await adam.patch("/users/me/profile_data", { data })).status).toBe(200);

  const { body } = await olga.post("/register", { include_subscribers: false });
  const channel = body.subscriptions.find(({ name }: { name: string }) => name === "formulas");
  const person = body.realm_users.find(({ user_id }: { user_id: number }) => user_id === adam.id);
  const settings = await world.anonymous.get("/server_settings");
  for (const html of [
    channel.rendered_description,
    body.channel_folders[0].rendered_description,
    person.profile_data[field.body.id].rendered_value,
    settings.body.realm_description,
  ]) {
    expect(html).toContain("$$x^2$$");
    expect(bytesOf(html)).toBeGreaterThan(1_000);
    expect(bytesOf(html)).toBeLessThanOrEqual(htmlBytesMax.description);
  }
});

test("HTML that an import brings is rendered anew where it is too large", async () => {
  const { app, realm, alice, channels } = world;
  const id = await alice.say("general", "x", "**hello**");
  const [path, changedPath] = [join(folder, "whole.tar"), join(folder, "changed.tar")];
  await exportToFile(
    app,
    realm,
    path,
    { type: "full_without_consent", withPasswords: true },
    { progress: () => {} },
  );
  await rewriteArchive(path, changedPath, {
    rows: (table, rows) =>
      rows.map((row) => {
        if (table === "messages" && row["id"] === id)
          return { ...row, rendered_content: "<p>x</p>".repeat(10_000) };
        if (table !== "channels" || row["id"] !== channels.general) return row;
        return { ...row, description: "**about**", rendered_description: "<p>x</p>".repeat(2_000) };
      }),
  });
  const wanted = {
    from: "chatd" as const,
    host: "copy.example.org",
    name: undefined,
    isDry: false,
  };
  await importFile(app, changedPath, wanted, { progress: () => {} });
  const copied = (await signInAll(world, "copy.example.org")).get(alice.email);
  const read = await copied?.get("/messages", { anchor: "newest", num_before: 10, num_after: 0 });
  const contents = read?.body.messages.map(({ content }: { content: string }) => content);
  expect(contents).toContain("<p><strong>hello</strong></p>");
  const { body } = (await copied?.get("/streams")) ?? {};
  const general = body.streams.find(({ name }: { name: string }) => name === "general");
  expect(general.rendered_description).toBe("<p><strong>about</strong></p>");
});
