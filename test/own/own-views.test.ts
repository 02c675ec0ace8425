import { afterEach, beforeEach, expect, test } from "bun:test";
import { deactivateUser } from "../../src/management/accounts/deactivate";
import {
  addNavigationView,
  changeNavigationView,
  removeNavigationView,
} from "../../src/own/navigation-views/service";
import { markOnboardingStep } from "../../src/own/onboarding-steps/service";
import { findUser } from "../../src/people/users/queries";
import { verify } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { errorOf } from "../support/outcome";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const mentions = "narrow/is/mentioned";
const lunch = { fragment: "narrow/topic/lunch", is_pinned: true, name: "Lunch" };
const add = (person: Person, view: Record<string, unknown>) =>
  person.post("/navigation_views", view);
const viewsOf = async (person: Person) =>
  (await person.get("/navigation_views")).body.navigation_views;

test("Alice keeps views at hand, renames, pins and lets go of them; only her clients hear of it", async () => {
  const { alice, bob } = world;
  const queues = await listen({ alice, bob }, { event_types: ["navigation_view"] });
  await add(alice, { fragment: mentions, is_pinned: false });
  await add(alice, lunch);
  expect(await viewsOf(alice)).toEqual([
    { fragment: mentions, is_pinned: false, name: null },
    lunch,
  ]);
  expect((await alice.patch(`/navigation_views/${mentions}`, { is_pinned: true })).status).toBe(
    200,
  );
  expect(
    (await alice.patch(`/navigation_views/${encodeURIComponent(lunch.fragment)}`, { name: "Soup" }))
      .status,
  ).toBe(200);
  expect((await alice.delete(`/navigation_views/${mentions}`)).status).toBe(200);
  expect(await viewsOf(alice)).toEqual([{ ...lunch, name: "Soup" }]);
  expect(await viewsOf(bob)).toEqual([]);
  const told = ["add", "add", "update", "update", "remove"];
  expect(await hear(queues, ({ op }) => op)).toEqual({ alice: told, bob: [] });
});

test("A view that is there, has no name of its own or another's name is refused, and a missing one is not found", async () => {
  const { alice, bob } = world;
  await add(alice, lunch);
  const other = { ...lunch, fragment: "narrow/topic/dinner" };
  const views = [
    lunch,
    other,
    { ...other, name: " " },
    { ...other, name: "n".repeat(101) },
    { ...other, fragment: " " },
  ];
  for (const view of [...views, { fragment: "inbox", is_pinned: true, name: "Mine" }]) {
    expect([view, refusal(await add(alice, view))]).toEqual([view, "400 BAD_REQUEST"]);
  }
  const path = `/navigation_views/${lunch.fragment}`;
  expect(refusal(await alice.patch(path, {}))).toBe("400 BAD_REQUEST");
  expect(refusal(await bob.patch(path, { is_pinned: false }))).toBe("404 NOT_FOUND");
  expect(refusal(await bob.delete(path))).toBe("404 BAD_REQUEST");
  expect(await viewsOf(alice)).toEqual([lunch]);
});

test("A hint for newcomers is shown until Alice has seen it; bots see none", async () => {
  const { alice, bob, robot } = world;
  const stepsOf = async (person: Person) =>
    (await person.register({ fetch_event_types: ["onboarding_steps"] })).state.onboarding_steps.map(
      ({ name }: { name: string }) => name,
    );
  const queues = await listen({ alice, bob }, { event_types: ["onboarding_steps"] });
  const all = await stepsOf(alice);
  const see = (onboarding_step: string) =>
    alice.post("/users/me/onboarding_steps", { onboarding_step });
  expect((await see("intro_inbox_view_modal")).status).toBe(200);
  expect((await see("intro_inbox_view_modal")).status).toBe(200);
  expect(refusal(await see("none"))).toBe("400 BAD_REQUEST");
  const left = all.filter((name: string) => name !== "intro_inbox_view_modal");
  expect([await stepsOf(alice), await stepsOf(bob), await stepsOf(robot)]).toEqual([left, all, []]);
  expect(await hear(queues, ({ onboarding_steps }) => onboarding_steps.length)).toEqual({
    alice: [all.length - 1],
    bob: [],
  });
});

test("The views and hints at register and the events give those afterwards", async () => {
  const { alice } = world;
  const counts = await verify(world, async () => {
    await add(alice, { fragment: "inbox", is_pinned: false });
    await add(alice, lunch);
    await alice.patch(`/navigation_views/${lunch.fragment}`, { is_pinned: false, name: "Soup" });
    await alice.delete("/navigation_views/inbox");
    await alice.post("/users/me/onboarding_steps", { onboarding_step: "intro_inbox_view_modal" });
  });
  expect(counts).toMatchObject({ alice: 5, bob: 0 });
});

test("C2: who was deactivated while their request was on its way stores nothing", async () => {
  const { alice, operator, realm } = world;
  await add(alice, lunch);
  const user = await findUser(operator.reader, realm.id, alice.id);
  if (!user) throw new Error("Alice is missing.");
  const ctx = { ...operator, actor: { kind: "user" as const, user, apiKeyId: 0 } };
  await deactivateUser(operator, alice.id);
  const { fragment } = lunch;
  const late = [
    () => addNavigationView(ctx, { fragment: mentions, isPinned: true }),
    () => changeNavigationView(ctx, { fragment, isPinned: false }),
    () => removeNavigationView(ctx, { fragment }),
    () => markOnboardingStep(ctx, { onboardingStep: "intro_resolve_topic" }),
  ];
  for (const verb of late) expect(await errorOf(verb())).toMatchObject({ status: 401 });
});
