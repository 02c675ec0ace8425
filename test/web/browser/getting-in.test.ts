import { afterAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { createLoginLink } from "../../../src/sign-in/login-links";
import { goodPassword, inviteByLink, reusableLink } from "../../support/invitations";
import { linkIn, startRelay } from "../../support/servers/relay";
import { breachesIn } from "../axe";
import { browserTest, origin, stage } from "../browser";
import { narrowSizes, overflowing } from "../overflow";
import { painted } from "../scene-openings";

/* Pages by which people get in, which the server draws: for everyone, as the client is. */

const relay = await startRelay();
const on = stage(relay.flags);
afterAll(() => relay.close());
const slowMilliseconds = 120_000;

/** Faults of the page that is open: barriers in both themes, and parts that stand out of it. */
async function wrongWith(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const barrier of await breachesIn(page, "body", {
      isFurtherTheme: colorScheme === "dark",
    }))
      found.push(`${name}, ${colorScheme}: ${barrier}`);
  }
  const size = page.viewportSize();
  for (const [narrow, window] of Object.entries(narrowSizes)) {
    await page.setViewportSize(window);
    await painted(page);
    for (const part of await overflowing(page)) found.push(`${name} ${narrow}: ${part}`);
  }
  if (size) await page.setViewportSize(size);
  return found;
}

/** The link in the mail that was sent last. */
async function mailedLink(path: string): Promise<string> {
  await on.world.pass(0);
  await on.world.pass(0);
  const mail = relay.received.splice(0).at(-1);
  if (!mail) throw new Error(`no mail has come for ${path}`);
  return linkIn(mail, path);
}

/** A page that is opened, or led to by what is done on the one before: its title, and the way. */
type Step = readonly [heading: string, go: (page: Page) => Promise<unknown>];

const at = (path: string) => (page: Page) => page.goto(new URL(path, origin).href);
const press = (button: string) => (page: Page) =>
  Promise.all([
    page.waitForEvent("framenavigated"),
    page.getByRole("button", { name: button, exact: true }).click(),
  ]);
/** Fills fields of the form that a button sends, and presses it. */
const fill = (fields: Record<string, string>, name: string) => async (page: Page) => {
  const button = page.getByRole("button", { name, exact: true });
  const form = page.locator("form").filter({ has: button });
  for (const [field, value] of Object.entries(fields))
    await form.locator(`input[name=${field}]`).fill(value);
  await press(name)(page);
};

/** Goes through pages one after the other; answers what is wrong with each of them. */
async function wrongOn(page: Page, steps: readonly Step[]): Promise<string[]> {
  const found: string[] = [];
  for (const [heading, go] of steps) {
    await go(page);
    await page.waitForLoadState();
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await page.waitForFunction(() => !document.querySelector(".shell:not([data-whole=true])"));
    found.push(...(await wrongWith(page, heading)));
  }
  return found;
}

const askForLink: Step = [
  "Check your mail",
  fill({ email: "alice@example.com" }, "Mail me a link that signs me in"),
];

browserTest(
  "signing in, and choosing another password, has no barrier and fits everywhere",
  async () => {
    const { world } = on;
    await world.olga.patch("/realm", { invite_required: false });
    const link = async (page: Page) =>
      page.goto((await createLoginLink(world.operator, world.alice.id, 3_600)).url);
    const steps: readonly Step[] = [
      ["Sign in to Acme", at("/login?next=/account")],
      ["Sign in to Acme", fill({ email: "alice@example.com", password: "wrong" }, "Sign in")],
      askForLink,
      ["Choose a new password", at("/password/reset")],
      ["Check your mail", fill({ email: "alice@example.com" }, "Mail me a link")],
      ["Choose a new password", async (page) => page.goto(await mailedLink("/password/reset/"))],
      ["Choose a new password", fill({ password: "short" }, "Change the password")],
      ["Your password has been changed", fill({ password: goodPassword }, "Change the password")],
      ["Acme", link],
      ["Inbox", press("Sign in")],
      ["This link does not work", at("/login/link/none")],
      ["chatd", at("/connect")],
    ];
    expect(await wrongOn(await on.openOutside(), steps)).toEqual([]);
  },
  slowMilliseconds,
);

browserTest(
  "joining has no barrier and fits everywhere, up to the first view",
  async () => {
    const { world } = on;
    await world.olga.patch("/realm", { invite_required: false });
    const invited = await inviteByLink(world, "nina@example.com", { from: world.olga });
    const { url: reusable } = await reusableLink(world, { from: world.olga });
    const joining = { full_name: "Nina", password: goodPassword };
    const byInvitation: readonly Step[] = [
      ["Join Acme", at(invited.url)],
      ["Inbox", fill(joining, "Join")],
    ];
    const byMail: readonly Step[] = [
      ["Join Acme", at(reusable)],
      ["Check your mail", fill({ email: "noel@example.com" }, "Mail me a link")],
      ["Join Acme", async (page) => page.goto(await mailedLink("/join/"))],
      ["This link does not work", at("/join/none")],
      ["Join Acme", at("/register")],
      ["Join Acme", fill({ email: "noel@mailinator.com" }, "Mail me a link")],
      ["Check your mail", fill({ email: "nora@example.com" }, "Mail me a link")],
      ["Join Acme", async (page) => page.goto(await mailedLink("/register/"))],
    ];
    const page = await on.openOutside();
    expect(await wrongOn(page, byMail)).toEqual([]);
    await world.olga.patch("/realm", { invite_required: true });
    expect(await wrongOn(page, [["Join Acme", at("/register")]])).toEqual([]);
    expect(await wrongOn(page, byInvitation)).toEqual([]);
    await page.getByRole("region", { name: "Welcome to Acme" }).waitFor();
  },
  slowMilliseconds,
);

browserTest(
  "one's account has no barrier and fits everywhere",
  async () => {
    const { world } = on;
    const { bob } = world;
    const page = await on.open(bob, "#inbox");
    const asked = { email: "robert@example.com", old_password: goodPassword };
    expect((await bob.patch("/settings", asked)).status).toBe(200);
    const steps: readonly Step[] = [
      ["Acme", async (to) => to.goto(await mailedLink("/account/address/"))],
      ["Bob", at("/account")],
      ["Bob", fill({ password: "wrong" }, "Get an API key")],
      ["You are signed in to Acme", fill({ password: goodPassword }, "Get an API key")],
      ["Bob", at("/account")],
    ];
    expect(await wrongOn(page, steps)).toEqual([]);
  },
  slowMilliseconds,
);
