import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

async function rendered(person: Person, content: string): Promise<string> {
  const { status, body } = await person.post("/messages/render", { content });
  expect(status).toBe(200);
  return body.rendered;
}

describe("A16 What somebody writes links only to channels that they may know", () => {
  test("a private channel is a word to those who are not in it", async () => {
    const { alice, bob, greta, channels } = world;
    const link = `<a class="stream" data-stream-id="${channels.plans}" href="/#narrow/channel/${channels.plans}-plans">#plans</a>`;
    expect(await rendered(alice, "#**plans**")).toBe(`<p>${link}</p>`);
    expect(await rendered(bob, "#**plans**")).toBe("<p>#<strong>plans</strong></p>");
    expect(await rendered(bob, "#**plans>move** #**plans>move@1**")).toBe(
      "<p>#<strong>plans&gt;move</strong> #<strong>plans&gt;move@1</strong></p>",
    );
    expect(await rendered(greta, "#**general**")).toBe("<p>#<strong>general</strong></p>");
    expect(await rendered(world.zoe, "#**general**")).toBe("<p>#<strong>general</strong></p>");
  });

  test("and what is sent reaches those who may know more as it was for its writer", async () => {
    const { alice, bob } = world;
    const id = await bob.say("general", "links", "what of #**plans**?");
    const { body } = await alice.get(`/messages/${id}`);
    expect(body.message.content).toBe("<p>what of #<strong>plans</strong>?</p>");
  });

  test("a topic is linked by its newest message that its writer may read", async () => {
    const { alice, carol, channels } = world;
    const old = await alice.say("secret", "early", "before carol");
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "secret" }],
      principals: [carol.id],
    });
    const address = `/#narrow/channel/${channels.secret}-secret/topic/early`;
    expect(await rendered(alice, "#**secret>early**")).toContain(`href="${address}/with/${old}"`);
    expect(await rendered(carol, "#**secret>early**")).toContain(`href="${address}"`);
    const late = await alice.say("secret", "Early", "after that");
    expect(await rendered(carol, "#**secret>early**")).toContain(`href="${address}/with/${late}"`);
  });
});

test("A guest who does not see somebody cannot name them, others can", async () => {
  const { olga, otto, greta, alice } = world;
  const { body } = await olga.get("/user_groups");
  const groups: { id: number; name: string }[] = body.user_groups;
  const members = groups.find(({ name }) => name === "role:members")?.id;
  const changed = await olga.patch("/realm", { can_access_all_users_group: { new: members } });
  expect(changed.status).toBe(200);
  for (const source of ["@**Otto**", `@**|${otto.id}**`, `@_**Otto|${otto.id}**`])
    expect(await rendered(greta, source)).not.toContain("user-mention");
  expect(await rendered(alice, "@**Otto**")).toContain(`data-user-id="${otto.id}"`);
  expect(await rendered(greta, "@**Greta**")).toContain(`data-user-id="${greta.id}"`);
});

test("Groups are named by everybody, deactivated ones silently, and those of another organization by nobody", async () => {
  const { adam, bob, zoe } = world;
  const made = await adam.post("/user_groups/create", {
    name: "cooks",
    description: "",
    members: [bob.id],
  });
  expect(made.status).toBe(200);
  const id = made.body.group_id;
  expect(await rendered(bob, "@*cooks*")).toBe(
    `<p><span class="user-group-mention" data-user-group-id="${id}">@cooks</span></p>`,
  );
  expect(await rendered(zoe, "@*cooks*")).toBe("<p>@<em>cooks</em></p>");
  await adam.post(`/user_groups/${id}/deactivate`);
  expect(await rendered(bob, "@*cooks*")).toBe(
    `<p><span class="user-group-mention silent" data-user-group-id="${id}">cooks</span></p>`,
  );
});

test("A link into the server's own views is the same wherever a client reaches it", async () => {
  const { bob } = world;
  const host = "chat.example.com";
  expect(await rendered(bob, `http://${host}/#narrow/channel/1`)).toContain(
    'href="#narrow/channel/1"',
  );
  expect(await rendered(bob, `https://${host}/user_uploads/1/ab/x.txt`)).toContain(
    'href="/user_uploads/1/ab/x.txt"',
  );
  expect(await rendered(bob, `https://${host}.example/#narrow/channel/1`)).toContain(
    `href="https://${host}.example/`,
  );
});
