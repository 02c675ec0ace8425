import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { write } from "../../src/core/write";
import { cancelMail } from "../../src/letters/cancel";
import type { Mail } from "../../src/letters/envelope";
import { link, note, paragraph } from "../../src/letters/letter";
import { queueMail } from "../../src/letters/queue";
import { testMail } from "../../src/mail/test-mail";
import { tidyUnsent } from "../../src/mail/tidy-unsent";
import { toldDirectly } from "../support/invitations";
import { outcomeOf } from "../support/outcome";
import { until } from "../support/polls";
import { beginMailsOfOne } from "../support/servers/mails-of-one";
import { makeCertificate, type Received, type Relay, startRelay } from "../support/servers/relay";
import { makeWorld, type World } from "../support/world";

let world: World;
let relay: Relay;
beforeEach(async () => {
  relay = await startRelay();
  world = await makeWorld(relay.flags);
});
afterEach(async () => {
  await world.close();
  await relay.close();
});

const letter = [
  paragraph("Soup is at noon."),
  link("Come", "https://chat.example.com/x"),
  note("Not for you?"),
];
const mailTo = (email: string, more: Partial<Mail> = {}): Mail => ({
  to: { email, fullName: "Nina" },
  subject: "Soup",
  language: "en",
  letter,
  about: "the menu",
  ...more,
});
const queue = (mail: Mail) => write(world.operator, (tx) => queueMail(tx, world.operator, mail));
const logged = (event: string) =>
  world.logged.map((line) => JSON.parse(line)).filter((line) => line.event === event);
/** The one mail that the relay has taken. */
function only(): Received {
  const [first, ...rest] = relay.received;
  if (!first || rest.length > 0) throw new Error(`there are ${relay.received.length} mails`);
  return first;
}
const mailsWaiting = async (app = world.app) =>
  (await app.jobs.list()).filter(({ name }) => name === "mail");
const jobs = () => mailsWaiting();

test("a mail arrives as it was written, in plain text and in HTML, from the organization", async () => {
  await queue(mailTo("nina@example.org"));
  await world.pass(0);
  const { from, to, mail, raw } = only();
  expect([from, to]).toEqual(["chat@example.com", ["nina@example.org"]]);
  expect(mail).toMatchObject({
    subject: "Soup",
    from: { name: "Acme", address: "chat@example.com" },
    to: [{ name: "Nina", address: "nina@example.org" }],
    messageId: expect.stringMatching(/^<[0-9a-f-]{36}@example\.com>$/),
  });
  expect(mail.text).toBe(
    "Soup is at noon.\n\nCome:\nhttps://chat.example.com/x\n\n-- \nNot for you?\n",
  );
  expect(mail.html).toContain('<a href="https://chat.example.com/x"');
  expect(raw).toContain("Auto-Submitted: auto-generated");
  expect([mail.replyTo, await jobs()]).toEqual([undefined, []]);
  expect(logged("mail_sent")[0]).toMatchObject({
    to: "nina@example.org",
    response: "250 queued as 1",
  });
});

test("a mail is part of the write that causes it: what is undone sends nothing", async () => {
  const undone = write(world.operator, async (tx) => {
    await queueMail(tx, world.operator, mailTo("nina@example.org"));
    throw new Error("on purpose");
  });
  expect(await outcomeOf(undone)).toThrow("on purpose");
  await world.pass(60);
  expect([relay.received, await jobs()]).toEqual([[], []]);
});

const turnRelay = ({ app }: World, smtpRelayHost: string | undefined) =>
  Object.assign(app, { config: { ...app.config, smtpRelayHost } });

test("without a relay nothing is sent and nothing waits", async () => {
  const quiet = await makeWorld();
  expect(
    await write(quiet.operator, (tx) => queueMail(tx, quiet.operator, mailTo("nina@example.org"))),
  ).toBe(false);
  expect(await quiet.app.jobs.list()).toEqual([]);
  await quiet.close();
});

