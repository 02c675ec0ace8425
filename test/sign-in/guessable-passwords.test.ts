import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { setPassword } from "../../src/management/accounts/update";
import { createLoginLink } from "../../src/sign-in/login-links";
import { Browser } from "../support/browser";
import { accept, accountOf, goodPassword, inviteByLink } from "../support/invitations";
import { linkIn, type Relay, startRelay } from "../support/servers/relay";
import { makeWorld, type World, worldHost } from "../support/world";

/* Passwords that others try first: the person's own name and address. */

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

const reason = "A password must not be your name or your e-mail address: others can guess these.";
const browser = () => new Browser(world.site, worldHost);

describe("somebody's own name or address as their password", () => {
  test.each(["marianne@example.com", "Marianne", " MARIANNE@EXAMPLE.COM ", "Marianne Dubois"])(
    "is refused when they join: %p",
    async (password) => {
      const { url } = await inviteByLink(world, "marianne@example.com", { from: world.olga });
      const typed = { full_name: "Marianne Dubois", password };
      const refused = await accept(world, url, typed);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(reason)]);
      expect(await accountOf(world, "marianne@example.com")).toBeUndefined();
      const other = { ...typed, password: "Marianne Dubois 1" };
      expect((await accept(world, url, other)).status).toBe(303);
    },
  );

  test("is refused when they change it, also with the address and the name of the change", async () => {
    const { alice, operator } = world;
    await setPassword(operator, alice.id, goodPassword);
    const change = { old_password: goodPassword };
    for (const refusedChange of [
      { new_password: "alice@example.com" },
      { new_password: "alicia@example.com", email: "alicia@example.com" },
      { new_password: "Alice Springs", full_name: "Alice Springs" },
    ]) {
      const { status, body } = await alice.patch("/settings", { ...change, ...refusedChange });
      expect([status, body.msg]).toEqual([400, reason]);
    }
    const taken = { ...change, new_password: "another-horse-battery" };
    expect((await alice.patch("/settings", taken)).status).toBe(200);
  });

  test("is refused in their language when they choose their first one, or another by a link", async () => {
    const { alice, operator } = world;
    await alice.patch("/settings", { default_language: "de" });
    const { url } = await createLoginLink(operator, alice.id, 3_600);
    const theirs = browser();
    await theirs.submit(new URL(url).pathname, {});
    const first = await theirs.submit("/account/password", { new_password: "alice@example.com" });
    const german = "Ein Passwort darf nicht dein Name oder deine E-Mail-Adresse sein";
    expect([first.status, await first.text()]).toEqual([400, expect.stringContaining(german)]);
    await browser().submit("/password/reset", { email: "alice@example.com" });
    await world.pass(0);
    await world.pass(0);
    const mail = relay.received.at(-1);
    if (!mail) throw new Error("no mail has come");
    const path = new URL(linkIn(mail, "/password/reset/")).pathname;
    const reset = await browser().submit(path, { password: "alice@example.com" });
    expect([reset.status, await reset.text()]).toEqual([400, expect.stringContaining(german)]);
    expect((await browser().submit(path, { password: "another-horse-battery" })).status).toBe(200);
  });

  test("is refused when an administrator adds them", async () => {
    const added = { email: "nina@example.com", full_name: "Nina", password: "nina@example.com" };
    const { status, body } = await world.olga.post("/users", added);
    expect([status, body.msg]).toEqual([400, reason]);
    expect((await world.olga.post("/users", { ...added, password: goodPassword })).status).toBe(
      200,
    );
  });
});
