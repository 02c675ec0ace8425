import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { serverBusy } from "../../src/core/errors";
import { renderThread } from "../../src/messages/rendering/render-thread";
import { filesOf, storedFiles, storedRows } from "../support/files";
import { addressOf, mailDomain, openMail, type Sender } from "../support/mail";
import { until } from "../support/polls";
import { newest } from "../support/webhooks";
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
});
