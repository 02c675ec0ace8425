import { describe, expect, test } from "bun:test";
import { setPassword } from "../../src/management/accounts/update";
import { endpoints, rootEndpoints } from "../../src/server";
import { listApiKeys } from "../../src/sign-in/api-keys";
import { ownPath } from "../../src/sign-in/cookies";
import { createLoginLink } from "../../src/sign-in/login-links";
import { Browser } from "../support/browser";
import { makeWorldWithLineOf } from "../support/hashing-line";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type World, worldHost } from "../support/world";

const password = "correct-horse-battery";
const secureName = "__Host-chatd_session";
const plainName = "chatd_session";

let world: World;
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld();
    await setPassword(world.operator, world.alice.id, password);
  },
  () => world.close(),
);

const newBrowser = (host = worldHost, isEncrypted = true) =>
  new Browser(world.site, host, isEncrypted);

async function signedIn(browser = newBrowser(), email = world.alice.email): Promise<Browser> {
  expect((await browser.submit("/login", { email, password })).status).toBe(303);
  return browser;
}

const linkOf = async (userId = world.alice.id) =>
  new URL((await createLoginLink(world.operator, userId, 3_600)).url).pathname;

/**
 * Requests that somebody else's site makes a browser send: its cookies, and where the request comes
 * from.
 */
