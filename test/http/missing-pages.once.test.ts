import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { setPassword } from "../../src/management/accounts/update";
import { Browser } from "../support/browser";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const browserHeaders = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** A form that only people who have signed in send. */
const signedInPath = "/account/sessions/end";

interface Answer {
  status: number;
  type: string | undefined;
  location: string | null;
  allow: string | null;
  challenge: string | null;
  text: string;
}

async function open(
  path: string,
  more: Record<string, string> = {},
  method = "GET",
): Promise<Answer> {
  const headers = { host: worldHost, ...browserHeaders, ...more };
  const answer = await fetch(`${world.site}${path}`, { method, headers, redirect: "manual" });
  const type = answer.headers.get("content-type")?.split(";")[0];
  const location = answer.headers.get("location");
  const allow = answer.headers.get("allow");
  const challenge = answer.headers.get("www-authenticate");
  return { status: answer.status, type, location, allow, challenge, text: await answer.text() };
}

describe("a browser at an address that leads nowhere", () => {
  test("gets a page with ways on, at a host of no organization too", async () => {
    const paths = ["/help/", "/help/format-your-message", "/accounts/go/", "/integrations/doc/x"];
    for (const path of paths)
      for (const host of [worldHost, "nobody.example.net"]) {
        const { status, type, text } = await open(path, { host });
        expect([path, host, status, type]).toEqual([path, host, 404, "text/html"]);
        expect(text).toContain('<html lang="en">');
        for (const way of ["/", "/connect", "/api"]) expect(text).toContain(`<a href="${way}">`);
      }
    const login = await open("/login", { host: "nobody.example.net" });
    expect([login.status, login.type]).toEqual([404, "text/html"]);
  });

  test("reads German where it asks for German", async () => {
    const { text } = await open("/help/", { "accept-language": "de-AT,de;q=0.9,en;q=0.8" });
    expect(text).toContain('<html lang="de">');
    expect(text).toContain("Hier ist nichts");
  });

  test("does not find the address on the page", async () => {
    expect((await open("/nowhere-of-mine?<script>")).text).not.toContain("nowhere-of-mine");
  });
});

describe("the page that tells how to connect clients", () => {
  test("is in the language that the browser asks for, with the same ways on", async () => {
    const english = await open("/connect", { "accept-language": "fr,en;q=0.8" });
    const german = await open("/connect", { "accept-language": "de-DE,de;q=0.9,en;q=0.8" });
    expect(english.text).toContain("<h2>Connect a bot</h2>");
    expect(german.text).toContain('<html lang="de">');
    expect(german.text).toContain("<h2>Einen Bot verbinden</h2>");
    const linksOf = ({ text }: Answer) => text.match(/href="[^"]*"/g);
    expect(linksOf(german)).toEqual(linksOf(english));
  });
});

describe("a browser that has asked for too much", () => {
  test("gets a page in its language that tells how long to wait, and a program JSON", async () => {
    const small = await makeWorld({ requests_per_minute_per_address: "20" });
    const ask = (more: Record<string, string>) =>
      fetch(`${small.site}/login`, { headers: { host: worldHost, ...more } });
    try {
      let last = await ask(browserHeaders);
      while (last.status === 200) last = await ask(browserHeaders);
      expect(last.status).toBe(429);
      expect(last.headers.get("content-type")).toStartWith("text/html");
      const seconds = last.headers.get("retry-after");
      expect(await last.text()).toContain(`Too many requests: wait ${seconds} s, then try again.`);
      const german = await ask({ ...browserHeaders, "accept-language": "de" });
      const page = await german.text();
      expect(page).toContain("<h1>Das hat nicht geklappt</h1>");
      expect(page).toMatch(/Zu viele Anfragen: Warte \d+ s und versuch es dann noch einmal\./);
      const program = await ask({ accept: "*/*" });
      expect([program.status, await program.json()]).toEqual([
        429,
        expect.objectContaining({ code: "RATE_LIMIT_HIT" }),
      ]);
    } finally {
      await small.close();
    }
  });
});

