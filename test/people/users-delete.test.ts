import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { tidyStray } from "../../src/files/stray";
import { deleteUser } from "../../src/management/accounts/delete";
import { setPassword, updateUserRole } from "../../src/management/accounts/update";
import { verify } from "../support/client-state/verify";
import { upload } from "../support/files";
import { refusalOf } from "../support/refusal";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const remove = (actions: object, by = world.olga, id = world.bob.id) =>
  by.delete(`/users/${id}`, { actions });
const bob = async () => (await world.alice.get(`/users/${world.bob.id}`)).body.user;
const forGood = { delete_profile: true };

const contents = async (reader = world.alice) => {
  const { body } = await reader.get("/messages", {
    anchor: "newest",
    num_before: 100,
    num_after: 0,
  });
  return body.messages.map(({ content }: { content: string }) =>
    content.replaceAll(/<[^>]+>/g, ""),
  );
};

describe("a person who is deleted for good", () => {
  test("is nobody any more: nothing tells who it was, and their messages stay", async () => {
    const { alice, operator } = world;
    await setPassword(operator, world.bob.id, "correct-horse-battery");
    await world.bob.patch("/settings", { timezone: "Europe/Paris", email_address_visibility: 1 });
    await world.bob.post("/drafts", {
      drafts: [{ type: "", to: [], topic: "", content: "bob's secret draft" }],
    });
    await world.bob.post("/users/me/alert_words", { alert_words: ["bob's word"] });
    await world.bob.say("general", "t", "what was said");
    expect((await remove(forGood)).status).toBe(200);
    const name = `Deleted user ${world.bob.id}`;
    const email = `user${world.bob.id}@chat.example.com`;
    expect(await bob()).toMatchObject({
      full_name: name,
      email,
      delivery_email: email,
      timezone: "",
      is_active: false,
      is_deleted: true,
    });
    expect(await contents()).toContain("what was said");
    const { db, t } = world.app.engine.reader;
    const rows = [t.users, t.drafts, t.alertWords, t.apiKeys].map((table) =>
      db.select().from(table),
    );
    const kept = JSON.stringify(await Promise.all(rows));
    for (const trace of ["bob@", '"Bob"', "Europe/Paris", "bob's"])
      expect(kept).not.toContain(trace);
    const { state } = await alice.register();
    const shown = state.realm_non_active_users.find(
      ({ user_id }: { user_id: number }) => user_id === world.bob.id,
    );
    expect(shown).toMatchObject({ full_name: name, is_deleted: true });
    expect((await bob()).avatar_url).toContain("/user_avatars/");
  });

  test("others are told, each with what they have to know", async () => {
    await verify(world, () => remove(forGood));
    const { full_name } = await bob();
    const queue = await world.alice.register();
    await deleteUser(world.operator, world.carol.id);
    const persons = (await queue.events())
      .filter(({ type }) => type === "realm_user")
      .map(({ op, person }) => [op, person.user_id, person.is_active, person.is_deleted]);
    const { id } = world.carol;
    expect(persons).toEqual([
      ["update", id, false, undefined],
      ["remove", id, undefined, undefined],
      ["add", id, false, true],
      ["update", id, false, undefined],
    ]);
    expect(full_name).toBe(`Deleted user ${world.bob.id}`);
  });

  test("may have been deactivated before, and is neither let in nor changed again; their address is free", async () => {
    const { olga, operator } = world;
    await olga.delete(`/users/${world.bob.id}`);
    await verify(world, () => remove(forGood));
    expect((await olga.post(`/users/${world.bob.id}/reactivate`)).body.msg).toContain(
      "deleted for good",
    );
    expect((await remove(forGood)).body.msg).toContain("already been deleted");
    for (const change of [{ full_name: "Zombie" }, { role: 300 }, { new_email: "zombie@z.com" }])
      expect((await olga.patch(`/users/${world.bob.id}`, change)).body.msg).toContain(
        "deleted for good",
      );
    for (const change of [
      updateUserRole(operator, world.bob.id, 100),
      setPassword(operator, world.bob.id, "correct-horse-battery"),
    ])
      expect((await refusalOf(change)).message).toContain("deleted for good");
    expect(await bob()).toMatchObject({ full_name: `Deleted user ${world.bob.id}`, role: 400 });
    const again = { email: "bob@example.com", password: "correct-horse-battery", full_name: "Bob" };
    const { status, body } = await olga.post("/users", again);
    expect([status, body.user_id === world.bob.id]).toEqual([200, false]);
  });

  test("is deleted by who may deactivate them; not the last owner, not a bot, nobody of another organization", async () => {
    const { alice, adam, olga, zoe, robot, operator } = world;
    expect((await remove(forGood, alice)).status).toBe(400);
    expect((await remove(forGood, adam, olga.id)).body.code).toBe("UNAUTHORIZED_PRINCIPAL");
    expect((await remove(forGood, olga, olga.id)).body.code).toBe("CANNOT_DEACTIVATE_LAST_USER");
    expect((await remove(forGood, olga, robot.id)).body.msg).toContain("Only people");
    expect((await remove(forGood, olga, zoe.id)).body.msg).toBe("No such user");
    expect((await refusalOf(deleteUser(operator, zoe.id))).message).toBe("No such user");
    expect((await remove({ delete_profile: "yes" })).status).toBe(400);
    expect((await remove({ delete_everything: true })).status).toBe(400);
    expect(await bob()).toMatchObject({ is_active: true, full_name: "Bob" });
    expect((await remove({ delete_profile: false })).status).toBe(200);
    expect(await bob()).toMatchObject({ is_active: false, full_name: "Bob" });
    expect((await remove(forGood, adam)).status).toBe(200);
  });
});

