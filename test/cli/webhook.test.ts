import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { startReceiver } from "../support/servers/receiver";
import { chatd, mustChatd, places } from "./chatd";

describe.each(places)("chatd admin webhook on $engine", ({ provisioned }) => {
  async function provision() {
    const { place } = await provisioned();
    const admin = async (...args: string[]) =>
      (await mustChatd(["admin", ...args, "--json", ...place])).json();
    const refusal = async (args: string[], stdin = "") => {
      const { code, stderr } = await chatd(["admin", "webhook", ...args, ...place], { stdin });
      return `${code} ${stderr}`;
    };
    return { place, admin, refusal };
  }

  test("sets, lists and removes templates", async () => {
    const { place, admin, refusal } = await provision();
    const template = { name: "shop", topic: "{shop|orders}", content: "**{title}**\n{note:quote}" };
    const set = ["webhook", "template", "set", "shop", "{shop|orders}"];
    expect((await admin(...set, "**{title}**\\n{note:quote}")).webhook_template).toEqual(template);
    expect((await admin("webhook", "template", "list")).webhook_templates).toEqual([template]);
    const { stdout } = await mustChatd(["admin", "webhook", "template", "list", ...place]);
    expect(stdout).toMatch(/NAME +TOPIC +CONTENT\nshop +\{shop\|orders\} +\*\*\{title\}/);
    expect(await refusal(["template", "set", "shop", "a", "{b"])).toStartWith(
      "1 chatd: The template has a brace",
    );
    expect(await refusal(["template", "set", "github", "a", "b"])).toContain("choose another name");
    expect((await admin("webhook", "template", "remove", "shop")).name).toBe("shop");
    expect(await refusal(["template", "remove", "shop"])).toStartWith(
      "1 chatd: There is no webhook template",
    );
  });

  test("I12: takes the secrets of bots from stdin, and prints none of them", async () => {
    const { place, admin, refusal } = await provision();
    const add = [
      "add",
      "post",
      "--name",
      "Post",
      "--owner",
      "alice@example.com",
      "--kind",
      "incoming-webhook",
    ];
    const { email } = (await admin("bot", ...add)).bot;
    const set = ["admin", "webhook", "secret", "set", email, "github", ...place];
    const { stdout } = await mustChatd(set, { stdin: "leek and potato\n" });
    expect(stdout).toBe(`Posts of github to ${email} must now be signed with it.\n`);
    expect((await admin("webhook", "secret", "list", email)).integrations).toEqual(["github"]);
    const { publicKey: key } = generateKeyPairSync("rsa", {
      modulusLength: 2_048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    const setKey = ["admin", "webhook", "secret", "set", email, "travis", ...place];
    await mustChatd(setKey, { stdin: key });
    expect((await admin("webhook", "secret", "list", email)).integrations).toEqual([
      "github",
      "travis",
    ]);
    expect(await refusal(["secret", "set", email, "travis"], "leek and potato\n")).toContain(
      "the sender's public key",
    );
    expect(await refusal(["secret", "set", email, "github"])).toStartWith(
      "2 chatd: There was no secret on stdin.",
    );
    expect(await refusal(["secret", "set", email, "json"], "leek and potato")).toContain(
      "are not signed",
    );
    expect(
      await refusal(["secret", "set", "bob@example.com", "github"], "leek and potato"),
    ).toContain("No such bot");
    await admin("webhook", "secret", "remove", email, "github");
    expect((await admin("webhook", "secret", "list", email)).integrations).toEqual(["travis"]);
  });

  test("tests an outgoing webhook: shows what is posted and answered and how long that took, and says nothing", async () => {
    const { place, admin } = await provision();
    const receiver = startReceiver();
    const add = [
      "add",
      "cook",
      "--name",
      "Cook",
      "--owner",
      "alice@example.com",
      "--kind",
      "outgoing-webhook",
    ];
    const { email } = (await admin("bot", ...add, "--payload-url", receiver.url)).bot;
    const run = ["admin", "webhook", "test", email, ...place];
    const refused = await chatd(run);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("is not on the open internet");
    expect(receiver.received).toEqual([]);
    const env = { CHATD_OUTBOUND_NETWORKS_ALLOWED: "127.0.0.1" };
    receiver.answer(({ json }) => ({ content: `to ${json.message.sender_full_name}: yes` }));
    const { stdout } = await mustChatd([...run, "--message", "is there *soup*?"], { env });
    expect(stdout).toStartWith(
      `POST ${receiver.url}\nContent-Type: application/json\n\n{\n  "bot_email": "${email}"`,
    );
    expect(stdout).toContain('"data": "is there *soup*?"');
    expect(stdout).toContain('"token": "(hidden)"');
    expect(stdout).toMatch(
      /Answered 200 after \d+ ms:\n\{\n {2}"content": "to Alice: yes"\n\}\n\nThe bot would say: to Alice: yes/,
    );
    expect(receiver.received[0]?.json).toMatchObject({
      trigger: "direct_message",
      token: expect.stringMatching(/^\w{32}$/),
    });
    receiver.answer(() => new Response("no", { status: 500 }));
    const failed = await chatd([...run, "--json"], { env });
    expect([failed.code, failed.json()]).toMatchObject([
      1,
      { is_good: false, answer: { status: 500 }, reply: null },
    ]);
    const person = await chatd(["admin", "webhook", "test", "bob@example.com", ...place]);
    expect(person.stderr).toStartWith("chatd: bob@example.com is no outgoing webhook.");
    await receiver.close();
  });
});
