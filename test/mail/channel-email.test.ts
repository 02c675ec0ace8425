import { afterEach, beforeEach, expect, test } from "bun:test";
import { renewChannelAddresses, resolveChannelAddress } from "../../src/channels/email-address";
import { loadConfig } from "../../src/config/config";
import { createRealm } from "../../src/management/organization/create";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld({ channel_email_domain: "Mail.example.com" });
});
afterEach(() => world.close());

async function addressFor(
  person: Person,
  id: number,
  parameters: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await person.get(`/streams/${id}/email_address`, parameters);
  return status === 200 ? body.email : `${status} ${body.code}`;
}

async function resolved(address: string) {
  const found = await resolveChannelAddress(world.app, world.app.engine.reader, address);
  return found && [found.channel.name, found.sender.fullName];
}

const bad = "400 BAD_REQUEST";

test("A channel has an address for each sender, which leads to the channel and to the sender", async () => {
  const { alice, bob, robot, channels } = world;
  const ofGateway = await addressFor(alice, channels.general);
  expect(ofGateway).toMatch(
    /^general\.[0-9a-z]+-[0-9a-z]+-[0-9a-z]+-[0-9a-f]{32}@mail\.example\.com$/,
  );
  const ofAlice = await addressFor(alice, channels.general, { sender_id: alice.id });
  const ofRobot = await addressFor(alice, channels.general, { sender_id: robot.id });
  const elsewhere = await addressFor(alice, channels.secret);
  expect(new Set([ofGateway, ofAlice, ofRobot, elsewhere]).size).toBe(4);
  expect(await addressFor(bob, channels.general)).toBe(ofGateway);
  const { state } = await alice.register({ fetch_event_types: ["realm_user"] });
  const gateway = state.cross_realm_bots.find(
    ({ full_name }: { full_name: string }) => full_name === "Email Gateway",
  );
  expect(await addressFor(alice, channels.general, { sender_id: gateway.user_id })).toBe(ofGateway);
  expect(await resolved(ofGateway)).toEqual(["general", "Email Gateway"]);
  expect(await resolved(ofAlice.toUpperCase())).toEqual(["general", "Alice"]);
  expect(await resolved(ofRobot.replace("general.", ""))).toEqual(["general", "Robot"]);
});

test("E3: nobody has an address in another's name", async () => {
  const { alice, bob, robot, olga, zoe, channels } = world;
  const { state } = await alice.register({ fetch_event_types: ["realm_user"] });
  const bot = state.cross_realm_bots.find(
    ({ full_name }: { full_name: string }) => full_name === "Notification Bot",
  );
  for (const sender_id of [bob.id, zoe.id, bot.user_id, 99_999_999]) {
    expect(await addressFor(alice, channels.general, { sender_id })).toBe(bad);
  }
  expect(await addressFor(olga, channels.general, { sender_id: robot.id })).toBe(bad);
  expect(await addressFor(robot, channels.general, { sender_id: robot.id })).toContain(
    "@mail.example.com",
  );
});

test("A2, A17: who may not post in a channel learns no address of it, and nothing of a hidden one", async () => {
  const { olga, adam, alice, bob, carol, greta, channels } = world;
  for (const person of [carol, greta]) expect(await addressFor(person, channels.secret)).toBe(bad);
  const hidden = await carol.get(`/streams/${channels.secret}/email_address`);
  const missing = await carol.get("/streams/99999999/email_address");
  expect(hidden.body.msg.replace(String(channels.secret), "N")).toBe(
    missing.body.msg.replace("99999999", "N"),
  );
  expect(await addressFor(greta, channels.general)).toBe(bad);
  expect(await addressFor(adam, channels.secret)).toBe(bad);
  expect(await addressFor(bob, channels.secret)).toContain("@mail.example.com");
  await bob.delete("/users/me/subscriptions", { subscriptions: ["secret"] });
  expect(await addressFor(bob, channels.secret)).toBe(bad);
  const only = { new: { direct_members: [olga.id], direct_subgroups: [] } };
  await olga.patch(`/streams/${channels.general}`, { can_send_message_group: only });
  expect(await addressFor(alice, channels.general)).toBe(bad);
  expect(await addressFor(olga, channels.general)).toContain("@mail.example.com");
  await olga.delete(`/streams/${channels.general}`);
  expect(await addressFor(olga, channels.general)).toBe(bad);
});

test("An address cannot be guessed, changed or used once it is replaced", async () => {
  const { olga, alice, operator, channels } = world;
  const address = await addressFor(alice, channels.general, { sender_id: alice.id });
  const [localPart = "", domain = ""] = address.split("@");
  const parts = localPart.split("-");
  const other = (index: number, part: string) => `${parts.with(index, part).join("-")}@${domain}`;
  const forged = [
    other(1, channels.secret.toString(36)),
    other(2, olga.id.toString(36)),
    other(3, "0".repeat(32)),
    `${localPart}@example.com`,
    localPart,
    "",
    "general@mail.example.com",
    other(1, "zzzzzzzzzzzzzzzzzzzz"),
  ];
  for (const one of forged) expect([one, await resolved(one)]).toEqual([one, undefined]);
  await renewChannelAddresses(operator, { id: channels.general });
  expect(await resolved(address)).toBeUndefined();
  const renewed = await addressFor(alice, channels.general, { sender_id: alice.id });
  expect(renewed).not.toBe(address);
  expect(await resolved(renewed)).toEqual(["general", "Alice"]);
  await olga.delete(`/users/${alice.id}`);
  expect(await resolved(renewed)).toBeUndefined();
});

test("A long name, or one in another script, makes an address of at most 64 characters before the @", async () => {
  const { alice } = world;
  for (const name of ["Ø".repeat(60), "x".repeat(60), "all (of) us!", "---"]) {
    const { body } = await alice.post("/channels/create", { name, subscribers: [alice.id] });
    const [localPart = ""] = (await addressFor(alice, body.id)).split("@");
    expect(localPart).toMatch(
      /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)?[0-9a-z]+-[0-9a-z]+-[0-9a-z]+-[0-9a-f]{32}$/,
    );
    expect(localPart.length).toBeLessThanOrEqual(64);
  }
});

test("Where the server receives no mail, a channel has no address", async () => {
  const plain = await makeWorld();
  expect(await addressFor(plain.alice, plain.channels.general)).toBe("");
  expect(
    await resolveChannelAddress(plain.app, plain.app.engine.reader, "general.1-1-1@"),
  ).toBeUndefined();
  await plain.close();
});

test("The domain must be one", () => {
  for (const domain of ["", "no domain", "a@b.example", "-.example", "x".repeat(200)]) {
    expect(() => loadConfig({ channel_email_domain: domain }, undefined, {})).toThrow(
      "--channel-email-domain",
    );
  }
});

test("Each organization has its own gateway", async () => {
  const { app, zoe } = world;
  await createRealm(app, { name: "Third", host: "third.example.com" }, app.clock.now());
  const { body } = await zoe.post("/channels/create", { name: "den", subscribers: [zoe.id] });
  expect(await resolved(await addressFor(zoe, body.id))).toEqual(["den", "Email Gateway"]);
});
