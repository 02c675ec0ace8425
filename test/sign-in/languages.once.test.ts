import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { languageOf, timeText } from "../../src/core/language";
import { beginMails } from "../../src/mail/begin";
import { setPassword } from "../../src/management/accounts/update";
import { issueApiKey } from "../../src/sign-in/api-keys";
import { createLoginLink } from "../../src/sign-in/login-links";
import { Browser } from "../support/browser";
import { goodPassword, inviteByLink, signIn } from "../support/invitations";
import { linkIn, type Received, type Relay, startRelay } from "../support/servers/relay";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type World, worldHost } from "../support/world";

/* Pages and mails speak the language of the organization, and of the person where one is known. */

let world: World;
let relay: Relay;
const oneWorldForGroup = worldPerTest(
  async () => {
    relay = await startRelay();
    world = await makeWorld(relay.flags);
  },
  async () => {
    await world.close();
    await relay.close();
  },
);

/** The mails that have come since the last call. */
async function mails(): Promise<Received[]> {
  await world.pass(0);
  await world.pass(0);
  return relay.received.splice(0);
}

async function onlyMail(): Promise<Received> {
  const [first, ...rest] = await mails();
  if (!first || rest.length > 0) throw new Error("There is not one mail.");
  return first;
}

const browser = () => new Browser(world.site, worldHost);
const pageAt = async (address: string) =>
  (await browser().open(new URL(address, "https://chat.example.com").pathname)).text();
const german = { default_language: "de", timezone: "Europe/Berlin" };

describe("an organization whose language is German", () => {
  oneWorldForGroup();
  beforeAll(() => world.olga.patch("/realm", { default_language: "de" }));

  test.each([
    "/login",
    "/register",
    "/join/none",
    "/password/reset",
    "/password/reset/none",
    "/account",
    "/account/address/none",
    "/register/none",
    "/unsubscribe/digest/1/none",
    "/connect",
  ])("has %s in the language of the browser, else in its own", async (path) => {
    const languageFor = async (accepted: string | undefined) => {
      const headers: Record<string, string> =
        accepted === undefined ? {} : { "accept-language": accepted };
      const page = await (await browser().open(path, { headers })).text();
      return /<html lang="(\w+)"/.exec(page)?.[1];
    };
    for (const [accepted, language] of [
      [undefined, "de"],
      ["fr", "de"],
      ["*", "de"],
      ["en-US,en;q=0.5", "en"],
      ["fr,en;q=0.4,de;q=0.8", "de"],
      ["de;q=0,en", "en"],
    ] as const)
      expect([path, accepted, await languageFor(accepted)]).toEqual([path, accepted, language]);
  });
});

