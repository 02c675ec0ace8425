import { afterAll, beforeAll, expect, test } from "bun:test";
import { Browser } from "../support/browser";
import { accept, inviteByLink } from "../support/invitations";
import { type Relay, startRelay } from "../support/servers/relay";
import { makeWorld, type World, worldHost } from "../support/world";

/* People open old links: the page says how they go on. */

let relay: Relay;
let world: World;
let quiet: World;
beforeAll(async () => {
  relay = await startRelay();
  world = await makeWorld(relay.flags);
  quiet = await makeWorld();
});
afterAll(async () => {
  await world.close();
  await quiet.close();
  await relay.close();
});

async function pageAt({ site }: World, path: string, language = "en"): Promise<string> {
  const headers = { "accept-language": language };
  const response = await new Browser(site, worldHost).open(path, { headers });
  expect(response.status).toBe(404);
  return response.text();
}

const byOperator = "Ask the operator of the server";

test("a login link or a link to a new password leads to where a new one is mailed", async () => {
  const ways = { "/login/link/none": "/login", "/password/reset/none": "/password/reset" };
  for (const [path, way] of Object.entries(ways)) {
    const page = await pageAt(world, path);
    expect(page).toContain(`You can <a href="${way}">have a new one mailed to you</a>.`);
    expect(page).not.toContain(byOperator);
    expect(await pageAt(world, path, "de")).toContain(`<a href="${way}">einen neuen mailen lassen`);
    expect(await pageAt(quiet, path)).toContain(byOperator);
  }
});

test("a link to a new address leads to the settings, where one asks for another", async () => {
  const page = await pageAt(world, "/account/address/none");
  expect(page).toContain(`<a href="/#settings/account">Ask for a new link in your settings</a>`);
  expect(page).not.toContain(byOperator);
});

test("an invitation that was used leads who has joined to the chat", async () => {
  const { url } = await inviteByLink(world, "nina@example.com");
  await accept(world, url, { full_name: "Nina" });
  const { pathname } = new URL(url);
  const used = await pageAt(world, pathname);
  expect(used).toContain(`Have you already joined? <a href="/">Open the chat</a>`);
  expect(await pageAt(world, pathname, "de")).toContain(`<a href="/">Den Chat öffnen</a>`);
});

test("a broken invitation leads to registration only where nobody needs an invitation", async () => {
  const { olga } = world;
  await olga.patch("/realm", { invite_required: true });
  expect(await pageAt(world, "/join/none")).not.toContain("/register");
  await olga.patch("/realm", { invite_required: false });
  expect(await pageAt(world, "/join/none")).toContain(`<a href="/register">ask for one here</a>`);
});