describe("what the relay answers", () => {
  test("'come again' is followed by another try, with the same Message-ID, until it takes it", async () => {
    relay.answers.push({ code: 451, text: "busy" }, { code: 421, text: "busier" });
    await queue(mailTo("nina@example.org"));
    await world.pass(0);
    expect(await jobs()).toMatchObject([{ name: "mail", attempts: 1, state: "waiting" }]);
    await world.pass(5);
    expect([relay.received.length, (await jobs())[0]?.attempts]).toEqual([0, 2]);
    await world.pass(15);
    expect([relay.received.length, await jobs()]).toEqual([1, []]);
    const { messageId } = only().mail;
    expect(relay.offered).toEqual(Array.from({ length: 3 }, () => messageId ?? "none"));
  });

  test("a refusal is final: it is logged and told to whom it concerns, as text that mentions nobody", async () => {
    relay.refuse("nina@example.org");
    await queue(mailTo("nina@example.org", { tellUserId: world.alice.id }));
    await world.pass(0);
    expect([relay.received, await jobs()]).toEqual([[], []]);
    expect(logged("mail_refused")).toMatchObject([{ about: "the menu", to: "nina@example.org" }]);
    expect(await toldDirectly(world.alice)).toEqual([
      "The mail with the menu (nina@example.org) could not be delivered: `550 no such user '@**all**' here`",
    ]);
    expect(await toldDirectly(world.bob)).toEqual([]);
    await world.pass(100_000);
    expect(relay.connections()).toBe(1);
  });

  test("a refusal of the text is final too", async () => {
    relay.answers.push({ code: 554, text: "spam" });
    await queue(mailTo("nina@example.org"));
    await world.pass(0);
    expect([logged("mail_refused")[0]?.why, await jobs()]).toEqual(["554 spam", []]);
  });

  test("nothing at all ends the try in time; others wait a moment, and then all arrive", async () => {
    const slow = await startRelay();
    const other = await makeWorld({ ...slow.flags, smtp_relay_timeout_seconds: "1" });
    slow.hang();
    await write(other.operator, (tx) => queueMail(tx, other.operator, mailTo("a@example.org")));
    await other.pass(0);
    expect((await mailsWaiting(other.app))[0]?.last_error).toBe(
      "The mail server took longer than 1 seconds.",
    );
    await write(other.operator, (tx) => queueMail(tx, other.operator, mailTo("b@example.org")));
    await other.pass(0);
    expect([slow.connections(), (await mailsWaiting(other.app))[1]?.last_error]).toEqual([
      1,
      "The mail server could not be used a moment ago.",
    ]);
    await other.close();
    await slow.close();
  }, 15_000);

  test("a pause that began while the clock was ahead is over once the clock is right", async () => {
    const slow = await startRelay();
    const other = await makeWorld({ ...slow.flags, smtp_relay_timeout_seconds: "1" });
    other.clock.setForward(100_000);
    slow.hang();
    await write(other.operator, (tx) => queueMail(tx, other.operator, mailTo("a@example.org")));
    await other.pass(0);
    other.clock.setForward(-100_000);
    await write(other.operator, (tx) => queueMail(tx, other.operator, mailTo("b@example.org")));
    await other.pass(0);
    expect(slow.connections()).toBe(2);
    await other.close();
    await slow.close();
  }, 15_000);

  test("a text that was given over is waited for: a slow relay gets no mail twice", async () => {
    const slow = await startRelay();
    const other = await makeWorld({ ...slow.flags, smtp_relay_timeout_seconds: "1" });
    const release = slow.holdNext();
    await write(other.operator, (tx) => queueMail(tx, other.operator, mailTo("a@example.org")));
    const sending = other.pass(0);
    await until(() => slow.offered.length > 0);
    // The operator who tries it is nevertheless told in time: by then the mail has waited for
    // longer.
    slow.hang("afterText");
    const { isSent, outcome } = await testMail(other.operator, "nina@example.org");
    expect([isSent, outcome]).toEqual([false, "The mail server took longer than 1 seconds."]);
    release();
    await sending;
    await other.pass(100);
    expect([slow.received.length, slow.offered.length, await mailsWaiting(other.app)]).toEqual([
      1,
      1,
      [],
    ]);
    await other.close();
    await slow.close();
  }, 15_000);

  test("a mail whose text was given over when the server ends is not sent again", async () => {
    const release = relay.holdNext();
    await queue(mailTo("nina@example.org"));
    const sending = world.pass(0);
    await until(() => relay.offered.length > 0);
    const restarting = world.restart();
    release();
    await Promise.all([restarting, sending]);
    await world.pass(100);
    expect([relay.received.length, relay.offered.length]).toEqual([1, 1]);
  });

  test("a refusal of who sends is about the configuration: the mail waits until that is put right", async () => {
    relay.refuseSender();
    await queue(mailTo("nina@example.org", { tellUserId: world.alice.id }));
    await world.pass(0);
    expect(await jobs()).toMatchObject([
      { state: "waiting", attempts: 1, last_error: expect.stringContaining("530") },
    ]);
    expect([await toldDirectly(world.alice), logged("mail_refused")]).toEqual([[], []]);
  });

  test("a mail that waits outlives the server, and the relay", async () => {
    await relay.close();
    await queue(mailTo("nina@example.org"));
    await world.pass(0);
    expect((await jobs())[0]).toMatchObject({
      attempts: 1,
      last_error: expect.stringContaining("ECONNREFUSED"),
    });
    await world.restart();
    relay = await startRelay({}, relay.port);
    await world.pass(20);
    expect([relay.received.length, await jobs()]).toEqual([1, []]);
  });

  test("a mail whose attempts are used up stays on the list as failed, also without a relay, and is sent once the operator retries it", async () => {
    await relay.close();
    await queue(mailTo("nina@example.org", { tellUserId: world.alice.id }));
    await queue(mailTo("noel@example.org", { tellUserId: world.bob.id }));
    for (let attempts = 0; attempts < 21; attempts++) await world.pass(4 * 3600);
    const failed = await world.app.jobs.list({ onlyFailed: true });
    // The second one waits for the first one's failure, if both are due at once.
    const error = expect.stringMatching(/ECONNREFUSED|could not be used a moment ago/);
    expect(failed).toMatchObject([
      { name: "mail", state: "failed", attempts: 20, last_error: error },
      { name: "mail", state: "failed", attempts: 20, last_error: error },
    ]);
    expect(logged("mail_given_up")).toMatchObject([
      { about: "the menu", to: "nina@example.org" },
      { about: "the menu", to: "noel@example.org" },
    ]);
    for (const [person, address] of [
      [world.alice, "nina@example.org"],
      [world.bob, "noel@example.org"],
    ] as const)
      expect(await toldDirectly(person)).toEqual([
        expect.stringContaining(`The mail with the menu (${address}) could not be delivered`),
      ]);
    turnRelay(world, undefined);
    await world.pass(3 * 86_400);
    await tidyUnsent(world.app);
    turnRelay(world, "127.0.0.1");
    relay = await startRelay({}, relay.port);
    await world.app.jobs.retry([failed[0]?.id ?? 0]);
    await world.pass(0);
    expect(only().to).toEqual(["nina@example.org"]);
    await world.app.jobs.remove([failed[1]?.id ?? 0]);
    expect(await jobs()).toEqual([]);
    expect(await toldDirectly(world.bob)).toHaveLength(1);
  });

  test("on two nodes nobody gets it twice", async () => {
    await world.startNode();
    for (let i = 0; i < 20; i++) await queue(mailTo(`n${i}@example.org`));
    for (let i = 0; i < 4; i++) await world.pass(1);
    const to = relay.received.flatMap((one) => one.to);
    expect([to.length, new Set(to).size]).toEqual([20, 20]);
  });
});

