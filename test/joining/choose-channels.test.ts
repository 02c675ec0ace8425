import { afterEach, beforeEach, expect, test } from "bun:test";
import { roles } from "../../src/core/rights/role";
import { Browser } from "../support/browser";
import { accept, goodPassword, inviteByLink, openLink, signIn } from "../support/invitations";
import { linkIn, type Relay, startRelay } from "../support/servers/relay";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
let relay: Relay;
beforeEach(async () => {
  relay = await startRelay();
  world = await makeWorld(relay.flags);
  const { olga, alice } = world;
  for (const name of ["kitchen", "everybody"])
    await alice.post("/users/me/subscriptions", { subscriptions: [{ name }] });
  const { body } = await alice.get("/get_stream_id", { stream: "everybody" });
  await olga.post("/default_streams", { stream_id: body.stream_id });
});
afterEach(async () => {
  await world.close();
  await relay.close();
});

const browser = () => new Browser(world.site, worldHost);

const newGroup = (group_name: string, stream_names: string[]) =>
  world.olga.post("/default_stream_groups/create", {
    group_name,
    description: "for <all>",
    stream_names,
  });

const channelsOf = async (email: string): Promise<string[]> => {
  const { body } = await (await signIn(world, email)).get("/users/me/subscriptions");
  return body.subscriptions.map(({ name }: { name: string }) => name).sort();
};

/** The path of the link that somebody is mailed who asks to join. */
async function linkFor(email: string): Promise<string> {
  await browser().submit("/register", { email });
  await world.pass(0);
  await world.pass(0);
  const [mail] = relay.received.splice(0);
  if (!mail) throw new Error(`no mail has come to ${email}`);
  return new URL(linkIn(mail, "/register/")).pathname;
}

test("Nina joins without an invitation: the channels of the group that she chooses come with those of everybody", async () => {
  await world.olga.patch("/realm", { invite_required: false });
  const ninas = await linkFor("nina@example.org");
  expect(await (await browser().open(ninas)).text()).not.toContain("Channels to begin with");
  await newGroup("Cooks & co", ["kitchen"]);
  const page = await (await browser().open(ninas)).text();
  expect(page).toContain('<option value="Cooks &amp; co">Cooks &amp; co – for &lt;all&gt;');
  const fields = { full_name: "Nina", password: goodPassword };
  const sent = { ...fields, default_stream_group: "Cooks & co" };
  // A refused try keeps the choice.
  const refused = await browser().submit(ninas, { ...sent, full_name: "" });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('<option value="Cooks &amp; co" selected>');
  expect((await browser().submit(ninas, sent)).status).toBe(303);
  expect(await channelsOf("nina@example.org")).toEqual(["everybody", "kitchen"]);
  // A group that is gone when the form is sent is no reason to refuse somebody.
  const noels = await linkFor("noel@example.org");
  const late = { ...fields, full_name: "Noel", default_stream_group: "Gone" };
  expect((await browser().submit(noels, late)).status).toBe(303);
  expect(await channelsOf("noel@example.org")).toEqual(["everybody"]);
});

test("Who is invited as a member chooses too; a guest does not, whatever they send", async () => {
  await newGroup("Cooks", ["kitchen"]);
  for (const [inviteAs, email, channels] of [
    [roles.member, "nina@example.com", ["kitchen"]],
    [roles.guest, "noel@example.com", []],
  ] as const) {
    const { url } = await inviteByLink(world, email, { inviteAs });
    const page = await (await openLink(world, url)).text();
    expect(page.includes('name="default_stream_group"')).toBe(inviteAs === roles.member);
    const sent = { full_name: email.slice(0, 4), default_stream_group: "Cooks" };
    expect((await accept(world, url, sent)).status).toBe(303);
    expect(await channelsOf(email)).toEqual([...channels]);
  }
});
