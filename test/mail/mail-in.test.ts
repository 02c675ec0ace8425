import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ownMailHeader, ownMailMark } from "../../src/core/own-mail";
import { fastestRun } from "../support/cpu-time";
import { filesOf, open } from "../support/files";
import { until } from "../support/polls";
import { addressOf, mailDomain, openMail, type Sender, speak } from "../support/servers/mail";
import { newest } from "../support/servers/webhooks";
import { makeWorld, type World } from "../support/world";

let world: World;
let outside: Sender;
let general: string;
beforeAll(async () => {
  world = await makeWorld({ channel_email_domain: mailDomain, max_file_upload_size_mib: "1" });
  outside = await openMail(world.app);
  general = await addressOf(world.alice, world.channels.general);
});
afterAll(async () => {
  await outside.close();
  await world.close();
});

const accepted = /^250 /;

/**
 * Sends a mail to the address of general, and answers the topic and the text of what came of it.
 */
async function posted(
  mail: Parameters<Sender["send"]>[0],
  to = general,
): Promise<[string, string]> {
  expect(await outside.send({ to, ...mail })).toMatch(accepted);
  const { subject, content } = await newest(world.alice);
  return [subject, content];
}

const from = "From: Otto Outside &lt;otto@outside.example&gt;"
  .replaceAll("&lt;", "<")
  .replaceAll("&gt;", ">");