describe("an organization whose language is German", () => {
  beforeEach(() => world.olga.patch("/realm", { default_language: "de" }));

  test("has pages in German for who is not known yet, and English ones before", async () => {
    const page = await pageAt("/login");
    expect(page).toStartWith('<!doctype html><html lang="de">');
    expect(page).toContain("<h1>Bei Acme anmelden</h1>");
    expect(page).toContain("Kein Passwort oder Passwort vergessen?");
    expect(page).not.toContain("Deine Sitzung ist beendet.");
    const ended = await browser().open("/login?next=%2F&ended=true");
    expect(await ended.text()).toContain("Deine Sitzung ist beendet. Melde dich neu an");
    expect(await pageAt("/password/reset")).toContain("Ein neues Passwort wählen");
    expect(await pageAt("/register")).toContain("Acme beitreten");
    expect(await pageAt("/join/none")).toContain("Dieser Link funktioniert nicht");
    await world.olga.patch("/realm", { default_language: "fr" });
    expect(await pageAt("/login")).toStartWith('<!doctype html><html lang="en">');
  });

  test("says in German that a password is wrong", async () => {
    const answer = await browser().submit("/login", { email: "a@example.com", password: "no" });
    expect(await answer.text()).toContain("Deine E-Mail-Adresse oder dein Passwort ist falsch.");
  });

  test("refuses in German at the login: what is no address, too many tries, an organization that rests", async () => {
    const { olga } = world;
    const alertAt = async (fields: Record<string, string>, headers = {}) => {
      const answer = await browser().submit("/login", fields, headers);
      return /role="alert">([^<]*)</.exec(await answer.text())?.[1];
    };
    expect(await alertAt({ email: "alice", password: "x" })).toContain(
      "„alice“ ist keine gültige E-Mail-Adresse.",
    );
    expect(await alertAt({})).toBe("Gib deine E-Mail-Adresse ein.");
    expect((await olga.post("/realm/deactivate")).status).toBe(200);
    const { email } = olga;
    expect(await alertAt({ email, password: "x" })).toBe("Diese Organisation ist deaktiviert.");
  });

  test("tells in German that a form is of another session", async () => {
    const { alice, operator } = world;
    await alice.patch("/settings", german);
    const { url } = await createLoginLink(operator, alice.id, 3_600);
    const theirs = browser();
    await theirs.submit(new URL(url).pathname, {});
    const answer = await theirs.submit("/account/key", { csrf_token: "0".repeat(128) });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("Diese Seite gehört zu einer anderen Sitzung.");
    await mails();
  });

  test("refuses in German: no address, a form of another site, a password that is too short", async () => {
    const ask = async (path: string, fields: Record<string, string>, headers = {}) =>
      (await browser().submit(path, fields, headers)).text();
    expect(await ask("/password/reset", { email: "alice" })).toContain("Gib deine E-Mail-Adresse");
    const { email } = world.alice;
    const elsewhere = { origin: "https://evil.example" };
    const foreign = await ask("/password/reset", { email }, elsewhere);
    expect(foreign).toContain("Diese Anfrage kam von einer anderen Website.");
    await world.alice.post("/invites", { invitee_emails: "nina@example.com", stream_ids: [] });
    const join = new URL(linkIn(await onlyMail(), "/join/")).pathname;
    const short = await ask(join, { full_name: "Nina", password: "short" });
    expect(short).toContain("Ein Passwort muss 8 bis 100 Zeichen haben.");
  });

  test("says in German what is wrong with a name, and with an address that has been taken", async () => {
    const { alice, olga, bob } = world;
    await olga.patch("/realm", { require_unique_names: true });
    await alice.post("/invites", { invitee_emails: "nina@example.com", stream_ids: [] });
    const join = new URL(linkIn(await onlyMail(), "/join/")).pathname;
    const refusalOf = async (name: string, at = join) => {
      const answer = await browser().submit(at, { full_name: name, password: "x".repeat(12) });
      const page = await answer.text();
      return [answer.status, /role="alert">([^<]*)</.exec(page)?.[1]];
    };
    expect(await refusalOf("")).toEqual([400, "Gib deinen Namen ein."]);
    expect(await refusalOf("Bob")).toEqual([400, "Der Name Bob ist schon vergeben."]);
    expect(await refusalOf("B\u043eb")).toEqual([
      400,
      "Der Name B\u043eb sieht aus wie der einer anderen Person. Wähle einen anderen.",
    ]);
    expect(await refusalOf("n".repeat(101))).toEqual([
      400,
      "Der Name ist zu lang: Er darf höchstens 100 Zeichen haben.",
    ]);
    expect(await refusalOf("Nina|7")).toEqual([
      400,
      expect.stringContaining("nicht auf | und eine Zahl enden."),
    ]);
    await olga.patch("/realm", { invite_required: false });
    await browser().submit("/register", { email: "noel@example.com" });
    const register = new URL(linkIn(await onlyMail(), "/register/")).pathname;
    await olga.patch(`/users/${bob.id}`, { new_email: "noel@example.com" });
    expect(await refusalOf("Noel", register)).toEqual([
      400,
      "Die E-Mail-Adresse noel@example.com gehört schon jemandem.",
    ]);
  });

  test("says in German which addresses it does not accept, and in English to programs", async () => {
    const { olga } = world;
    await olga.patch("/realm", { invite_required: false });
    await olga.post("/realm/domains", { domain: "example.net", allow_subdomains: false });
    await olga.patch("/realm", { emails_restricted_to_domains: true });
    const ask = async (email: string) => (await browser().submit("/register", { email })).text();
    expect(await ask("nina@example.org")).toContain("akzeptiert keine Adressen von example.org");
    expect(await ask("nina+a@example.net")).toContain("keine Adressen mit einem Pluszeichen");
    expect(await ask("nina")).toContain("„nina“ ist keine gültige E-Mail-Adresse.");
    const { body } = await olga.post("/users", {
      email: "nina@example.org",
      full_name: "Nina",
      password: "x".repeat(12),
    });
    expect(body).toEqual({
      result: "error",
      code: "BAD_REQUEST",
      msg: "This organization accepts no addresses of example.org: an owner can add the domain.",
    });
  });

  test("tells in German which API keys have ended", async () => {
    const { alice, operator } = world;
    await alice.patch("/settings", german);
    for (let count = 1; count <= 20; count += 1)
      await issueApiKey(operator, alice.id, `laptop ${count}`);
    const { url } = await createLoginLink(operator, alice.id, 3_600);
    const theirs = browser();
    await theirs.submit(new URL(url).pathname, {});
    const page = await (await theirs.submit("/account/key", {})).text();
    expect(page).toContain("Ein Konto hat höchstens 20 API-Schlüssel: Der am längsten unbenutzte");
    await mails();
  });

  test("invites in German, by mail and on the page, to a role of that name", async () => {
    const invited = { invitee_emails: "nina@example.com", stream_ids: [] };
    await world.alice.post("/invites", invited);
    const received = await onlyMail();
    expect(received.mail.subject).toBe("Alice lädt dich zu Acme ein");
    expect(received.mail.html).toContain('<html lang="de">');
    expect(received.mail.text).toContain("bis 11. Januar 2026 um 00:00 UTC.");
    const page = await pageAt(linkIn(received, "/join/"));
    expect(page).toContain("Alice lädt dich als Mitglied ein.");
    expect(page).toContain("Ein Passwort aus mindestens");
  });
});