const foreign: [string, Record<string, string>][] = [
  ["another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  ["another site, by Origin alone", { origin: "https://evil.example" }],
  ["another site, by Sec-Fetch-Site alone", { "sec-fetch-site": "cross-site" }],
  [
    "a neighbour under the same domain",
    { origin: "https://other.example.com", "sec-fetch-site": "same-site" },
  ],
  ["a sandboxed frame", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["a sandboxed frame, by Origin alone", { origin: "null" }],
  ["the same host without encryption", { origin: `http://${worldHost}` }],
  ["another port", { origin: `https://${worldHost}:8443` }],
];

describe("I10: the cookie of a session", () => {
  oneWorldForGroup();

  test("is bound to this host and https, kept from scripts and from other sites' requests", async () => {
    const { setCookie } = await signedIn();
    expect(setCookie).toMatch(new RegExp(`^${secureName}=[A-Za-z0-9_-]{43}; `));
    expect(setCookie.split("; ").slice(1)).toEqual([
      "Path=/",
      "Max-Age=2592000",
      "HttpOnly",
      "SameSite=Lax",
      "Secure",
    ]);
    const { setCookie: plain } = await signedIn(newBrowser(worldHost, false));
    expect(plain).toMatch(new RegExp(`^${plainName}=`));
    expect(plain.split("; ").slice(1)).toEqual([
      "Path=/",
      "Max-Age=2592000",
      "HttpOnly",
      "SameSite=Lax",
    ]);
  });

  test("is new at each sign-in: one that somebody else has put there is not taken over, and the one before ends", async () => {
    const browser = newBrowser();
    const planted = "A".repeat(43);
    browser.cookies.set(secureName, planted);
    await signedIn(browser);
    const first = browser.cookies.get(secureName) ?? "";
    expect(first).not.toBe(planted);
    const earlier = browser.at(browser.site);
    await signedIn(browser);
    expect(browser.cookies.get(secureName)).not.toBe(first);
    expect((await earlier.open("/account")).status).toBe(303);
    const byLink = browser.at(browser.site);
    expect((await byLink.submit(await linkOf())).status).toBe(303);
    expect(byLink.cookies.get(secureName)).not.toBe(browser.cookies.get(secureName));
  });

  test("I11, I12: holds 256 random bits, of which the database and the log have nothing", async () => {
    const browsers = [await signedIn(), await signedIn()];
    const tokens = browsers.map(({ cookies }) => cookies.get(secureName) ?? "");
    expect(new Set(tokens).size).toBe(2);
    const { db, t } = world.app.engine.reader;
    const rows = [t.apiKeys, t.sessions, t.eventLog].map((table) => db.select().from(table));
    const csrf = await browsers[0]?.plainToken();
    const kept = JSON.stringify(await Promise.all(rows)) + world.logged.join("\n");
    for (const token of tokens) {
      expect(Buffer.from(token, "base64url")).toHaveLength(32);
      expect(kept).not.toContain(token);
    }
    expect(kept).not.toContain(csrf ?? "nothing");
    expect(kept).not.toContain(password);
  });

  test("opens nothing to other origins: no answer names one that may read it", async () => {
    const browser = await signedIn();
    for (const path of ["/account", "/account/session", "/api/v1/users/me"]) {
      const { headers } = await browser.open(path, { headers: { origin: "https://evil.example" } });
      const names = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
      expect([path, ...names]).toEqual([path]);
    }
  });

  test("is worth nothing as an API key, nor an API key as a cookie", async () => {
    const { alice } = world;
    const token = (await signedIn()).cookies.get(secureName) ?? "";
    const basic = `Basic ${Buffer.from(`${alice.email}:${token}`).toString("base64")}`;
    expect((await newBrowser().api("GET", "/users/me", {}, { authorization: basic })).status).toBe(
      401,
    );
    for (const value of [
      alice.credentials?.apiKey ?? "",
      "",
      token.slice(1),
      `${token}x`,
      `"${token}"`,
    ]) {
      const browser = newBrowser();
      browser.cookies.set(secureName, value);
      expect((await browser.api("GET", "/users/me")).status).toBe(401);
    }
  });
});

/** Methods that change nothing (RFC 9110, 9.2.1). */
const isSafe = (method: string) => ["GET", "HEAD", "OPTIONS"].includes(method);

describe("I7: what changes something in a session", () => {
  oneWorldForGroup();

  test("takes the CSRF token, on every endpoint", async () => {
    const browser = await signedIn();
    for (const { method, path, who, body: sent } of endpoints) {
      // Webhooks are signed by a key in the address and look at no cookie.
      if (isSafe(method) || who === "anyone" || sent.kind === "webhook") continue;
      const headers = { origin: browser.origin };
      const { status, body } = await browser.api(
        method,
        path.replaceAll(/\{\w+\}/g, "1"),
        {},
        headers,
      );
      expect([method, path, status, body.code]).toEqual([method, path, 403, "CSRF_FAILED"]);
    }
  });

  test("has to come from a page of ours, also with the token", async () => {
    const browser = await signedIn();
    const token = (await browser.csrfToken()) ?? "";
    const post = (headers: Record<string, string>) =>
      browser.api(
        "POST",
        "/users/me/status",
        { status_text: "here" },
        { ...headers, "x-csrftoken": token },
      );
    for (const [, headers] of foreign) {
      const { status, body } = await post(headers);
      expect([headers, status, body.code]).toEqual([headers, 403, "CSRF_FAILED"]);
    }
    const ours: Record<string, string>[] = [
      { origin: browser.origin },
      { "sec-fetch-site": "same-origin" },
      {},
    ];
    for (const headers of ours) {
      expect((await post(headers)).status).toBe(200);
    }
  });

  test("I8: takes the whole token of this very session", async () => {
    const [browser, elsewhere] = [await signedIn(), await signedIn()];
    const token = (await browser.csrfToken()) ?? "";
    const plain = await browser.plainToken();
    const other = (await elsewhere.csrfToken()) ?? "";
    expect(await elsewhere.plainToken()).not.toBe(plain);
    const digit = token.endsWith("0") ? "1" : "0";
    const turned = plain.endsWith("0") ? "1" : "0";
    for (const wrong of [
      "",
      other,
      plain.slice(0, -1),
      plain.slice(0, -1) + turned,
      "0".repeat(128),
      token + token,
      token.slice(0, -1),
      token.slice(0, -1) + digit,
      "0".repeat(64),
      "é".repeat(64),
    ]) {
      const headers = { origin: browser.origin, "x-csrftoken": encodeURI(wrong) };
      expect(
        (await browser.api("POST", "/users/me/status", { status_text: "x" }, headers)).status,
      ).toBe(403);
    }
  });

  test("takes the token as it is, and in each mask that pages hold it in: no two hold it alike (BREACH)", async () => {
    const browser = await signedIn();
    const masked = [await browser.csrfToken(), await browser.csrfToken()];
    expect(new Set(masked).size).toBe(2);
    const plain = await browser.plainToken();
    expect(await browser.plainToken()).toBe(plain);
    for (const token of [...masked, plain]) {
      const headers = { origin: browser.origin, "x-csrftoken": token ?? "" };
      const sent = await browser.api("POST", "/users/me/status", { status_text: "x" }, headers);
      expect(sent.status).toBe(200);
      expect(await (await browser.open("/account")).text()).not.toContain(token ?? "");
    }
  });

  test.each(["/account/key", "/account/password", "/logout", "/logout/everywhere"])(
    "%s does nothing for another site, nor without the token",
    async (path) => {
      const browser = await signedIn();
      const fields = { password, old_password: password, new_password: "another-horse-battery" };
      for (const [name, headers] of foreign) {
        const answer = await browser.submit(path, fields, {
          origin: undefined,
          "sec-fetch-site": undefined,
          ...headers,
        });
        expect([name, answer.status]).toEqual([name, 403]);
      }
      expect((await browser.submit(path, { ...fields, csrf_token: "" })).status).toBe(403);
      expect((await browser.open("/account")).status).toBe(200);
      expect(await listApiKeys(world.operator, world.alice.id)).toHaveLength(1);
      expect(
        (await newBrowser().submit("/login", { email: world.alice.email, password })).status,
      ).toBe(303);
    },
  );

  test("is never a GET: pages that are opened, also by programs that look at links, change nothing", async () => {
    const browser = await signedIn();
    const link = await linkOf();
    const { db, t } = world.app.engine.reader;
    const stored = async () =>
      JSON.stringify(
        await Promise.all(
          [t.apiKeys, t.sessions, t.loginLinks, t.users].map((table) => db.select().from(table)),
        ),
      );
    const before = await stored();
    const paths = rootEndpoints.filter(({ method }) => method === "GET").map(({ path }) => path);
    for (const path of [
      ...paths.filter((one) => !one.includes("{")),
      link,
      "/logout",
      "/logout/everywhere",
    ]) {
      await browser.open(path);
      await browser.open(path, { method: "HEAD" });
    }
    expect(await stored()).toBe(before);
  });
});

describe("signing in for somebody else", () => {
  oneWorldForGroup();

  test.each(foreign)("by a form on %s is refused", async (_name, headers) => {
    const from = { origin: undefined, "sec-fetch-site": undefined, ...headers };
    const link = await linkOf();
    for (const [path, fields] of [
      ["/login", { email: world.alice.email, password }],
      [link, {}],
    ] as const) {
      const browser = newBrowser();
      const answer = await browser.submit(path, fields, from);
      expect([answer.status, await answer.text()]).toEqual([
        403,
        expect.stringContaining("another site"),
      ]);
      expect(browser.cookies.size).toBe(0);
    }
    expect((await newBrowser().submit(link)).status).toBe(303);
  });

  test("by a cookie of another organization does not work: it is worth nothing here", async () => {
    const { zoe, operator, realm } = world;
    await setPassword({ ...operator, realm: { ...realm, id: realm.id + 1 } }, zoe.id, password);
    const theirs = await signedIn(newBrowser("other.example.com"), zoe.email);
    const browser = newBrowser();
    browser.cookies.set(secureName, theirs.cookies.get(secureName) ?? "");
    expect((await browser.open("/account")).headers.get("location")).toBe("/login?next=%2Faccount");
    expect((await browser.api("GET", "/users/me")).status).toBe(401);
  });

  test("by a cookie that a neighbour under the domain has added does not work, with https or without", async () => {
    await setPassword(world.operator, world.bob.id, password);
    const attacker = await signedIn(newBrowser(), world.bob.email);
    const token = attacker.cookies.get(secureName) ?? "";
    const browser = newBrowser();
    browser.cookies.set(plainName, token);
    expect((await browser.open("/account")).status).toBe(303);
    const plain = await signedIn(newBrowser(worldHost, false));
    const own = `${plainName}=${plain.cookies.get(plainName)}`;
    for (const cookie of [`${own}; ${plainName}=${token}`, `${plainName}=${token}; ${own}`]) {
      expect((await plain.open("/account", { headers: { cookie } })).status).toBe(303);
    }
    expect(
      (await plain.open("/account", { headers: { cookie: `theme=dark; ${own}; x=y` } })).status,
    ).toBe(200);
  });
});

describe("G7: where signing in leads", () => {
  oneWorldForGroup();

  const own = [
    "/account",
    "/user_uploads/1/ab/c.txt?x=1#y",
    "/api",
    "/a%2f%2fevil.example",
    "/?next=//evil.example",
  ];
  const elsewhere = [
    "https://evil.example",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "javascript:alert(1)",
    "evil.example",
    "",
    "/\t/evil.example",
    "/ok\r\nset-cookie: a=b",
    "/\u2028x",
    "/%2e//evil.example",
    "@evil.example",
    ":80",
    "/a\\b",
    `/${"x".repeat(3_000)}`,
    " /account",
  ];

  test("is a path of ours that was asked for, or the chat", async () => {
    const browser = await signedIn();
    for (const next of own) {
      const answer = await browser.open(`/login?next=${encodeURIComponent(next)}`);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, next]);
    }
    for (const next of elsewhere) {
      const shown = await browser.open(`/login?next=${encodeURIComponent(next)}`);
      const sent = await browser.submit("/login", { email: world.alice.email, password, next });
      expect([next, shown.headers.get("location"), sent.headers.get("location")]).toEqual([
        next,
        "/",
        "/",
      ]);
    }
    const form = await (await newBrowser().open("/login?next=/api")).text();
    // Without an action, a browser keeps the fragment of the address that it was led here from.
    expect(form).toContain('<form method="post"><input');
    expect(form).toContain('<input type="hidden" name="next" value="/api">');
  });

  test("never leaves the host, whatever is made of what", () => {
    const parts = ["/", "\\", ".", "%2e", "%2f", "@", "evil.example", "?", "#", ":", "\t", "a"];
    const digits = (count: number) =>
      Array.from({ length: 4 }, (_, i) => Math.floor(count / parts.length ** i) % parts.length);
    for (let count = 0; count < parts.length ** 4; count++) {
      const path = ownPath(
        `/${digits(count)
          .map((digit) => parts[digit])
          .join("")}`,
      );
      if (path === undefined) continue;
      expect(URL.parse(path, "https://chat.example.com/login")?.host).toBe("chat.example.com");
    }
  });

  test("G10: does not go by a host that the request names", async () => {
    const headers = { "x-forwarded-host": "evil.example" };
    const answer = await newBrowser().submit(
      "/login",
      { email: world.alice.email, password },
      headers,
    );
    expect(answer.headers.get("location")).toBe("/");
    expect(answer.headers.get("set-cookie")).not.toContain("Domain");
  });
});

