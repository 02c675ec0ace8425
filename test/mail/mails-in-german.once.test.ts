import { afterEach, beforeEach, expect, test } from "bun:test";
import { beginMails } from "../../src/mail/begin";
import { setPassword } from "../../src/management/accounts/update";
import { Browser } from "../support/browser";
import { linkIn, type Received, type Relay, startRelay } from "../support/servers/relay";
import { makeWorld, type World, worldHost } from "../support/world";

/*
 * Mails beside those of `test/sign-in/languages.once.test.ts`, in German and with times of Berlin.
 */

const goodPassword = "correct-horse-battery";
const german = { default_language: "de", timezone: "Europe/Berlin" };
const day = 86_400;

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

const browser = () => new Browser(world.site, worldHost);

/** The mails that have come since the last call, each of which has to be in German. */
async function germanMails(): Promise<Received[]> {
  for (let i = 0; i < 3; i += 1) await world.pass(0);
  const received = relay.received.splice(0);
  for (const { mail } of received) expect(mail.html).toContain('<html lang="de">');
  return received;
}

const subjectsOf = (received: Received[]) => received.map(({ to, mail }) => [to[0], mail.subject]);

test("somebody who reads German is mailed a login link and of a new sign-in, with times of Berlin", async () => {
  const { alice, operator } = world;
  await alice.patch("/settings", german);
  await browser().submit("/login/mail", { email: alice.email });
  const [link] = await germanMails();
  expect(link?.mail.subject).toBe("Bei Acme anmelden");
  expect(link?.mail.text).toContain("bis 1. Januar 2026 um 02:00 MEZ.");
  await setPassword(operator, alice.id, goodPassword);
  world.clock.advance(3_600);
  await browser().submit("/login", { email: alice.email, password: goodPassword });
  const [word] = await germanMails();
  expect(word?.mail.subject).toBe("Neue Anmeldung bei Acme");
  expect(word?.mail.text).toContain("von 127.0.0.1, am 1. Januar 2026 um 02:00 MEZ");
});

test("somebody who reads German is asked at the new address, and told at the former one", async () => {
  const { alice, operator } = world;
  await alice.patch("/settings", german);
  await setPassword(operator, alice.id, goodPassword);
  const email = "alice@example.net";
  await alice.patch("/settings", { email, old_password: goodPassword });
  const asked = await germanMails();
  expect(subjectsOf(asked)).toEqual([[email, "Deine neue Adresse bei Acme"]]);
  const [question] = asked;
  if (!question) throw new Error("There is no mail.");
  expect(question.mail.text).toContain("bis 2. Januar 2026 um 01:00 MEZ.");
  const path = new URL(linkIn(question, "/account/address/")).pathname;
  expect(await (await browser().open(path)).text()).toContain("Ja, diese Adresse verwenden");
  await browser().submit(path);
  expect(subjectsOf(await germanMails())).toEqual([
    ["alice@example.com", "Deine Adresse bei Acme wurde geändert"],
  ]);
});

test("somebody who reads German is told that their account has ended, with what administrators add", async () => {
  const { alice, adam } = world;
  await alice.patch("/settings", german);
  const comment = "Danke für alles.";
  await adam.delete(`/users/${alice.id}`, { deactivation_notification_comment: comment });
  const [told] = await germanMails();
  expect(told?.mail.subject).toBe("Dein Konto bei Acme wurde deaktiviert");
  expect(told?.mail.text).toContain("Die Administratoren schreiben dazu:");
  expect(told?.mail.text).toContain(comment);
});

test("somebody who reads German gets the week in German", async () => {
  const { alice, bob, olga } = world;
  await beginMails(world.app);
  await alice.patch("/settings", german);
  await olga.patch("/realm", { digest_emails_enabled: true, digest_weekday: 3 });
  for (let i = 0; i < 4; i += 1) await world.pass(day);
  await bob.say("general", "lunch", "soup");
  for (let i = 0; i < 3; i += 1) await world.pass(day);
  for (let i = 0; i < 3; i += 1) await world.pass(30);
  const weeks = relay.received.filter(({ to }) => to.includes(alice.email));
  const week = weeks.find(({ mail }) => mail.subject === "Die Woche bei Acme");
  expect(week?.mail.html).toContain('<html lang="de">');
  expect(week?.mail.text).toContain(
    "Diese Mail bekommst du einmal in der Woche, wenn du nicht da warst.",
  );
});

test("where an organization speaks German, who asks to join is mailed in German, also who is in it", async () => {
  const { olga } = world;
  await olga.patch("/realm", { default_language: "de", invite_required: false });
  await browser().submit("/register", { email: "nina@example.com" });
  const [joining] = await germanMails();
  expect(joining?.mail.subject).toBe("Acme beitreten");
  expect(joining?.mail.text).toContain("Er gilt einmal, bis 2. Januar 2026 um 00:00 UTC.");
  await world.alice.patch("/settings", { default_language: "de" });
  await browser().submit("/register", { email: world.alice.email });
  expect(subjectsOf(await germanMails())).toEqual([
    [world.alice.email, "Du bist schon Mitglied von Acme"],
  ]);
});