describe("a mail that waits", () => {
  test("makes room for a later one of its key, can be taken back, and is not sent when it has expired", async () => {
    relay.answers.push({ code: 451, text: "busy" }, { code: 451, text: "busy" });
    await queue(mailTo("nina@example.org", { key: "a", subject: "Soup" }));
    await queue(mailTo("noel@example.org", { key: "b", expiresAt: world.clock.now() + 4 }));
    await world.pass(0);
    await queue(mailTo("nina@example.org", { key: "a", subject: "Salad" }));
    await queue(mailTo("nora@example.org", { key: "c", notBefore: world.clock.now() + 60 }));
    await write(world.operator, (tx) => cancelMail(tx, world.realm.id, "c"));
    await world.pass(5);
    await world.pass(100);
    expect(relay.received.map(({ to, mail }) => [to[0], mail.subject])).toEqual([
      ["nina@example.org", "Salad"],
    ]);
    expect(logged("mail_dropped")).toMatchObject([
      { to: "noel@example.org", why: "it has expired" },
    ]);
  });

  test("I12: says in the database neither whom it is to nor what is in it", async () => {
    await queue(mailTo("nina@example.org", { notBefore: world.clock.now() + 60 }));
    const { db, t } = world.app.engine.reader;
    const [row] = await db.select().from(t.jobs).where(eq(t.jobs.name, "mail"));
    expect(row?.payload).not.toMatch(/nina|Soup|chat\.example/);
  });
});