describe("guessing", () => {
  test("I5: the page answers an unknown address, a wrong password and a lock alike", async () => {
    const pages: string[] = [];
    for (const email of ["alice@example.com", "nobody@example.com"]) {
      for (let i = 0; i < 7; i++) {
        const answer = await newBrowser().submit("/login", { email, password: "a-wrong-guess" });
        pages.push(`${answer.status} ${(await answer.text()).replace(email, "X")}`);
      }
    }
    expect(new Set(pages).size).toBe(1);
  });

  test("I6: five failures lock an account for whoever has failed, over whichever of their ways in", async () => {
    const { alice, anonymous } = world;
    const browser = await signedIn();
    const email = alice.email;
    for (let i = 0; i < 3; i++) {
      await browser.submit("/account/key", { password: "a-wrong-guess" });
      await browser.submit("/account/password", {
        old_password: "a-wrong-guess",
        new_password: "another-horse",
      });
      await newBrowser().submit("/login", { email, password: "a-wrong-guess" });
    }
    for (let i = 0; i < 2; i++)
      await anonymous.post("/fetch_api_key", { username: email, password: "a-wrong-guess" });
    expect((await newBrowser().submit("/login", { email, password })).status).toBe(401);
    const locked = await browser.submit("/account/key", { password });
    expect([locked.status, (await locked.text()).includes("key=")]).toEqual([401, false]);
    expect((await anonymous.post("/fetch_api_key", { username: email, password })).status).toBe(
      401,
    );
    world.clock.advance(1_800);
    expect((await newBrowser().submit("/login", { email, password })).status).toBe(303);
  });

  test("H10: a very long password or address is refused on the page before it is hashed", async () => {
    await world.close();
    world = await makeWorldWithLineOf(1);
    const flood = Array.from({ length: 12 }, () =>
      newBrowser().submit("/login", { email: world.alice.email, password: "p".repeat(60_000) }),
    );
    for (const { status } of await Promise.all(flood)) expect(status).toBe(401);
    expect(
      (await newBrowser().submit("/login", { email: `${"a".repeat(9_000)}@example.com`, password }))
        .status,
    ).toBe(400);
  });
});