describe("of the files of a person who is deleted for good", () => {
  /** Lets the time pass after which bytes that no row names are removed. */
  const tidy = async () => {
    world.clock.advance(120);
    await tidyStray(world.app);
  };
  const filesLeft = async () => {
    const { db, t } = world.app.engine.reader;
    const names = (await db.select({ name: t.attachments.name }).from(t.attachments)).map(
      ({ name }) => name,
    );
    const stored: string[] = [];
    for await (const { key } of world.app.files.list()) stored.push(key);
    return { names: names.sort(), stored: stored.length };
  };

  test("those in messages stay as long as these, and the others go", async () => {
    const { alice, bob: sender, olga } = world;
    await upload(world.bob, "never-sent.txt");
    await sender.say("general", "t", `[plan](${await upload(sender, "plan.txt")})`);
    const id = await sender.say("general", "t", `[list](${await upload(sender, "list.txt")})`);
    expect(await filesLeft()).toMatchObject({ names: ["list.txt", "never-sent.txt", "plan.txt"] });
    expect((await remove(forGood)).status).toBe(200);
    await tidy();
    expect(await filesLeft()).toEqual({ names: ["list.txt", "plan.txt"], stored: 2 });
    await olga.delete(`/messages/${id}`);
    await tidy();
    expect(await filesLeft()).toEqual({ names: ["plan.txt"], stored: 1 });
    expect((await alice.get("/attachments")).body.upload_space_used).toBe("hello".length);
  });
});

describe("with a person may go what they have sent", () => {
  beforeEach(async () => {
    const { bob: sender, alice } = world;
    await sender.say("general", "t", "in public");
    await sender.say("secret", "t", "in private");
    await sender.tell([alice], "to one");
    await alice.say("general", "t", "by Alice");
  });

  test.each([
    ["delete_public_channel_messages", "in public"],
    ["delete_private_channel_messages", "in private"],
    ["delete_direct_messages", "to one"],
  ])("%s: that and nothing else", async (action, gone) => {
    const queue = await world.alice.register();
    expect((await remove({ [action]: true })).status).toBe(200);
    await world.pass(1);
    const left = ["in public", "in private", "to one", "by Alice"].filter(
      (content) => content !== gone,
    );
    expect((await contents()).sort()).toEqual(left.sort());
    const deletions = (await queue.events()).filter(({ type }) => type === "delete_message");
    expect(deletions).toHaveLength(1);
    expect(await bob()).toMatchObject({ full_name: "Bob", is_active: false });
  });

  test("but nothing that they write after they were reactivated meanwhile", async () => {
    const { bob: sender, olga } = world;
    await world.app.jobs.stop();
    await remove({ delete_public_channel_messages: true });
    expect((await olga.post(`/users/${sender.id}/reactivate`)).status).toBe(200);
    await sender.say("general", "t", "back again");
    await world.restart();
    for (let i = 0; i < 3; i++) await world.pass(1);
    const left = ["in private", "to one", "by Alice", "back again"];
    expect((await contents()).sort()).toEqual(left.sort());
  });

  test("all of it, in parts, with the person", async () => {
    for (let i = 0; i < 120; i++) await world.bob.say("general", `topic ${i % 3}`, `number ${i}`);
    const all = {
      delete_public_channel_messages: true,
      delete_private_channel_messages: true,
      delete_direct_messages: true,
    };
    await remove({ ...forGood, ...all });
    for (let i = 0; i < 3; i++) await world.pass(1);
    expect(await contents()).toEqual(["by Alice"]);
    expect((await world.olga.get(`/users/${world.bob.id}`)).body.user.is_deleted).toBe(true);
  });
});
