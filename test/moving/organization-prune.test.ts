import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { applyOrganization, diffOrganization } from "../../src/moving/organization/apply";
import { parseDeclaration } from "../../src/moving/organization/parse";
import { verify } from "../support/client-state/verify";
import { hear, listen } from "../support/listening";
import { refusalOf } from "../support/refusal";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

function declared(text: string) {
  const { name, host } = world.realm;
  return parseDeclaration({
    name: "org.yaml",
    text: `realm: {name: ${name}, host: ${host}}\n${text}`,
  });
}

const diff = (text: string, prunes = false) =>
  diffOrganization(world.app, declared(text), { prunes });

const linesOf = ({ changes }: { changes: readonly { lines: string[] }[] }) =>
  changes.flatMap(({ lines }) => lines);

describe("The difference between a file and its organization", () => {
  test("is found without telling anybody, and without changing anything", async () => {
    const { alice } = world;
    const queues = await listen({ alice }, { event_types: ["stream", "user_group", "message"] });
    const text = "groups: [{name: crew}]\nchannels: [{name: news, subscribers: all}]\n";
    const first = await diff(text);
    expect(linesOf(first)).toContain("+ group crew");
    expect(await hear(queues, ({ type }) => type)).toEqual({ alice: [] });
    expect((await diff(text)).changes.length).toBe(first.changes.length);
    expect(await linesOf(await applyOrganization(world.app, declared(text)))).toEqual(
      linesOf(first),
    );
  });

  test("names the objects and settings that the file does not declare", async () => {
    await world.olga.patch("/realm", { waiting_period_threshold: 3 });
    const { alice, olga } = world;
    const { undeclared } = await diff(`users: [{email: ${alice.email}, name: ${alice.fullName}}]`);
    expect(undeclared.users).toContain(olga.email);
    expect(undeclared.users).not.toContain(alice.email);
    expect(undeclared.channels).toContain("general");
    expect(undeclared.settings).toContain("waiting_period_threshold");
  });

  test("foresees the refusals of the verbs, with the line that asks for it", async () => {
    await world.olga.patch("/realm", { require_unique_names: true });
    const text = `users: [{email: new@example.com, name: ${world.alice.fullName}}]\n`;
    const refusal = await refusalOf(diff(text));
    expect(refusal?.message).toStartWith("org.yaml:2:9: ");
    expect(await refusalOf(applyOrganization(world.app, declared(text)))).toEqual(refusal);
  });
});

describe("Pruning an organization", () => {
  test("ends what the parts of the file do not name, and leaves the other parts alone", async () => {
    const { olga, alice, app } = world;
    await olga.post("/user_groups/create", { name: "inner", description: "", members: [alice.id] });
    const groups = (await olga.get("/user_groups")).body.user_groups;
    const inner = groups.find(({ name }: { name: string }) => name === "inner").id;
    await olga.post("/user_groups/create", {
      name: "outer",
      description: "",
      members: [],
      subgroups: [inner],
    });
    const text = `users:
  - {email: ${olga.email}, name: ${olga.fullName}, role: owner}
  - {email: ${alice.email}, name: ${alice.fullName}}
groups: []
channels: [{name: general}]
`;
    const planned = linesOf(await diff(text, true));
    expect(planned).toContain("- group outer: not declared, deactivated");
    expect(planned.some((line) => line.startsWith("- bot "))).toBe(false);
    await verify(world, async () => {
      expect(linesOf(await applyOrganization(app, declared(text), { prunes: true }))).toEqual(
        planned,
      );
    });
    const { members } = (await olga.get("/users")).body;
    const active = members.filter(
      ({ is_active, is_bot }: { is_active: boolean; is_bot: boolean }) => is_active && !is_bot,
    );
    expect(active.map(({ user_id }: { user_id: number }) => user_id).sort()).toEqual(
      [olga.id, alice.id].sort(),
    );
    const { streams } = (await olga.get("/streams")).body;
    expect(streams.map(({ name }: { name: string }) => name)).toEqual(["general"]);
    expect(linesOf(await diff(text, true))).toEqual([]);
  });

  test("names the bots that end with their owner, which the file does not declare", async () => {
    const { olga, alice, robot, app } = world;
    const people = `users: [{email: ${olga.email}, name: ${olga.fullName}, role: owner}]\n`;
    const ofOwner = `- bot ${robot.email}: its owner is deactivated`;
    const planned = await diff(people, true);
    expect(linesOf(planned)).toContain(ofOwner);
    expect(planned.changes.flatMap(({ endedBots = [] }) => endedBots)).toEqual([robot.id]);
    const both = linesOf(await diff(`${people}bots: []\n`, true));
    expect(both).toContain(`- bot ${robot.email}: not declared, deactivated`);
    expect(both).not.toContain(ofOwner);
    const applied = await applyOrganization(app, declared(people), { prunes: true });
    expect(linesOf(applied)).toEqual(linesOf(planned));
    const { members } = (await olga.get("/users")).body;
    const active = members.filter(({ is_active }: { is_active: boolean }) => is_active);
    const ids = active.map(({ user_id }: { user_id: number }) => user_id);
    expect([ids.includes(alice.id), ids.includes(robot.id)]).toEqual([false, false]);
  });

  test("is refused where it would end the last owner", async () => {
    const refusal = await refusalOf(diff("users: []\n", true));
    expect(refusal?.message).toStartWith("org.yaml:2:1: ");
  });
});