describe("A mail to a channel", () => {
  test("becomes a message there, of which those who are in the channel hear", async () => {
    const { alice, otto } = world;
    const [hers, his] = [await alice.register(), await otto.register()];
    const content = `${from}\n\nThe soup is ready.`;
    expect(await posted({ subject: "lunch", text: "The soup is ready.\n" })).toEqual([
      "lunch",
      content,
    ]);
    const [event] = await hers.events();
    const { sender_full_name, client, subject } = event.message;
    expect([sender_full_name, client, subject]).toEqual(["Email Gateway", "EmailGateway", "lunch"]);
    expect((await his.events()).filter(({ type }) => type === "message")).toEqual([]);
  });

  test("comes from the person or the bot whose address it is", async () => {
    const { alice, robot, channels } = world;
    const mine = await addressOf(alice, channels.general, alice.id);
    expect(await posted({ subject: "mine", text: "from my phone" }, mine)).toEqual([
      "mine",
      "from my phone",
    ]);
    expect((await newest(alice)).sender_id).toBe(alice.id);
    await posted(
      { subject: "its", text: "beep" },
      await addressOf(alice, channels.general, robot.id),
    );
    expect((await newest(alice)).sender_id).toBe(robot.id);
  });

  test("brings its files, which those who read the message can open", async () => {
    const { alice, bob, greta } = world;
    const attachments = [
      { filename: "../menu.txt", content: "soup" },
      { filename: "huge.bin", content: Buffer.alloc(1_200_000) },
    ];
    const [, content] = await posted({ subject: "menu", text: "Here it is", attachments });
    const url = /\[[^\]]*menu\.txt\]\((\/user_uploads\/[^)]+)\)/.exec(content)?.[1] ?? "";
    expect(await (await open(bob, url)).text()).toBe("soup");
    expect((await open(greta, url)).status).not.toBe(200);
    expect(content).toContain("huge.bin: A file may have at most 1 MiB.");
    expect((await filesOf(alice)).attachments).toEqual([]);
  });

  test("loses the mail that it answers and the signature, unless its address asks for them", async () => {
    const answered =
      "On Monday, 16 November 2026 at 10:00,\nAlice <alice@example.com> wrote:\n> Is there soup?\n> Alice";
    const text = `Yes.\n\n> a quotation between\n\nAnd bread.\n\n${answered}\n`;
    const short = "Yes.\n\n> a quotation between\n\nAnd bread.";
    expect(await posted({ subject: "Re: AW: soup", text })).toEqual([
      "soup",
      `${from}\n\n${short}`,
    ]);
    expect((await posted({ subject: "sig", text: "Hello\n-- \nOtto\nChef" }))[1]).toBe(
      `${from}\n\nHello`,
    );
    const outlook =
      "Fine.\n\n-----Original Message-----\nFrom: Alice\nSent: Monday\n\nIs there soup?";
    expect((await posted({ subject: "Re: soup", text: outlook }))[1]).toBe(`${from}\n\nFine.`);
    const whole = general.replace("@", "+include-quotes+include-footer@");
    expect((await posted({ subject: "whole", text: `${text}-- \nOtto` }, whole))[1]).toContain(
      "> Is there soup?\n> Alice\n-- \nOtto",
    );
    expect((await posted({ subject: "Fwd: soup", text: outlook }))[1]).toContain("Is there soup?");
  });

  test("in HTML is shown as text, and its text is preferred where it has both", async () => {
    const html =
      '<h1>Menu</h1><p>Soup &amp; <a href="https://example.com/b">bread</a></p><blockquote type="cite">old</blockquote>';
    const [, content] = await posted({ subject: "menu", html });
    expect(content).toBe(`${from}\n\nMenu\n\nSoup & bread <https://example.com/b>`);
    expect((await posted({ subject: "menu", html, text: "plain" }))[1]).toBe(`${from}\n\nplain`);
    const preferring = general.replace("@", "+prefer-html@");
    expect((await posted({ subject: "menu", html, text: "plain" }, preferring))[1]).toContain(
      "Menu",
    );
  });

  test("mentions nobody, and cannot end what it stands in", async () => {
    const { bob } = world;
    const queue = await bob.register();
    const said = { name: "**@all** @**Bob**", address: "otto@outside.example" };
    await posted({
      from: said,
      subject: "@**all**",
      text: "@**all** @**Bob** @*admins* <script>alert(1)</script>",
    });
    const [event] = await queue.events();
    expect(event.flags).toEqual([]);
    expect(event.message.content).not.toContain("user-mention");
    expect(event.message.content).not.toContain("<script");
  });

  test("has a topic and a text whatever it brings", async () => {
    const { olga, alice } = world;
    expect(await posted({ text: "x" })).toEqual(["Mail without a subject", `${from}\n\nx`]);
    expect((await posted({ subject: "empty", text: "" }))[1]).toBe(
      `${from}\n\n(This mail has no text.)`,
    );
    const [topic, content] = await posted({ subject: "t".repeat(200), text: "é".repeat(20_000) });
    expect([topic.length, topic.endsWith("...")]).toEqual([60, true]);
    expect([...content].length).toBe(10_000);
    expect(content).toEndWith("[message truncated]");
    const { body } = await olga.post("/channels/create", {
      name: "one topic",
      subscribers: [alice.id, olga.id],
      topics_policy: "empty_topic_only",
    });
    expect((await posted({ subject: "news", text: "x" }, await addressOf(alice, body.id)))[0]).toBe(
      "general chat",
    );
  });

  test("with more files than a message has room for says what it says", async () => {
    const attachments = Array.from({ length: 60 }, (_, index) => ({
      filename: `${index}-${"long".repeat(60)}.txt`,
      content: String(index),
    }));
    const [, content] = await posted({
      subject: "many",
      text: `Here they are. ${"x".repeat(9_000)}`,
      attachments,
    });
    expect(content).toStartWith(`${from}\n\nHere they are. xxx`);
    expect(content).toContain("](/user_uploads/");
    expect([...content].length).toBeLessThanOrEqual(10_000);
  });

  test("reads words in any encoding", async () => {
    const text = "Füße, 日本語, 🎉";
    expect(await posted({ subject: text, text, textEncoding: "quoted-printable" })).toEqual([
      text,
      `${from}\n\n${text}`,
    ]);
  });
});

