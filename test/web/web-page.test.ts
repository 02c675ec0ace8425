import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { setPassword } from "../../src/management/accounts/update";
import { Browser } from "../support/browser";
import { makeWorld, type World, worldHost } from "../support/world";

const password = "correct-horse-battery";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const newBrowser = () => new Browser(world.site, worldHost);

async function signedIn(): Promise<Browser> {
  const browser = newBrowser();
  await setPassword(world.operator, world.alice.id, password);
  const { status } = await browser.submit("/login", { email: world.alice.email, password });
  expect(status).toBe(303);
  return browser;
}

const snapshotIn = (page: string) =>
  /<script type="application\/json" id="snapshot">([^<]*)<\/script>/.exec(page)?.[1] ?? "";

describe("the page of the web client", () => {
  test("leads who is not signed in to the login page, and back", async () => {
    const browser = newBrowser();
    const answer = await browser.open("/");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login?next=%2F"]);
    await setPassword(world.operator, world.alice.id, password);
    const form = await (await browser.open("/login?next=%2F")).text();
    expect(form).toContain('<form method="post"><input type="hidden" name="next" value="/">');
    const sent = await browser.submit("/login?next=%2F", {
      email: world.alice.email,
      password,
      next: "/",
    });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/"]);
    expect((await browser.open("/")).status).toBe(200);
  });

  test("is of one's own organization: a session of another one leads to the login page", async () => {
    const browser = new Browser(world.site, "other.example.com");
    for (const [name, value] of (await signedIn()).cookies) browser.cookies.set(name, value);
    expect((await browser.open("/")).status).toBe(303);
  });

  test("lets nothing but the server's own scripts and styles in, and is kept by nobody", async () => {
    const { headers } = await (await signedIn()).open("/");
    expect({
      policy: headers.get("content-security-policy"),
      cache: headers.get("cache-control"),
      type: headers.get("content-type"),
      sniffing: headers.get("x-content-type-options"),
      referrer: headers.get("referrer-policy"),
      vary: headers.get("vary"),
    }).toEqual({
      policy:
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types chatd-messages chatd-worker",
      cache: "no-store",
      type: "text/html; charset=utf-8",
      sniffing: "nosniff",
      referrer: "same-origin",
      vary: "Accept-Encoding, Sec-Fetch-Site",
    });
  });

  test("holds the state that the client begins with, and an event queue that goes on from there", async () => {
    const browser = await signedIn();
    const snapshot = JSON.parse(snapshotIn(await (await browser.open("/")).text()));
    expect(snapshot).toMatchObject({
      user_id: world.alice.id,
      realm_name: world.realm.name,
      last_event_id: -1,
    });
    expect(snapshot.subscriptions.length).toBeGreaterThan(0);
    expect(snapshot.streams).toBeUndefined();
    const sent = { type: "channel", to: "general", topic: "t", content: "after it was opened" };
    expect((await world.bob.post("/messages", sent)).status).toBe(200);
    const asked = { queue_id: snapshot.queue_id, last_event_id: -1, dont_block: true };
    const { body } = await browser.api("GET", "/events", asked);
    const contents = body.events
      .filter(({ type }: { type: string }) => type === "message")
      .map(({ message }: { message: { content: string } }) => message.content);
    expect(contents).toEqual(["<p>after it was opened</p>"]);
  });

  test("holds the token that changes are sent with, masked anew each time", async () => {
    const browser = await signedIn();
    const tokenIn = async () =>
      /<meta name="csrf-token" content="([0-9a-f]{128})">/.exec(
        await (await browser.open("/")).text(),
      )?.[1] ?? "";
    const [one, other] = [await tokenIn(), await tokenIn()];
    expect(one).not.toBe(other);
    for (const token of [one, other]) {
      const headers = { origin: browser.origin, "x-csrftoken": token };
      const sent = await browser.api("POST", "/users/me/status", { status_text: "x" }, headers);
      expect(sent.status).toBe(200);
    }
  });

  test("tells of itself to HEAD and opens no queue for it", async () => {
    const browser = await signedIn();
    const { db, t } = world.app.engine.reader;
    const before = await db.select().from(t.eventQueues);
    const answer = await browser.open("/", { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect(await db.select().from(t.eventQueues)).toEqual(before);
  });

  test("takes names for what they are: nothing in the state ends its element", async () => {
    const name = "</script><script>alert(1)</script><!--";
    const browser = await signedIn();
    const { status } = await world.olga.patch("/realm", { name });
    expect(status).toBe(200);
    const page = await (await browser.open("/")).text();
    expect(page).not.toContain("alert(1)</script>");
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(JSON.parse(snapshotIn(page)).realm_name).toBe(name);
    expect(page).toContain("<title>&lt;/script&gt;");
  });

  test("is as it is for another site that leads a browser to it: its length tells nothing (BREACH)", async () => {
    const browser = await signedIn();
    const encodingFor = async (site: string) => {
      const headers = { "accept-encoding": "br", "sec-fetch-site": site };
      return (await browser.open("/", { headers })).headers.get("content-encoding");
    };
    expect(await encodingFor("none")).toBe("br");
    for (const site of ["cross-site", "same-site"]) expect(await encodingFor(site)).toBe(null);
  });

  test("counts for the person who opens it, like the register that it holds", async () => {
    const browser = await signedIn();
    const { headers } = await browser.open("/");
    const byKey = await world.alice.get("/users/me");
    expect(Number(headers.get("x-ratelimit-limit"))).toBe(
      Number(byKey.headers.get("x-ratelimit-limit")),
    );
    const { email, apiKey } = world.alice.credentials ?? { email: "", apiKey: "" };
    const authorization = `Basic ${btoa(`${email}:${apiKey}`)}`;
    const answer = await newBrowser().open("/", { headers: { authorization } });
    expect([answer.status, (await answer.json()).code]).toEqual([400, "BAD_REQUEST"]);
  });

  test("is drawn in the theme that one has chosen", async () => {
    const browser = await signedIn();
    const rootOf = async () => /<html[^>]*>/.exec(await (await browser.open("/")).text())?.[0];
    expect(await rootOf()).toBe('<html lang="en">');
    for (const [color_scheme, theme] of [
      [2, "dark"],
      [3, "light"],
    ] as const) {
      expect((await world.alice.patch("/settings", { color_scheme })).status).toBe(200);
      expect(await rootOf()).toBe(`<html lang="en" data-theme="${theme}">`);
    }
  });

  test("is compressed as the browser likes it", async () => {
    const browser = await signedIn();
    const asked = async (accepted: string) => {
      const answer = await browser.open("/", { headers: { "accept-encoding": accepted } });
      return [answer.headers.get("content-encoding"), snapshotIn(await answer.text()) !== ""];
    };
    expect(await asked("gzip, deflate, br")).toEqual(["br", true]);
    expect(await asked("gzip")).toEqual(["gzip", true]);
    expect(await asked("br;q=0, gzip;q=0.5")).toEqual(["gzip", true]);
    expect(await asked("identity")).toEqual([null, true]);
  });
});
