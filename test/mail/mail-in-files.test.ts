import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { serverBusy } from "../../src/core/errors";
import { renderThread } from "../../src/messages/rendering/render-thread";
import { filesOf, readersOf, storedFiles, storedRows, upload } from "../support/files";
import { until } from "../support/polls";
import { addressOf, mailDomain, openMail, type Sender } from "../support/servers/mail";
import { newest } from "../support/servers/webhooks";
import { makeWorld, type World } from "../support/world";

let world: World;
let outside: Sender;
beforeEach(async () => {
  world = await makeWorld({ channel_email_domain: mailDomain, upload_quota_per_user_mib: "1" });
  outside = await openMail(world.app);
});
afterEach(async () => {
  await outside.close();
  await world.close();
});

/** A mail with a file that takes more than half of the room of its sender, and a long text. */
const mail = {
  subject: "menu",
  text: "soup ".repeat(1_500),
  messageId: "<1@outside.example>",
  attachments: [
    { filename: "menu.txt", content: "soup" },
    { filename: "menu.bin", content: Buffer.alloc(700_000) },
  ],
};

/** Address of the file that a text links to. */
const addressIn = (text: string) => /\((\/user_uploads[^)]+)\)/.exec(text)?.[1] ?? "";

/** The files in the store that were received to their ends. */
const whole = () => storedFiles(world).filter((path) => !path.startsWith("drafts/"));

/** Runs something while some writes of the server fail, nobody knows how. */
async function withFailingWrites<T>(isFailing: () => boolean, run: () => Promise<T>): Promise<T> {
  const { engine } = world.app;
  const write = engine.write.bind(engine);
  Object.assign(engine, {
    write: async (...given: Parameters<typeof write>) => {
      if (isFailing()) throw new Error("failed, on purpose");
      return write(...given);
    },
  });
  try {
    return await run();
  } finally {
    Object.assign(engine, { write });
  }
}

describe("The files of a mail to a channel", () => {
  test("are not stored where its sender may not post, however often it comes", async () => {
    const { bob, channels } = world;
    const to = await addressOf(bob, channels.secret, bob.id);
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    const queue = await bob.register();
    for (let times = 0; times < 2; times += 1)
      expect(await outside.send({ ...mail, to })).toStartWith("550 5.7.1 ");
    expect(await filesOf(bob)).toMatchObject({ attachments: [], upload_space_used: 0 });
    expect((await queue.events()).filter(({ type }) => type === "attachment")).toEqual([]);
    expect(whole()).toEqual([]);
  });

  test("are removed where it is to be sent again, and count once when it is", async () => {
    const { bob, channels } = world;
    const to = await addressOf(bob, channels.general, bob.id);
    const queue = await bob.register();
    const busy = spyOn(renderThread, "run").mockRejectedValueOnce(serverBusy("On purpose", 1));
    expect(await outside.send({ ...mail, to })).toStartWith("451 4.3.0 ");
    expect(busy).toHaveBeenCalledTimes(1);
    busy.mockRestore();
    expect(await filesOf(bob)).toMatchObject({ attachments: [], upload_space_used: 0 });
    expect(whole()).toEqual([]);
    expect((await queue.events()).filter(({ type }) => type === "attachment")).toEqual([]);
    expect(await outside.send({ ...mail, to })).toStartWith("250 ");
    expect((await newest(world.alice)).content).toMatch(/\n\[menu\.txt\]\(.*\)\n\[menu\.bin\]\(/);
    expect((await filesOf(bob)).upload_space_used).toBe(700_004);
    expect((await storedRows(world)).links).toHaveLength(2);
    await world.pass(3 * 3_600);
    expect(whole()).toHaveLength(2);
  });

  test("are tidied where nobody knows whether it was posted", async () => {
    const { bob, channels } = world;
    const to = await addressOf(bob, channels.general, bob.id);
    const notPosted = () => whole().length === 2;
    const answer = await withFailingWrites(notPosted, () => outside.send({ ...mail, to }));
    expect(answer).toStartWith("451 4.3.0 ");
    expect(await filesOf(bob)).toMatchObject({ attachments: [], upload_space_used: 0 });
    expect(whole()).toHaveLength(2);
    await world.pass(3 * 3_600);
    await until(() => storedFiles(world).length === 0);
  });

  test("A12: are opened to nobody by another mail with their address, whoever has written it", async () => {
    const { alice, bob, carol, otto, greta, channels } = world;
    const everybody = [alice, bob, carol, otto, greta];
    const attachments = [{ filename: "plan.txt", content: "top secret" }];
    const secret = await addressOf(alice, channels.secret);
    await outside.send({ to: secret, subject: "plan", text: "hi", attachments });
    const url = addressIn((await newest(alice)).content);
    expect(await readersOf(url, ...everybody)).toEqual(["Alice", "Bob"]);
    await bob.ask("DELETE", "/users/me/subscriptions", { subscriptions: ["secret"] });
    const text = `look: [plan](${url}) and ${world.site}${url}`;
    for (const to of [
      await addressOf(bob, channels.general),
      await addressOf(alice, channels.general, alice.id),
    ]) {
      expect(await outside.send({ to, subject: "again", text, attachments })).toStartWith("250 ");
      const { content } = await newest(carol);
      expect(content).toContain(text);
      expect(await readersOf(addressIn(content.split("\n").at(-1)), bob, carol)).toEqual([
        "Bob",
        "Carol",
      ]);
      expect(await readersOf(url, ...everybody)).toEqual(["Alice"]);
    }
  });

  test("A12: a mail opens no file that somebody has uploaded, and shows none as a picture", async () => {
    const { alice, bob, greta } = world;
    const url = await upload(alice, "plan.png");
    await alice.say("general", "files", `[plan](${url})`);
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "guests" }],
      principals: [greta.id],
    });
    const { body } = await alice.get("/get_stream_id", { stream: "guests" });
    const to = await addressOf(alice, body.stream_id);
    await outside.send({ to, subject: "again", text: `[plan](${url})` });
    expect(await readersOf(url, bob, greta)).toEqual(["Bob"]);
    const rendered = { message_ids: [(await newest(greta)).id], apply_markdown: true };
    const [{ content }] = (await greta.get("/messages", rendered)).body.messages;
    expect(content).toEndWith(`<p><a href="${url}">plan</a></p>`);
  });
});
