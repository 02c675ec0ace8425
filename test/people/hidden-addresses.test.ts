import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { setPassword } from "../../src/management/accounts/update";
import type { Answer, Client } from "../support/client";
import { hear, listen } from "../support/listening";
import { type Received, type Relay, startRelay } from "../support/servers/relay";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

/*
 * Whether somebody has an account whose address is hidden: nobody is told who may not read that
 * address.
 */

const password = "correct-horse-battery";
const hiddenEmail = "carol@example.com";
const unknownEmail = "nobody@example.com";
const administratorsOnly = 3;
const nobody = 4;

let world: World;
let relay: Relay;
beforeEach(async () => {
  relay = await startRelay();
  world = await makeWorld(relay.flags);
  await hide(administratorsOnly);
});
afterEach(async () => {
  await world.close();
  await relay.close();
});

const hide = (email_address_visibility: number) =>
  world.carol.patch("/settings", { email_address_visibility });
const invite = (person: Person, invitee_emails: string) =>
  person.post("/invites", { invitee_emails, stream_ids: [] });
const invitesOf = async (person: Person): Promise<{ id: number; email: string }[]> =>
  (await person.get("/invites")).body.invites;

/** An answer without what tells one address from another. */
const like = ({ status, body }: Answer) =>
  JSON.stringify([status, body]).replaceAll(/carol|nobody/g, "X");

async function mails(): Promise<Received[]> {
  await world.pass(0);
  await world.pass(0);
  return relay.received.splice(0);
}

describe("an invitation of a hidden address", () => {
  test("is answered, listed, announced, sent again and withdrawn like one of an address that nobody has", async () => {
    const { alice, adam, carol } = world;
    const outcomes: unknown[] = [];
    for (const email of [hiddenEmail, unknownEmail]) {
      const queues = await listen({ alice, adam, carol }, { event_types: ["invites_changed"] });
      const answer = like(await invite(alice, `${email}, bob@example.com`));
      const alone = like(await invite(alice, email));
      const [first, second] = (await invitesOf(alice)).filter((one) => one.email === email);
      const listed = JSON.stringify({ ...first, id: 0, email: "" });
      const again = like(await alice.post(`/invites/${first?.id}/resend`));
      const withdrawn = like(await alice.delete(`/invites/${second?.id}`));
      const heard = await hear(queues, ({ type }) => type);
      outcomes.push({ answer, alone, listed, again, withdrawn, heard });
    }
    expect(outcomes[0]).toEqual(outcomes[1]);
    expect(outcomes[0]).toMatchObject({
      answer: expect.stringContaining("Already has an account."),
    });
    expect(outcomes[0]).toMatchObject({ alone: '[200,{"result":"success","msg":""}]' });
    // Her own role does not change, and the word that she gets holds no link that makes an account.
    const texts = (await mails())
      .filter(({ to }) => to.includes(hiddenEmail))
      .map(({ mail }) => mail.text ?? "");
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) {
      expect(text).toContain("/login");
      expect(text).not.toContain("/join/");
    }
  });

  test("of somebody who is gone is answered so too", async () => {
    const { alice, olga, carol } = world;
    await olga.delete(`/users/${carol.id}`);
    expect(like(await invite(alice, hiddenEmail))).toBe(like(await invite(alice, unknownEmail)));
    expect((await mails()).filter(({ to }) => to.includes(hiddenEmail))).toEqual([]);
  });

  test("counts in what somebody may invite in a day", async () => {
    await world.close();
    world = await makeWorld({ ...relay.flags, invitations_per_day_per_user: "3" });
    await hide(administratorsOnly);
    const { alice } = world;
    for (let i = 0; i < 3; i++) expect((await invite(alice, hiddenEmail)).status).toBe(200);
    expect((await invite(alice, hiddenEmail)).body.daily_limit_reached).toBe(true);
  });

  test("is refused helpfully to those who may read the address, and to the operator, but to nobody where nobody may", async () => {
    const { alice, adam, olga } = world;
    for (const person of [adam, olga]) {
      expect((await invite(person, hiddenEmail)).body.errors).toEqual([
        [hiddenEmail, "Already has an account.", false],
      ]);
    }
    await hide(nobody);
    expect((await invite(adam, hiddenEmail)).status).toBe(200);
    await hide(1);
    expect((await invite(alice, hiddenEmail)).body.errors).toEqual([
      [hiddenEmail, "Already has an account.", false],
    ]);
  });
});

describe("a change of one's own address to a hidden one", () => {
  const change = (person: Client, email: string) =>
    person.patch("/settings", { email, old_password: password });

  test("is answered like one to an address that nobody has, and changes nothing", async () => {
    const { alice, operator } = world;
    await setPassword(operator, alice.id, password);
    const answers = [await change(alice, hiddenEmail), await change(alice, unknownEmail)];
    expect(like(answers[0] as Answer)).toBe(like(answers[1] as Answer));
    expect(answers[0]?.status).toBe(200);
    expect((await alice.get("/users/me")).body.delivery_email).toBe("alice@example.com");
    expect((await change(alice, "bob@example.com")).body.msg).toContain("already in use");
  });

  test("goes wrong only where the link is opened, which is in her mailbox", async () => {
    const { alice, carol, operator, site } = world;
    await setPassword(operator, alice.id, password);
    await change(alice, hiddenEmail);
    const [mail] = (await mails()).filter(({ to }) => to.includes(hiddenEmail));
    const link = /https?:\/\/\S+\/account\/address\/\S+/.exec(mail?.mail.text ?? "")?.[0] ?? "";
    const headers = { host: worldHost };
    const answer = await fetch(`${site}${new URL(link).pathname}`, { method: "POST", headers });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("already in use"),
    ]);
    expect((await carol.get("/users/me")).body.delivery_email).toBe(hiddenEmail);
  });
});