describe("somebody who joins", () => {
  const languageOfNew = async (email: string) => {
    const client = await signIn(world, email);
    const { body } = await client.post("/register", { event_types: ["user_settings"] });
    return body.user_settings.default_language;
  };
  const form = { full_name: "Nina", password: goodPassword };

  test.each([
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["en;q=0.5,fr-CA", "fr"],
    ["pt-BR,pt;q=0.9", "pt-br"],
    ["zh-TW", "zh-hant"],
    ["xx,*;q=0.5", "sv"],
    ["", "sv"],
  ])("with a browser that likes %p has the language %p from the beginning", async (liked, code) => {
    await world.olga.patch("/realm", { default_language: "sv" });
    const { url } = await inviteByLink(world, "nina@example.com");
    const headers = { "accept-language": liked };
    const joined = await browser().submit(new URL(url).pathname, form, headers);
    expect(joined.status).toBe(303);
    expect(await languageOfNew("nina@example.com")).toBe(code);
  });

  test("without an invitation gets the link in the language of the page, and keeps it", async () => {
    await world.olga.patch("/realm", { invite_required: false });
    const headers = { "accept-language": "de-DE" };
    await browser().submit("/register", { email: "nina@example.com" }, headers);
    const received = await onlyMail();
    expect(received.mail.subject).toBe("Acme beitreten");
    expect(received.mail.text).toContain("Er gilt einmal, bis 2. Januar 2026 um 00:00 UTC.");
    const { pathname } = new URL(linkIn(received, "/register/"));
    expect((await browser().submit(pathname, form, headers)).status).toBe(303);
    expect(await languageOfNew("nina@example.com")).toBe("de");
  });
});