describe("Mail is refused", () => {
  const unknown = "550 5.1.1 There is no such address here";

  test("at once, to an address that is none, is replaced, or of a channel that is archived", async () => {
    const { olga, alice, channels } = world;
    const wrong = [
      `general@${mailDomain}`,
      general.replace(/[0-9a-f]@/, "!@"),
      general.replace("@", "+run@"),
    ];
    for (const to of [...wrong, general.replace(mailDomain, "example.com"), "olga@example.com"]) {
      expect(await outside.send({ to, subject: "x", text: "x" })).toBe(unknown);
    }
    await olga.post("/users/me/subscriptions", {
      subscriptions: [{ name: "gone" }],
      principals: [alice.id],
    });
    const { body } = await olga.get("/get_stream_id", { stream: "gone" });
    const gone = await addressOf(alice, body.stream_id);
    await olga.delete(`/streams/${body.stream_id}`);
    expect(await outside.send({ to: gone, subject: "x", text: "x" })).toBe(unknown);
    expect(channels.general).not.toBe(body.stream_id);
  });

  test("A1: for somebody who may not post there any more", async () => {
    const { alice, bob, channels } = world;
    const his = await addressOf(bob, channels.secret, bob.id);
    expect(await outside.send({ to: his, subject: "in", text: "still in" })).toMatch(accepted);
    await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
    const answer = await outside.send({ to: his, subject: "out", text: "not any more" });
    expect(answer).toStartWith("550 5.7.1 ");
    const narrow = [{ operator: "search", operand: "any more" }];
    const read = await alice.get("/messages", {
      anchor: "newest",
      num_before: 5,
      num_after: 0,
      narrow,
    });
    expect(read.body.messages).toEqual([]);
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [bob.id],
    });
  });

  test("where it goes in circles, and dropped where a program has answered", async () => {
    const before = (await newest(world.alice)).id;
    const own = { [ownMailHeader]: ownMailMark(world.app.secrets) };
    const circle = "554 5.4.6 This mail goes in circles";
    expect(await outside.send({ to: general, subject: "x", text: "x", headers: own })).toBe(circle);
    const hops = Array.from({ length: 60 }, (_, hop) => ({
      key: "Received",
      value: `from a${hop} by b`,
    }));
    expect(await outside.send({ to: general, subject: "x", text: "x", headers: hops })).toBe(
      circle,
    );
    for (const headers of [{ "Auto-Submitted": "auto-replied" }, { "X-Autoreply": "yes" }]) {
      expect(
        await outside.send({ to: general, subject: "Out of office", text: "x", headers }),
      ).toMatch(accepted);
    }
    expect((await newest(world.alice)).id).toBe(before);
  });
});

test("A mail that is sent again is posted once, and one to two channels in both", async () => {
  const { alice, channels } = world;
  const secret = await addressOf(alice, channels.secret);
  const mail = {
    messageId: "<1@outside.example>",
    date: new Date(0),
    subject: "twice",
    text: "only once",
  };
  for (let times = 0; times < 3; times += 1) await posted({ ...mail, to: [general, secret] });
  const narrow = [{ operator: "search", operand: "only once" }];
  const { body } = await alice.get("/messages", {
    anchor: "newest",
    num_before: 9,
    num_after: 0,
    narrow,
  });
  expect(
    body.messages.map(({ display_recipient }: { display_recipient: string }) => display_recipient),
  ).toEqual(["general", "secret"]);
  await posted({
    ...mail,
    text: "in two spellings",
    to: [general, general.toUpperCase(), general.replace(/^[^.]*\./, "")],
  });
  const spelled = [{ operator: "search", operand: "two spellings" }];
  const found = await alice.get("/messages", {
    anchor: "newest",
    num_before: 9,
    num_after: 0,
    narrow: spelled,
  });
  expect(found.body.messages).toHaveLength(1);
  await posted({ ...mail, text: "another one" });
  expect((await newest(alice)).content).toContain("another one");
  const { reader } = world.app.engine;
  await world.pass(8 * 86_400);
  await until(async () => (await reader.db.select().from(reader.t.receivedMails)).length === 0);
  await posted({ ...mail, to: general });
  expect((await newest(alice)).content).toContain("only once");
});