describe("a browser that sends something", () => {
  const german = { "accept-language": "de" };

  test("gets a page where nothing is", async () => {
    const english = await open("/help/", {}, "POST");
    expect([english.status, english.type]).toEqual([404, "text/html"]);
    expect(english.text).toContain("There is nothing here");
    expect((await open("/help/", german, "POST")).text).toContain("Hier ist nichts");
  });

  test("gets a page, with the methods of the place, where nothing takes it", async () => {
    for (const path of ["/", "/connect", "/robots.txt", "/static/style.css"]) {
      const { status, type, allow, text } = await open(path, {}, "POST");
      expect([path, status, type, allow]).toEqual([path, 405, "text/html", "GET, HEAD"]);
      expect(text).toContain("This address does not take what was sent to it.");
      expect(text).not.toContain("Method not allowed");
    }
    expect((await open("/connect", german, "POST")).text).toContain(
      "Diese Adresse nimmt nicht an, was an sie geschickt wurde.",
    );
    const program = await open("/connect", { accept: "*/*" }, "POST");
    expect([program.status, program.allow, JSON.parse(program.text)]).toEqual([
      405,
      "GET, HEAD",
      {
        result: "error",
        msg: "Method not allowed: use GET or HEAD.",
        allowed_methods: ["GET", "HEAD"],
      },
    ]);
  });

  test("gets a page with the way to sign in where it is signed out", async () => {
    const { status, type, text, challenge } = await open(signedInPath, {}, "POST");
    expect([status, type, challenge]).toEqual([401, "text/html", null]);
    expect(text).toContain("This browser is signed out. Sign in again.");
    expect(text).toContain('<a href="/login">Sign in</a>');
    const inGerman = await open(signedInPath, german, "POST");
    expect(inGerman.text).toContain("Dieser Browser ist abgemeldet. Melde dich neu an.");
    const program = await open(signedInPath, { accept: "*/*" }, "POST");
    expect([program.status, program.type, program.challenge]).toEqual([
      401,
      "application/json",
      'Basic realm="chatd"',
    ]);
    expect(JSON.parse(program.text).code).toBe("UNAUTHORIZED");
  });
});

describe("a program gets JSON", () => {
  test("below /api and /json, whatever it accepts", async () => {
    const paths = ["/api/v1/nothing", "/api/nothing", "/json/nothing", "/json", "/json/messages"];
    for (const path of paths) {
      const { status, type, text } = await open(path);
      expect([path, status, type]).toEqual([path, 404, "application/json"]);
      expect(JSON.parse(text).code).toBe("NOT_FOUND");
    }
    const elsewhere = await open("/api/v1/server_settings", { host: "nobody.example.net" });
    expect([elsewhere.status, elsewhere.type]).toEqual([404, "application/json"]);
  });

  test("where it does not ask for HTML, or brings a key, whatever it asks for or sends", async () => {
    const asked = [
      await open("/help/", { accept: "*/*" }),
      await open("/help/", { authorization: "Basic eDp5" }),
      await open("/help/", { accept: "*/*" }, "POST"),
      await open("/help/", { authorization: "Basic eDp5" }, "POST"),
    ];
    for (const { status, type } of asked) expect([status, type]).toEqual([404, "application/json"]);
  });
});

describe("addresses that browsers and people know", () => {
  test("lead where it is here, at any host", async () => {
    const led = [
      ["/favicon.ico", "/static/realm-logo.svg"],
      ["/accounts/login/", "/login/"],
      ["/accounts/password/reset/", "/password/reset"],
      ["/integrations", "/connect"],
      ["/integrations/", "/connect"],
    ];
    for (const [path = "", to = ""] of led)
      for (const host of [worldHost, "nobody.example.net"]) {
        const { status, location } = await open(path, { host });
        expect([path, status, location]).toEqual([path, 303, to]);
      }
    expect((await open("/password/reset")).type).toBe("text/html");
    expect((await open("/static/realm-logo.svg")).type).toBe("image/svg+xml");
  });

  test("robots.txt asks search engines to stay away", async () => {
    const { status, type, text } = await open("/robots.txt", { host: "nobody.example.net" });
    expect([status, type, text]).toEqual([200, "text/plain", "User-agent: *\nDisallow: /\n"]);
  });
});

test("the desktop app signs in at /login/, as at /login", async () => {
  const { alice, operator, site } = world;
  const password = "correct-horse-battery";
  await setPassword(operator, alice.id, password);
  const app = new Browser(site, worldHost);
  const form = await (await app.open("/login/")).text();
  expect(form).toBe(await (await app.open("/login")).text());
  const wrong = await app.submit("/login/", { email: alice.email, password: "a-wrong-guess" });
  expect(wrong.status).toBe(401);
  const signedIn = await app.submit("/login/", { email: alice.email, password });
  expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, "/"]);
  expect(await (await app.open("/")).text()).toContain('id="snapshot"');
});