describe("the pages", () => {
  test("are kept by no cache, shown in no frame, run no script, and tell no other site where one was", async () => {
    const browser = await signedIn();
    const pages = [
      await newBrowser().open("/login"),
      await browser.open("/account"),
      await browser.submit("/account/key", { password }),
      await browser.submit("/account/key", { password, csrf_token: "" }),
      await newBrowser().open("/account"),
      await newBrowser().open(await linkOf()),
    ];
    for (const page of pages) {
      const policy = page.headers.get("content-security-policy") ?? "";
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(page.headers.get("referrer-policy")).toBe("same-origin");
      expect(page.headers.get("x-content-type-options")).toBe("nosniff");
      for (const part of [
        "default-src 'none'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]) {
        expect(policy).toContain(part);
      }
      expect(await page.text()).not.toMatch(/<script|style=| on\w+=/);
    }
  });

  test("F3: show names and addresses as text", async () => {
    const { olga, alice } = world;
    await olga.patch(`/users/${alice.id}`, {
      full_name: "<img src=x onerror=alert(1)>".replaceAll(">", ""),
    });
    const page = await (await (await signedIn()).open("/account")).text();
    expect(page).toContain("&lt;img src=x onerror=alert(1)");
    expect(page).not.toContain("<img");
  });
});