describe("H6: what a sender may take is bounded", () => {
  const begin = ["EHLO outside.example\r\n", "MAIL FROM:<>\r\n"];

  test("in bytes, whether it is announced or not", async () => {
    const small = await makeWorld({
      channel_email_domain: mailDomain,
      smtp_size_bytes_max: "65536",
    });
    const { server, close } = await openMail(small.app);
    const to = await addressOf(small.alice, small.channels.general);
    const body = `Subject: big\r\n\r\n${`${"x".repeat(70)}\r\n`.repeat(2_000)}.\r\n`;
    const answers = await speak(server.port, [
      ...begin,
      `RCPT TO:<${to}>\r\n`,
      "DATA\r\n",
      body,
      "QUIT\r\n",
    ]);
    expect(answers.map((line) => line.slice(0, 3))).toEqual([
      "220",
      "250",
      "250",
      "250",
      "354",
      "552",
      "221",
    ]);
    const announced = [
      "EHLO outside.example\r\n",
      "MAIL FROM:<a@outside.example> SIZE=99999999\r\n",
    ];
    expect((await speak(server.port, announced)).at(-1)).toStartWith("552");
    await close();
    await small.close();
  });

  test("in recipients, and in connections of one address", async () => {
    const { server } = outside;
    const many = Array.from({ length: 25 }, (_, index) => `RCPT TO:<${index}.${general}>\r\n`);
    const answers = await speak(server.port, [...begin, ...many]);
    expect(answers.filter((line) => line.startsWith("452"))).toHaveLength(5);
    const few = await makeWorld({
      channel_email_domain: mailDomain,
      smtp_connections_per_minute_per_address: "2",
    });
    const mail = await openMail(few.app);
    const greetings: string[] = [];
    for (let times = 0; times < 3; times += 1)
      greetings.push((await speak(mail.server.port, [])).join().slice(0, 3));
    expect(greetings).toEqual(["220", "220", "421"]);
    await few.pass(60);
    expect((await speak(mail.server.port, [])).join().slice(0, 3)).toBe("220");
    await mail.close();
    await few.close();
  });

  test("in what keeps the server busy: lines, parts, and HTML that takes long to set", async () => {
    const unreadable = "554 5.6.0 This mail cannot be read";
    const send = async (mail: string) => {
      const lines = [...begin, `RCPT TO:<${general}>\r\n`, "DATA\r\n", `${mail}\r\n.\r\n`];
      return (await speak(outside.server.port, lines)).at(-1);
    };
    const parts = "Content-Type: multipart/mixed; boundary=b\r\n\r\n";
    expect(await send(`Subject: lines\r\n\r\n${"\r\n".repeat(150_000)}`)).toBe(unreadable);
    expect(await send(`Subject: parts\r\n${parts}${"--b\r\n\r\n".repeat(10_000)}`)).toBe(
      unreadable,
    );
    const html = `<p>Prices</p><table>${"<tr><td>soup<td>3".repeat(50_000)}`;
    const receive = async () => {
      const [, content] = await posted({ subject: "table", html });
      expect(content).toStartWith(`${from}\n\nPrices\n\nsoup 3`);
    };
    expect(await fastestRun(receive, 8_000)).toBeLessThan(8_000);
  });

  test("in depth", async () => {
    const parts = Array.from(
      { length: 200 },
      (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`,
    );
    const lines = [
      ...begin,
      `RCPT TO:<${general}>\r\n`,
      "DATA\r\n",
      `Subject: deep\r\n${parts.join("")}\r\n.\r\n`,
    ];
    expect((await speak(outside.server.port, lines)).at(-1)).toBe(
      "554 5.6.0 This mail cannot be read",
    );
  });
});