describe("somebody who reads German in Berlin", () => {
  test("gets mails in German with times of Berlin, while the organization speaks English", async () => {
    await world.alice.patch("/settings", german);
    await browser().submit("/password/reset", { email: world.alice.email });
    const { mail } = await onlyMail();
    expect(mail.subject).toBe("Dein neues Passwort für Acme");
    expect(mail.text).toContain("Hallo Alice,");
    expect(mail.text).toContain("bis 1. Januar 2026 um 02:00 MEZ.");
  });

  test("opens the link in it to a page in German, and another's page stays English", async () => {
    await world.alice.patch("/settings", german);
    for (const { email } of [world.alice, world.bob])
      await browser().submit("/password/reset", { email });
    const received = await mails();
    const pageOf = async (email: string) => {
      const theirs = received.find(({ to }) => to.includes(email));
      return theirs ? pageAt(linkIn(theirs, "/password/reset/")) : "";
    };
    expect(await pageOf(world.alice.email)).toContain("Neues Passwort");
    expect(await pageOf(world.bob.email)).toContain("New password");
  });

  test("reads the page of their account in German, with times of Berlin", async () => {
    const { alice, operator } = world;
    await alice.patch("/settings", german);
    const { url } = await createLoginLink(operator, alice.id, 3_600);
    const theirs = browser();
    await theirs.submit(new URL(url).pathname, {});
    const page = await (await theirs.open("/account")).text();
    expect(page).toContain("Du bist bei <b>Acme</b> als alice@example.com angemeldet (Mitglied).");
    expect(page).toContain(">1. Januar 2026 um 01:00 MEZ</time>");
    await mails();
  });

  test("reads in German in which browsers they are signed in", async () => {
    const { alice, operator, clock } = world;
    await alice.patch("/settings", german);
    await setPassword(operator, alice.id, goodPassword);
    const signInBy = async (agent: string) => {
      const theirs = browser();
      const form = { email: alice.email, password: goodPassword };
      await theirs.submit("/login", form, { "user-agent": agent });
      return theirs;
    };
    await signInBy("curl/8");
    clock.advance(3_600);
    const theirs = await signInBy("Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Firefox/150.0");
    expect((await onlyMail()).mail.text).toContain("Firefox unter Linux, von 127.0.0.1, am");
    expect(await (await theirs.open("/account")).text()).toContain("Firefox unter Linux (dieser)");
    const { sessions } = JSON.parse(await (await theirs.open("/account/sessions")).text());
    const names = sessions.map(({ browser: name }: { browser: string }) => name);
    expect(names).toEqual(["Ein Browser", "Firefox unter Linux"]);
  });

  test("hears in German that a password is not the one they have, and that they have to sign in again", async () => {
    const { alice, operator } = world;
    await alice.patch("/settings", german);
    const { url } = await createLoginLink(operator, alice.id, 3_600);
    const theirs = browser();
    await theirs.submit(new URL(url).pathname, {});
    await theirs.submit("/account/password", { new_password: "correct-horse-battery" });
    const change = { old_password: "guessed", new_password: "another-horse-battery" };
    const wrong = await (await theirs.submit("/account/password", change)).text();
    expect(wrong).toContain(
      "Das ist nicht dein aktuelles Passwort, oder es waren zu viele Versuche.",
    );
    const key = await (await theirs.submit("/account/key", { password: "guessed" })).text();
    expect(key).toContain("Deine E-Mail-Adresse oder dein Passwort ist falsch.");
    await mails();
  });

  test("is mailed what they have missed in German, and may unsubscribe in German", async () => {
    const { alice, bob } = world;
    await beginMails(world.app);
    await world.pass(0);
    await alice.patch("/settings", german);
    await bob.tell([alice], "Soup is ready.");
    for (let minute = 0; minute < 3; minute += 1) await world.pass(60);
    const missed = (await mails()).find(({ to }) => to.includes(alice.email));
    expect(missed?.mail.subject).toBe("[Acme] Bob hat dir geschrieben");
    expect(missed?.mail.text).toContain("Bob, 1. Januar 2026 um 01:00 MEZ:");
    const page = await pageAt(missed ? linkIn(missed, "/unsubscribe/") : "");
    expect(page).toContain("Willst du keine Mails über verpasste Nachrichten mehr bekommen?");
  });
});

test("times are read in the reader's language and zone, in UTC where the zone is unknown", () => {
  const summer = Date.UTC(2026, 6, 1, 22, 30) / 1_000;
  const text = (code: string, zone: string) =>
    timeText(summer, { language: languageOf(code), zone });
  expect(text("en", "")).toBe("1 July 2026 at 22:30 UTC");
  expect(text("en-gb", "America/New_York")).toMatch(/^1 July 2026 at 18:30 (GMT-4|EDT)$/);
  expect(text("de", "Europe/Berlin")).toBe("2. Juli 2026 um 00:30 MESZ");
  expect(text("ja", "Mars/Olympus")).toBe("1 July 2026 at 22:30 UTC");
});