describe("a server without a relay", () => {
  const dropped = () => logged("mail_dropped").map(({ why }) => why);

  test("leaves waiting mails until it has one", async () => {
    relay.answers.push({ code: 451, text: "busy" });
    await queue(mailTo("nina@example.org"));
    await world.pass(0);
    turnRelay(world, undefined);
    await world.pass(3_600);
    await tidyUnsent(world.app);
    expect([relay.received.length, (await jobs()).length, dropped()]).toEqual([0, 1, []]);
    turnRelay(world, "127.0.0.1");
    world.app.jobs.wake(0);
    await world.pass(0);
    expect([only().to, await jobs()]).toEqual([["nina@example.org"], []]);
  });

  test("leaves all mails to a node that has one", async () => {
    const other = await world.startNode();
    const notBefore = world.clock.now() + 1;
    for (let i = 0; i < 20; i++) await queue(mailTo(`n${i}@example.org`, { notBefore }));
    turnRelay(world, undefined);
    for (let i = 0; i < 6; i++) {
      other.app.jobs.wake(0);
      await world.pass(1);
    }
    expect([relay.received.length, dropped()]).toEqual([20, []]);
  });

  test("goes on later with the search for missed messages where it was", async () => {
    await beginMailsOfOne(world);
    await world.pass(0);
    turnRelay(world, undefined);
    await world.bob.tell([world.alice], "one");
    await world.pass(180);
    turnRelay(world, "127.0.0.1");
    world.app.jobs.wake(0);
    for (let i = 0; i < 4; i++) await world.pass(120);
    expect(only().mail.subject).toBe("[Acme] Bob has written to you");
  });

  test("drops mails that nobody has tried to send for two days", async () => {
    const { app, clock } = world;
    await queue(mailTo("nina@example.org", { notBefore: clock.now() + 10 }));
    await queue(mailTo("noel@example.org", { notBefore: clock.now() + 86_400 }));
    turnRelay(world, undefined);
    await world.pass(2 * 86_400 + 11);
    await tidyUnsent(app);
    expect([dropped(), (await jobs()).length]).toEqual([["no relay is configured"], 1]);
    turnRelay(world, "127.0.0.1");
    app.jobs.wake(0);
    await world.pass(0);
    expect(only().to).toEqual(["noel@example.org"]);
  });
});

describe("the relay", () => {
  test("is spoken to over STARTTLS, with a certificate that is looked at, and signed in to", async () => {
    const { key, cert, file } = makeCertificate();
    const secure = await startRelay({
      key,
      cert,
      authOptional: false,
      onAuth: ({ username, password }, _session, callback) =>
        password === "hunter2" ? callback(null, { user: username }) : callback(new Error("wrong")),
    });
    const flags = {
      ...secure.flags,
      smtp_relay_security: "starttls",
      smtp_relay_user: "chatd",
      smtp_relay_password: "hunter2",
    };
    const trusting = await makeWorld({ ...flags, smtp_relay_ca_file: file });
    const result = await testMail(trusting.operator, "nina@example.org");
    expect(result).toMatchObject({ isSent: true, outcome: "250 queued as 1" });
    expect(JSON.stringify(result)).not.toMatch(/hunter2|aHVudGVyMg|AGNoYXRkAGh1bnRlcjI/);
    expect(secure.received).toMatchObject([{ user: "chatd", isEncrypted: true }]);
    await trusting.close();

    const distrusting = await makeWorld(flags);
    expect(await testMail(distrusting.operator, "nina@example.org")).toMatchObject({
      isSent: false,
      outcome: expect.stringMatching(/certificate/i),
    });
    await distrusting.close();

    const wrong = await makeWorld({
      ...flags,
      smtp_relay_ca_file: file,
      smtp_relay_password: "wrong",
    });
    await write(wrong.operator, (tx) => queueMail(tx, wrong.operator, mailTo("nina@example.org")));
    await wrong.pass(0);
    // Our own password is wrong, not the mail: it waits until somebody has put that right.
    expect((await mailsWaiting(wrong.app))[0]).toMatchObject({ state: "waiting", attempts: 1 });
    const before = secure.connections();
    await write(wrong.operator, (tx) => queueMail(tx, wrong.operator, mailTo("noel@example.org")));
    await wrong.pass(0);
    expect(secure.connections()).toBe(before);
    await wrong.close();
    await secure.close();
  }, 15_000);

  test("that speaks no TLS gets nothing where TLS is wanted", async () => {
    const strict = await makeWorld({ ...relay.flags, smtp_relay_security: "starttls" });
    expect((await testMail(strict.operator, "nina@example.org")).isSent).toBe(false);
    expect(relay.received).toEqual([]);
    await strict.close();
  });
});

test("F6: names and texts of people break out of neither headers nor HTML", async () => {
  const evil = 'Nina"\r\nBcc: victim@example.net\r\n\r\n<script>alert(1)</script>\u202e';
  await queue({
    to: { email: "nina@example.org", fullName: evil },
    subject: evil,
    language: "en",
    about: "a test",
    letter: [
      paragraph(evil),
      link(evil, 'https://chat.example.com/"><script>'),
      note(evil, { label: evil, url: "https://x" }),
    ],
  });
  await world.pass(0);
  const [received] = relay.received;
  expect(received?.to).toEqual(["nina@example.org"]);
  expect(received?.mail.headers.filter(({ key }) => key === "bcc")).toEqual([]);
  expect(received?.mail.subject).toBe('Nina" Bcc: victim@example.net <script>alert(1)</script>');
  expect(received?.mail.html).not.toMatch(/<script|"><s/);
});
